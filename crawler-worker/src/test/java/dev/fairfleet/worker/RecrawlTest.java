package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.record.Tombstone;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SitemapPolicy;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.metrics.Meter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One crawl after the other over a site that changes between them. */
final class RecrawlTest {
  private final TestFleet fleet = new TestFleet();
  private final ChangingSite site = new ChangingSite(fleet);

  @BeforeEach
  void start() {
    site.pages.put("/", Html.page("root", "/a", "/b"));
    site.pages.put("/a", Html.page("a", "/c"));
    site.pages.put("/b", Html.page("b"));
    site.pages.put("/c", Html.page("c"));
    fleet.sites.put(site.site());
  }

  @AfterEach
  void stop() {
    fleet.stop();
  }

  private CrawlEnd full() {
    if (!fleet.isStarted()) {
      fleet.start();
    }
    return site.crawl(CrawlMode.FULL);
  }

  private CrawlEnd incremental() {
    return site.crawl(CrawlMode.INCREMENTAL);
  }

  @Test
  void full_nothingChanged_everyPageIsAskedOnceWhetherItChanged() {
    full();
    StoredRecord before = site.record("c");
    double records = fleet.count(Meter.RECORD_CREATED);

    assertThat(full())
        .returns(4L, CrawlEnd::done)
        .returns(4L, CrawlEnd::pages)
        .returns(0L, CrawlEnd::tombstones)
        .returns(true, CrawlEnd::complete)
        .returns("", CrawlEnd::remark);
    assertThat(site.requests())
        .containsExactlyInAnyOrder(
            "/ if changed", "/a if changed", "/b if changed", "/c if changed");
    assertThat(site.page("/c"))
        .returns(ChangingSite.crawl(1), Page::crawl)
        .returns("not modified", Page::reason);
    assertThat(site.record("c")).isEqualTo(before);
    assertThat(fleet.count(Meter.RECORD_CREATED)).isEqualTo(records);
    assertThat(fleet.count(Meter.RECORD_CHANGED)).isZero();
    assertThat(fleet.count(Meter.RECORD_UNCHANGED)).as("no record is put").isZero();
  }

  @Test
  void full_pageChanged_itsRecordAndWhatItNewlyLinksTo() {
    full();
    site.pages.put("/b", Html.page("b, new", "/d"));
    site.pages.put("/d", Html.page("d", "/c"));

    assertThat(full()).returns(5L, CrawlEnd::done);
    assertThat(site.requests()).hasSize(5).contains("/b if changed", "/d", "/c if changed");
    assertThat(site.titles(false)).containsExactly("a", "b, new", "c", "d", "root");
    assertThat(site.record("b, new").changes()).isEqualTo(1);
  }

  @Test
  void full_pageIsGone_itsRecordIsDeletedWithTheReason() {
    full();
    site.pages.put("/a", Html.page("a"));
    site.pages.remove("/c");

    assertThat(full()).returns(1L, CrawlEnd::gone).returns(1L, CrawlEnd::tombstones);
    assertThat(site.titles(true)).containsExactly("c");
    assertThat(site.record("c").tombstone().map(Tombstone::reason))
        .hasValue("http://a.test/c: status 404");
    await("nothing in doubt any more").until(() -> site.page("/c").remembered().record().isEmpty());
  }

  @Test
  void full_pageIsGoneTwice_isNotAskedForAgainUnlessSomethingLinksToIt() {
    full();
    site.pages.put("/a", Html.page("a"));
    String text = site.pages.remove("/c");
    full();
    full();
    assertThat(site.requests()).contains("/c");
    full();
    assertThat(site.requests()).hasSize(3).doesNotContain("/c");

    site.pages.put("/c", text);
    site.pages.put("/b", Html.page("b", "/c"));
    assertThat(full()).returns(4L, CrawlEnd::done);
    assertThat(site.titles(true)).isEmpty();
    assertThat(site.record("c").returned()).isPresent();
    assertThat(site.record("c").changes()).as("it is as it was").isZero();
  }

