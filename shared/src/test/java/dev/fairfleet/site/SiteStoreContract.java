package dev.fairfleet.site;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.frontier.Race;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.url.IgnoredParameters;
import dev.fairfleet.url.UrlPattern;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
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
  protected static final CrawlEnd END =
      new CrawlEnd(NOW.plusSeconds(60), 90, 3, 2, 5, 3, false, "2 of 100 pages failed");

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
    assertThat(status()).isEqualTo(SiteStatus.ofNew(site(60)));
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
            new SitemapPolicy(false, List.of(CrawlUrl.of("http://a.test/map.xml"))),
            new RecrawlPolicy(
                CrawlMode.INCREMENTAL, Duration.ofMinutes(90), Duration.ofDays(30), Duration.ZERO));
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
            new SitemapPolicy(false, List.of()),
            RecrawlPolicy.DEFAULT);
    store().put(bare);
    assertThat(status().site()).isEqualTo(bare);
  }

  @Test
  protected void put_knownSite_replacesItAndKeepsStateAndCrawl() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store().crawlStarted(id, CRAWL);
    store().setState(id, SiteState.STOPPED, "five time-outs", NOW);

    store().put(site(90));

    assertThat(status())
        .isEqualTo(
            new SiteStatus(
                site(90),
                SiteState.STOPPED,
                "five time-outs",
                Optional.of(NOW),
                Optional.of(
                    new CrawlRun(
                        CRAWL, CrawlMode.FULL, true, Optional.empty(), true, Optional.empty())),
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  protected void put_knownSite_keepsTheLease() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store().put(site(90));
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)).isFalse();
  }

  @Test
  protected void find_unknownSite_returnsNothing() {
    assertThat(store().find(id)).isEmpty();
  }

  @Test
  protected void forEach_handsEachSiteOnce() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    assertThat(store().all()).containsOnlyOnce(status());
  }

  // startCrawl, crawlStarted

  @Test
  protected void startCrawl_firstCrawl_isGrantedOnceAndNotYetStarted() {
    store().put(site(60));
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)).isTrue();
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)).isFalse();
    assertThat(status().crawl()).contains(CRAWL);
    assertThat(status().started()).isFalse();
  }

  @Test
  protected void startCrawl_unknownSite_isRefusedAndCreatesNothing() {
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)).isFalse();
    assertThat(store().find(id)).isEmpty();
  }

  @Test
  protected void startCrawl_olderCrawl_isRefused() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    assertThat(store().startCrawl(id, OLDER, CrawlMode.FULL, NOW.plus(LEASE).plus(LEASE), LEASE))
        .isFalse();
    assertThat(status().crawl()).contains(CRAWL);
  }

  @Test
  protected void startCrawl_newerCrawl_isGrantedWhetherTheOlderOneStartedOrNot() {
    store().put(site(60));
    store().startCrawl(id, OLDER, CrawlMode.FULL, NOW, LEASE);
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)).isTrue();
    store().crawlStarted(id, CRAWL);
    assertThat(store().startCrawl(id, NEWER, CrawlMode.FULL, NOW, LEASE)).isTrue();
    assertThat(status().started()).isFalse();
  }

  @Test
  protected void startCrawl_notReportedOneMillisecondBeforeLeaseEnds_isRefused() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW.plus(LEASE).minusMillis(1), LEASE))
        .isFalse();
  }

  @Test
  protected void startCrawl_notReportedWhenLeaseEnds_isGrantedOnceMore() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    Instant end = NOW.plus(LEASE);
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, end, LEASE)).isTrue();
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, end, LEASE)).isFalse();
  }

  @Test
  protected void startCrawl_reported_isRefusedForEver() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store().crawlStarted(id, CRAWL);
    assertThat(status().started()).isTrue();
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW.plus(LEASE).plusSeconds(1), LEASE))
        .isFalse();
  }

  @Test
  protected void startCrawl_stoppedSite_isRefusedUntilResumed() {
    store().put(site(60));
    store().setState(id, SiteState.STOPPED, "five time-outs", NOW);
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)).isFalse();
    assertThat(status().crawl()).isEmpty();
    store().setState(id, SiteState.ACTIVE, "", NOW);
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)).isTrue();
  }

  @Test
  protected void startCrawl_stoppedSiteWhoseLeaseEnded_isRefused() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store().setState(id, SiteState.STOPPED, "", NOW);
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW.plus(LEASE), LEASE)).isFalse();
  }

  /** Field report P91: a scheduled invocation ran twice for one tick. */
  @Test
  protected void startCrawl_manyAtOnce_oneIsGranted() {
    store().put(site(60));
    assertThat(Race.of(10, i -> store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)))
        .containsOnlyOnce(true);
  }

  @Test
  protected void crawlStarted_olderCrawl_changesNothing() {
    store().put(site(60));
    store().startCrawl(id, OLDER, CrawlMode.FULL, NOW, LEASE);
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store().crawlStarted(id, OLDER);
    assertThat(status().started()).isFalse();
  }

  @Test
  protected void crawlStarted_unknownSite_createsNothing() {
    store().crawlStarted(id, CRAWL);
    assertThat(store().find(id)).isEmpty();
  }

  @Test
  protected void startCrawl_afterAnother_knowsTheOneBeforeAndHasNoEnd() {
    store().put(site(60));
    run(OLDER, CrawlMode.FULL);
    store().crawlEnded(id, OLDER, END);
    store().startCrawl(id, CRAWL, CrawlMode.INCREMENTAL, NOW, LEASE);
    assertThat(status().run())
        .contains(
            new CrawlRun(
                CRAWL, CrawlMode.INCREMENTAL, false, Optional.of(OLDER), false, Optional.empty()));
  }

  @Test
  protected void startCrawl_abandonedOne_keepsTheOneBefore() {
    store().put(site(60));
    run(OLDER, CrawlMode.FULL);
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW.plus(LEASE), LEASE);
    assertThat(status().run().flatMap(CrawlRun::previous)).contains(OLDER);
  }

  @Test
  protected void startCrawl_afterAnInterruptedOne_isNotInterrupted() {
    store().put(site(60));
    run(OLDER, CrawlMode.FULL);
    store().setState(id, SiteState.STOPPED, "", NOW);
    store().setState(id, SiteState.ACTIVE, "", NOW);
    run(CRAWL, CrawlMode.FULL);
    assertThat(newest().interrupted()).isFalse();
  }

  private void run(CrawlId crawl, CrawlMode mode) {
    assertThat(store().startCrawl(id, crawl, mode, NOW, LEASE)).isTrue();
    store().crawlStarted(id, crawl);
  }

  private CrawlRun newest() {
    return status().run().orElseThrow();
  }

  // beginEnd, crawlEnded

  @Test
  protected void beginEnd_crawlThatGoesOn_isGrantedOncePerLease() {
    store().put(site(60));
    run(CRAWL, CrawlMode.FULL);
    assertThat(store().beginEnd(id, CRAWL, NOW, LEASE)).isTrue();
    assertThat(store().beginEnd(id, CRAWL, NOW.plus(LEASE).minusMillis(1), LEASE)).isFalse();
    assertThat(store().beginEnd(id, CRAWL, NOW.plus(LEASE), LEASE)).isTrue();
    assertThat(store().beginEnd(id, CRAWL, NOW.plus(LEASE), LEASE)).isFalse();
  }

  @Test
  protected void beginEnd_manyAtOnce_oneIsGranted() {
    store().put(site(60));
    run(CRAWL, CrawlMode.FULL);
    assertThat(Race.of(10, i -> store().beginEnd(id, CRAWL, NOW, LEASE))).containsOnlyOnce(true);
  }

  @Test
  protected void beginEnd_otherCrawlOrEndedOrUnknownSite_isRefused() {
    assertThat(store().beginEnd(id, CRAWL, NOW, LEASE)).isFalse();
    assertThat(store().find(id)).isEmpty();
    store().put(site(60));
    assertThat(store().beginEnd(id, CRAWL, NOW, LEASE)).isFalse();
    run(CRAWL, CrawlMode.FULL);
    assertThat(store().beginEnd(id, OLDER, NOW, LEASE)).isFalse();
    assertThat(store().beginEnd(id, NEWER, NOW, LEASE)).isFalse();
    store().crawlEnded(id, CRAWL, END);
    assertThat(store().beginEnd(id, CRAWL, NOW, LEASE)).isFalse();
  }

  @Test
  protected void beginEnd_nextCrawl_isNotHeldUpByTheLeaseOfTheOneBefore() {
    store().put(site(60));
    run(OLDER, CrawlMode.FULL);
    store().beginEnd(id, OLDER, NOW, LEASE);
    run(CRAWL, CrawlMode.FULL);
    assertThat(store().beginEnd(id, CRAWL, NOW, LEASE)).isTrue();
  }

  @Test
  protected void crawlEnded_fullCrawl_isLastEndedAndLastFull() {
    store().put(site(60));
    run(CRAWL, CrawlMode.FULL);
    store().crawlEnded(id, CRAWL, END);
    assertThat(newest().end()).contains(END);
    assertThat(status().lastEnded()).contains(CRAWL);
    assertThat(status().lastFull()).contains(CRAWL);
  }

  @Test
  protected void crawlEnded_incrementalCrawl_keepsTheLastFullOne() {
    store().put(site(60));
    run(OLDER, CrawlMode.FULL);
    store().crawlEnded(id, OLDER, END);
    run(CRAWL, CrawlMode.INCREMENTAL);
    store().crawlEnded(id, CRAWL, END);
    assertThat(status().lastEnded()).contains(CRAWL);
    assertThat(status().lastFull()).contains(OLDER);
  }

  @Test
  protected void crawlEnded_again_keepsTheFirstEnd() {
    store().put(site(60));
    run(CRAWL, CrawlMode.FULL);
    store().crawlEnded(id, CRAWL, END);
    store().crawlEnded(id, CRAWL, new CrawlEnd(NOW.plusMillis(1), 0, 0, 0, 0, 0, false, "late"));
    assertThat(newest().end()).contains(END);
  }

  @Test
  protected void crawlEnded_olderCrawlOrUnknownSite_changesNothing() {
    store().crawlEnded(id, CRAWL, END);
    assertThat(store().find(id)).isEmpty();
    store().put(site(60));
    run(OLDER, CrawlMode.FULL);
    run(CRAWL, CrawlMode.FULL);
    store().crawlEnded(id, OLDER, END);
    assertThat(newest().end()).isEmpty();
    assertThat(status().lastEnded()).isEmpty();
  }

  // setState

  @Test
  protected void setState_stopAndResume_keepsReasonAndTime() {
    store().put(site(60));
    assertThat(store().setState(id, SiteState.STOPPED, "asked by the owner", NOW)).isTrue();
    assertThat(status().state()).isEqualTo(SiteState.STOPPED);
    assertThat(status().reason()).isEqualTo("asked by the owner");
    assertThat(status().since()).contains(NOW);
    assertThat(store().setState(id, SiteState.ACTIVE, "", NOW.plusMillis(1))).isTrue();
    assertThat(status().state()).isEqualTo(SiteState.ACTIVE);
    assertThat(status().reason()).isEmpty();
    assertThat(status().since()).contains(NOW.plusMillis(1));
  }

  @Test
  protected void setState_stoppedAlready_isFalseAndKeepsTheFirstReason() {
    store().put(site(60));
    store().setState(id, SiteState.STOPPED, "first", NOW);
    assertThat(store().setState(id, SiteState.STOPPED, "second", NOW.plusMillis(1))).isFalse();
    assertThat(status().reason()).isEqualTo("first");
    assertThat(status().since()).contains(NOW);
  }

  @Test
  protected void setState_activeAlready_isFalse() {
    store().put(site(60));
    assertThat(store().setState(id, SiteState.ACTIVE, "", NOW)).isFalse();
    assertThat(status()).isEqualTo(SiteStatus.ofNew(site(60)));
  }

  @Test
  protected void setState_stoppedByMany_oneIsToldThatItDidIt() {
    store().put(site(60));
    run(CRAWL, CrawlMode.FULL);
    assertThat(Race.of(10, i -> store().setState(id, SiteState.STOPPED, "reason " + i, NOW)))
        .containsOnlyOnce(true);
  }

  @Test
  protected void setState_stopDuringACrawl_interruptsItForEver() {
    store().put(site(60));
    run(CRAWL, CrawlMode.FULL);
    store().setState(id, SiteState.STOPPED, "", NOW);
    assertThat(newest().interrupted()).isTrue();
    store().setState(id, SiteState.ACTIVE, "", NOW);
    store().crawlEnded(id, CRAWL, END);
    assertThat(newest().interrupted()).isTrue();
  }

  @Test
  protected void setState_stopAfterACrawl_doesNotInterruptIt() {
    store().put(site(60));
    run(CRAWL, CrawlMode.FULL);
    store().crawlEnded(id, CRAWL, END);
    store().setState(id, SiteState.STOPPED, "", NOW);
    assertThat(newest().interrupted()).isFalse();
  }

  @Test
  protected void setState_unknownSite_throwsAndCreatesNothing() {
    assertThatThrownBy(() -> store().setState(id, SiteState.STOPPED, "", NOW))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("There is no site " + id + " to be set STOPPED");
    assertThatThrownBy(() -> store().setState(id, SiteState.ACTIVE, "", NOW))
        .isInstanceOf(NoSuchElementException.class);
    assertThat(store().find(id)).isEmpty();
  }

  // putAll, remove

  @Test
  protected void putAll_newAndKnownSites_areThereAndKnownOnesKeepTheirCrawl() {
    List<Site> many = new ArrayList<>();
    for (int i = 0; i < 260; i++) {
      many.add(named(id + "-" + i));
    }
    store().put(many.get(7));
    store().startCrawl(many.get(7).id(), CRAWL, CrawlMode.FULL, NOW, LEASE);
    store().crawlStarted(many.get(7).id(), CRAWL);
    Queue<Integer> done = new ConcurrentLinkedQueue<>();

    store().putAll(many, done::add);

    Map<SiteId, SiteStatus> found = new HashMap<>();
    store().forEach(status -> found.put(status.site().id(), status));
    for (Site each : many) {
      SiteStatus status = requireNonNull(found.get(each.id()));
      assertThat(status.site()).isEqualTo(each);
      assertThat(status.started()).isEqualTo(each.equals(many.get(7)));
    }
    assertThat(Collections.max(done)).isEqualTo(260);
  }

  @Test
  protected void putAll_sameSiteTwice_keepsTheLaterOne() {
    store().putAll(List.of(site(60), site(90)), done -> {});
    assertThat(status().site()).isEqualTo(site(90));
  }

  @Test
  protected void putAll_nothing_doesNothing() {
    store().putAll(List.of(), done -> {});
    assertThat(store().find(id)).isEmpty();
  }

  private static Site named(String name) {
    CrawlUrl root = CrawlUrl.of("http://a.test/");
    return new Site(
        new SiteId(name),
        List.of(root),
        new Scope(Set.of(root.hostKey())),
        SiteLimits.POLITE,
        ExtractionRules.DEFAULT);
  }

  @Test
  protected void remove_site_isGoneWithItsCrawl() {
    store().put(site(60));
    run(CRAWL, CrawlMode.FULL);
    store().remove(id);
    assertThat(store().find(id)).isEmpty();
    store().put(site(60));
    assertThat(status()).isEqualTo(SiteStatus.ofNew(site(60)));
  }

  @Test
  protected void remove_unknownSite_hasNoEffect() {
    store().remove(id);
    assertThat(store().find(id)).isEmpty();
  }
}
