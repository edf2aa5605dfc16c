package dev.fairfleet.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.frontier.Race;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.url.IgnoredParameters;
import dev.fairfleet.url.UrlPattern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every {@link SiteStore} promises. Tests share the storage; each has a site of its own. */
public abstract class SiteStoreContract {
  private static final AtomicInteger SITES = new AtomicInteger();

  protected static final CrawlId CRAWL = new CrawlId("20261130T120000.000Z");
  protected static final CrawlId NEWER = new CrawlId("20261201T120000.000Z");
  protected static final CrawlId OLDER = new CrawlId("20261129T120000.000Z");
  protected static final Instant NOW = Instant.parse("2026-11-30T12:00:05.678Z");
  protected static final Duration LEASE = Duration.ofMinutes(2);

  protected final SiteId id = new SiteId("site-" + SITES.incrementAndGet());

  /** Returns the store under test. */
  protected abstract SiteStore store();

  protected Site site(int requestsPerHour) {
    return new Site(
        id,
        List.of(CrawlUrl.of("http://a.test/"), CrawlUrl.of("https://[2001:db8::1]:8443/start")),
        new Scope(
            Set.of(
                new HostKey("a.test", 80),
                CrawlUrl.of("https://[2001:db8::1]:8443/").hostKey(),
                new HostKey("b.test", 443))),
        new SiteLimits(requestsPerHour, Duration.ofMillis(1_500), 7, 10_000),
        new ExtractionRules(
            Map.of("sku", "#sku@data-id", "title", "h1", "price", ".price"),
            Optional.of("sku"),
            Set.of("price")));
  }

  protected SiteStatus status() {
    return store().find(id).orElseThrow();
  }

  // put, find, forEach

  @Test
  protected void put_newSite_isActiveWithoutCrawl() {
    store().put(site(60));
    assertThat(status())
        .isEqualTo(new SiteStatus(site(60), SiteState.ACTIVE, "", Optional.empty(), false));
  }

  @Test
  protected void put_siteWithDefaults_isKept() {
    CrawlUrl root = CrawlUrl.of("http://a.test/");
    Site plain =
        new Site(
            id,
            List.of(root),
            new Scope(Set.of(root.hostKey())),
            SiteLimits.POLITE,
            ExtractionRules.DEFAULT);
    store().put(plain);
    assertThat(status().site()).isEqualTo(plain);
  }

  @Test
  protected void put_siteWithEveryOption_isKept() {
    CrawlUrl root = CrawlUrl.of("http://a.test/");
    Site chosen =
        new Site(
            id,
            List.of(root),
            new Scope(
                Set.of(root.hostKey()),
                true,
                List.of(new UrlPattern("/shop/"), new UrlPattern("*.pdf$")),
                List.of(new UrlPattern("*?*sort=")),
                new IgnoredParameters(Set.of("ref", "aff_*"))),
            new SiteLimits(60, Duration.ZERO, 7, 10, new TrapLimits(300, 4, 5, 2, 0)),
            ExtractionRules.DEFAULT,
            new LinkPolicy(Set.of("ugc", "sponsored")),
            new SitemapPolicy(false, List.of(CrawlUrl.of("http://a.test/map.xml"))));
    store().put(chosen);
    assertThat(status().site()).isEqualTo(chosen);
  }

  @Test
  protected void put_siteWithOptionsSwitchedOff_doesNotGetTheDefaultsBack() {
    CrawlUrl root = CrawlUrl.of("http://a.test/");
    Site bare =
        new Site(
            id,
            List.of(root),
            new Scope(Set.of(root.hostKey()), false, List.of(), List.of(), IgnoredParameters.NONE),
            SiteLimits.POLITE,
            ExtractionRules.DEFAULT,
            new LinkPolicy(Set.of()),
            new SitemapPolicy(false, List.of()));
    store().put(bare);
    assertThat(status().site()).isEqualTo(bare);
  }