  @Test
  void full_pageComesBackUnchanged_isFetchedWholeAndItsRecordReturns() {
    full();
    String text = site.pages.remove("/c");
    full();
    site.pages.put("/c", text);

    full();
    assertThat(site.requests()).contains("/c");
    assertThat(site.titles(true)).isEmpty();
  }

  @Test
  void full_pageFails_itsRecordStays() {
    for (int i = 0; i < 20; i++) {
      site.pages.put("/many/" + i, Html.page("many " + i));
      site.pages.merge("/b", "<a href=/many/" + i + ">x</a>", String::concat);
    }
    full();
    site.broken.add("/c");

    assertThat(full()).returns(1L, CrawlEnd::failed).returns(true, CrawlEnd::complete);
    assertThat(site.titles(true)).isEmpty();
    site.broken.clear();
    assertThat(full()).returns(0L, CrawlEnd::failed);
  }

  @Test
  void full_mostFails_nothingIsDeleted() {
    full();
    site.pages.remove("/b");
    site.broken.add("/c");

    assertThat(full())
        .returns(0L, CrawlEnd::tombstones)
        .returns(false, CrawlEnd::complete)
        .returns("1 of 4 pages failed or are barred by robots.txt now", CrawlEnd::remark);
    assertThat(site.titles(true)).isEmpty();
  }

  @Test
  void full_mostIsGoneOnce_isDeletedWhenTheNextCrawlConfirmsIt() {
    full();
    site.pages.keySet().retainAll(Set.of("/"));

    assertThat(full())
        .returns(false, CrawlEnd::complete)
        .returns("3 of 4 pages are gone, which another crawl must confirm", CrawlEnd::remark);
    assertThat(site.titles(true)).isEmpty();
    full();
    assertThat(site.titles(true)).containsExactly("a", "b", "c");
    assertThat(site.record("c").tombstone().map(Tombstone::reason))
        .hasValue("http://a.test/c: status 404, twice");
  }

  @Test
  void full_siteWasStoppedMeanwhile_nothingIsDeleted() {
    full();
    site.pages.remove("/c");
    CrawlId crawl = site.begin(CrawlMode.FULL);
    fleet.sites.setState(TestFleet.SITE, SiteState.STOPPED, "test", fleet.clock.instant());
    fleet.sites.setState(TestFleet.SITE, SiteState.ACTIVE, "", fleet.clock.instant());

    assertThat(site.awaitEnd(crawl))
        .returns("the site was stopped while it was crawled", CrawlEnd::remark);
    assertThat(site.titles(true)).isEmpty();
  }

  @Test
  void full_mostAnswers403_nothingIsDeleted() {
    full();
    site.forbidden.addAll(Set.of("/a", "/b", "/c"));

    assertThat(full())
        .returns(3L, CrawlEnd::skipped)
        .returns(false, CrawlEnd::complete)
        .returns(
            "3 records would go at once, which only 404 or 410 in two crawls confirms",
            CrawlEnd::remark);
    assertThat(site.titles(true)).isEmpty();
    site.forbidden.removeAll(Set.of("/a", "/b"));
    full();
    assertThat(site.titles(true)).containsExactly("c");
  }

  @Test
  void full_everythingRedirectsToOnePage_nothingIsDeleted() {
    full();
    site.pages.put("/login", Html.page("log in"));
    for (String path : List.of("/a", "/b", "/c")) {
      site.moved.put(path, "/login");
    }

    assertThat(full()).returns(false, CrawlEnd::complete).returns(0L, CrawlEnd::tombstones);
    assertThat(site.titles(true)).isEmpty();
    site.moved.clear();
    assertThat(full()).returns(true, CrawlEnd::complete);
    assertThat(site.titles(true)).isEmpty();
  }

  /** What was found out in a crawl that cannot be trusted is not forgotten. */
  @Test
  void full_pageIsGoneTwiceWhenTheSiteWasStopped_isDeletedByTheNextCrawl() {
    full();
    site.pages.remove("/c");
    site.broken.add("/b");
    assertThat(full()).returns(false, CrawlEnd::complete);
    site.broken.clear();
    CrawlId stopped = site.begin(CrawlMode.FULL);
    fleet.sites.setState(TestFleet.SITE, SiteState.STOPPED, "test", fleet.clock.instant());
    fleet.sites.setState(TestFleet.SITE, SiteState.ACTIVE, "", fleet.clock.instant());
    assertThat(site.awaitEnd(stopped)).returns(0L, CrawlEnd::tombstones);
    assertThat(site.titles(true)).isEmpty();

    assertThat(full()).returns(1L, CrawlEnd::tombstones);
    assertThat(site.titles(true)).containsExactly("c");
  }

  @Test
  void full_cutByThePageLimit_endsAndDeletesNothing() {
    full();
    site.maxPages = 3;
    site.pages.remove("/c");

    assertThat(full())
        .returns(3L, CrawlEnd::pages)
        .returns("cut at the page limit of 3", CrawlEnd::remark);
    assertThat(site.requests()).hasSize(3);
    assertThat(site.titles(true)).isEmpty();
  }

  @Test
  void full_ruleNowRefusesAPage_itsRecordIsDeleted() {
    full();
    site.exclude = "/c";

    assertThat(full()).returns(1L, CrawlEnd::skipped);
    assertThat(site.requests()).hasSize(3).doesNotContain("/c if changed", "/c");
    assertThat(site.page("/c"))
        .returns(PageState.SKIPPED, Page::state)
        .satisfies(page -> assertThat(page.reason()).startsWith("exclude"));
    assertThat(site.titles(true)).containsExactly("c");
  }

  /** The page that links to it did not change, and its links are kept. */
  @Test
  void full_ruleNowAllowsAPage_isFoundThroughUnchangedPages() {
    site.exclude = "/c";
    full();
    assertThat(site.requests()).doesNotContain("/c");
    site.exclude = "";

    full();
    assertThat(site.requests()).contains("/a if changed", "/c");
    assertThat(site.titles(false)).contains("c");
  }

  @Test
  void full_robotsBarsAPage_itsRecordStays() {
    for (int i = 0; i < 20; i++) {
      site.pages.put("/many/" + i, Html.page("many " + i));
      site.pages.merge("/b", "<a href=/many/" + i + ">x</a>", String::concat);
    }
    String[] robots = {""};
    fleet.robots =
        url ->
            RobotsRules.parse(
                robots[0].getBytes(StandardCharsets.UTF_8), "fairfleet", Duration.ofHours(1));
    full();
    robots[0] = "User-agent: *\nDisallow: /c";

    assertThat(full()).returns(1L, CrawlEnd::skipped).returns(true, CrawlEnd::complete);
    assertThat(site.titles(true)).isEmpty();
  }

  @Test
  void full_thingMovedToAnotherPage_isNotDeleted() {
    site.rules =
        new ExtractionRules(Map.of("title", "title", "sku", ".sku"), Optional.of("sku"), Set.of());
    String thing = Html.page("thing") + "<p class=sku>7</p>";
    site.pages.put("/c", thing);
    full();
    assertThat(site.titles(false)).containsExactly("thing");
    site.pages.put("/a", Html.page("a", "/c", "/new"));
    site.moved.put("/c", "/new");
    site.pages.put("/new", thing);

    assertThat(full()).returns(0L, CrawlEnd::tombstones).returns(true, CrawlEnd::complete);
    assertThat(site.titles(false)).containsExactly("thing");
    await("its fate is known").until(() -> site.page("/c").remembered().lost().isEmpty());
  }