  @Test
  protected void put_knownSite_replacesItAndKeepsStateAndCrawl() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, NOW, LEASE);
    store().crawlStarted(id, CRAWL);
    store().setState(id, SiteState.STOPPED, "five time-outs");

    store().put(site(90));

    assertThat(status())
        .isEqualTo(
            new SiteStatus(
                site(90), SiteState.STOPPED, "five time-outs", Optional.of(CRAWL), true));
  }

  @Test
  protected void put_knownSite_keepsTheLease() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, NOW, LEASE);
    store().put(site(90));
    assertThat(store().startCrawl(id, CRAWL, NOW, LEASE)).isFalse();
  }

  @Test
  protected void find_unknownSite_returnsNothing() {
    assertThat(store().find(id)).isEmpty();
  }

  @Test
  protected void forEach_handsEachSiteOnce() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, NOW, LEASE);
    assertThat(store().all()).containsOnlyOnce(status());
  }

  // startCrawl, crawlStarted

  @Test
  protected void startCrawl_firstCrawl_isGrantedOnceAndNotYetStarted() {
    store().put(site(60));
    assertThat(store().startCrawl(id, CRAWL, NOW, LEASE)).isTrue();
    assertThat(store().startCrawl(id, CRAWL, NOW, LEASE)).isFalse();
    assertThat(status().crawl()).contains(CRAWL);
    assertThat(status().started()).isFalse();
  }

  @Test
  protected void startCrawl_unknownSite_isRefusedAndCreatesNothing() {
    assertThat(store().startCrawl(id, CRAWL, NOW, LEASE)).isFalse();
    assertThat(store().find(id)).isEmpty();
  }

  @Test
  protected void startCrawl_olderCrawl_isRefused() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, NOW, LEASE);
    assertThat(store().startCrawl(id, OLDER, NOW.plus(LEASE).plus(LEASE), LEASE)).isFalse();
    assertThat(status().crawl()).contains(CRAWL);
  }

  @Test
  protected void startCrawl_newerCrawl_isGrantedWhetherTheOlderOneStartedOrNot() {
    store().put(site(60));
    store().startCrawl(id, OLDER, NOW, LEASE);
    assertThat(store().startCrawl(id, CRAWL, NOW, LEASE)).isTrue();
    store().crawlStarted(id, CRAWL);
    assertThat(store().startCrawl(id, NEWER, NOW, LEASE)).isTrue();
    assertThat(status().started()).isFalse();
  }

  @Test
  protected void startCrawl_notReportedOneMillisecondBeforeLeaseEnds_isRefused() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, NOW, LEASE);
    assertThat(store().startCrawl(id, CRAWL, NOW.plus(LEASE).minusMillis(1), LEASE)).isFalse();
  }

  @Test
  protected void startCrawl_notReportedWhenLeaseEnds_isGrantedOnceMore() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, NOW, LEASE);
    Instant end = NOW.plus(LEASE);
    assertThat(store().startCrawl(id, CRAWL, end, LEASE)).isTrue();
    assertThat(store().startCrawl(id, CRAWL, end, LEASE)).isFalse();
  }

  @Test
  protected void startCrawl_reported_isRefusedForEver() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, NOW, LEASE);
    store().crawlStarted(id, CRAWL);
    assertThat(status().started()).isTrue();
    assertThat(store().startCrawl(id, CRAWL, NOW.plus(LEASE).plusSeconds(1), LEASE)).isFalse();
  }

  @Test
  protected void startCrawl_stoppedSite_isRefusedUntilResumed() {
    store().put(site(60));
    store().setState(id, SiteState.STOPPED, "five time-outs");
    assertThat(store().startCrawl(id, CRAWL, NOW, LEASE)).isFalse();
    assertThat(status().crawl()).isEmpty();
    store().setState(id, SiteState.ACTIVE, "");
    assertThat(store().startCrawl(id, CRAWL, NOW, LEASE)).isTrue();
  }

  @Test
  protected void startCrawl_stoppedSiteWhoseLeaseEnded_isRefused() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, NOW, LEASE);
    store().setState(id, SiteState.STOPPED, "");
    assertThat(store().startCrawl(id, CRAWL, NOW.plus(LEASE), LEASE)).isFalse();
  }

  /** Field report P91: a scheduled invocation ran twice for one tick. */
  @Test
  protected void startCrawl_manyAtOnce_oneIsGranted() {
    store().put(site(60));
    assertThat(Race.of(10, i -> store().startCrawl(id, CRAWL, NOW, LEASE))).containsOnlyOnce(true);
  }

  @Test
  protected void crawlStarted_olderCrawl_changesNothing() {
    store().put(site(60));
    store().startCrawl(id, OLDER, NOW, LEASE);
    store().startCrawl(id, CRAWL, NOW, LEASE);
    store().crawlStarted(id, OLDER);
    assertThat(status().started()).isFalse();
  }

  @Test
  protected void crawlStarted_unknownSite_createsNothing() {
    store().crawlStarted(id, CRAWL);
    assertThat(store().find(id)).isEmpty();
  }

  // setState

  @Test
  protected void setState_stopAndResume_keepsReason() {
    store().put(site(60));
    store().setState(id, SiteState.STOPPED, "asked by the owner");
    assertThat(status().state()).isEqualTo(SiteState.STOPPED);
    assertThat(status().reason()).isEqualTo("asked by the owner");
    store().setState(id, SiteState.ACTIVE, "");
    assertThat(status().state()).isEqualTo(SiteState.ACTIVE);
    assertThat(status().reason()).isEmpty();
  }

  @Test
  protected void setState_unknownSite_throwsAndCreatesNothing() {
    assertThatThrownBy(() -> store().setState(id, SiteState.STOPPED, ""))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("There is no site " + id + " to be set STOPPED");
    assertThat(store().find(id)).isEmpty();
  }
}