  @Test
  void full_oneOfTwoPagesThatShowAThingGoes_isDeletedWithTheSecond() {
    site.rules =
        new ExtractionRules(Map.of("title", "title", "sku", ".sku"), Optional.of("sku"), Set.of());
    for (String path : List.of("/b", "/c")) {
      site.pages.put(path, Html.page("thing") + "<p class=sku>7</p>");
    }
    site.pages.put("/d", Html.page("another") + "<p class=sku>8</p>");
    site.pages.put("/a", Html.page("a", "/c", "/d"));
    full();
    site.pages.remove("/c");
    assertThat(full()).returns(0L, CrawlEnd::tombstones).returns(true, CrawlEnd::complete);

    site.pages.put("/b", Html.page("something else"));
    assertThat(full()).returns(1L, CrawlEnd::tombstones);
    assertThat(site.record("thing").tombstone().map(Tombstone::reason))
        .hasValue("http://a.test/b no longer shows it");
  }

  // incremental

  private static String sitemap(String... entries) {
    StringBuilder xml =
        new StringBuilder("<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">");
    for (String entry : entries) {
      List<String> parts = List.of(entry.split(" ", 2));
      xml.append("<url><loc>http://a.test").append(parts.getFirst()).append("</loc>");
      parts.stream().skip(1).forEach(at -> xml.append("<lastmod>" + at + "</lastmod>"));
      xml.append("</url>");
    }
    return xml.append("</urlset>").toString();
  }

  private void sitemapSays(String... entries) {
    site.sitemaps = new SitemapPolicy(false, List.of(CrawlUrl.of("http://a.test/sitemap.xml")));
    site.pages.put("/sitemap.xml", sitemap(entries));
  }

  @Test
  void full_knownSitemap_isReadOnceMoreAndLeadsToWhatIsNew() {
    sitemapSays("/a 2026-10-01");
    full();
    site.pages.put("/d", Html.page("d"));
    sitemapSays("/a 2026-10-01", "/d 2026-11-01");

    full();
    assertThat(site.requests())
        .containsExactlyInAnyOrder(
            "/ if changed",
            "/a if changed",
            "/b if changed",
            "/c if changed",
            "/sitemap.xml",
            "/d");
  }

  /** The first crawl is scheduled at 2026-11-01T00:00Z, and six hours are the margin. */
  @Test
  void incremental_asksForWhatTheSitemapSaysChangedSinceTheLastCrawlBegan() {
    sitemapSays("/a 2026-10-01", "/b 2026-10-01", "/c 2026-10-01");
    full();
    sitemapSays(
        "/a 2026-10-31T17:59:59Z", "/b 2026-10-31T18:00:00Z", "/c 2026-11-01T12:00:00Z", "/d");
    site.pages.put("/d", Html.page("d"));

    assertThat(incremental())
        .returns(false, CrawlEnd::complete)
        .returns("an incremental crawl does not ask for everything", CrawlEnd::remark);
    assertThat(site.requests())
        .containsExactlyInAnyOrder(
            "/ if changed", "/sitemap.xml", "/b if changed", "/c if changed", "/d");
  }

  @Test
  void incremental_sitemapStampsAllEntriesAlike_theHashDecides() {
    String[] entries = new String[10];
    for (int i = 0; i < entries.length; i++) {
      site.pages.put("/" + i, Html.page("page " + i));
      entries[i] = "/" + i + " 2026-10-01";
    }
    sitemapSays(entries);
    full();
    site.pages.put("/3", Html.page("changed"));

    incremental();
    assertThat(site.requests()).hasSize(12).contains("/0 if changed", "/3 if changed");
    assertThat(site.record("changed").changes()).isEqualTo(1);
    assertThat(site.record("page 0").changes()).isZero();
  }

  @Test
  void incremental_pageIsGone_isDeletedTheSecondTime() {
    sitemapSays("/a", "/b", "/c");
    full();
    site.pages.remove("/c");

    incremental();
    assertThat(site.titles(true)).isEmpty();
    incremental();
    assertThat(site.titles(true)).containsExactly("c");
  }

  @Test
  void incremental_changedPageLinksToKnownAndNewOnes_onlyTheNewAreAsked() {
    full();
    site.pages.put("/", Html.page("root, new", "/a", "/b", "/d"));
    site.pages.put("/d", Html.page("d"));

    incremental();
    assertThat(site.requests()).containsExactlyInAnyOrder("/ if changed", "/d");
  }
}
