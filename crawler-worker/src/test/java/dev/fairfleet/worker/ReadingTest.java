package dev.fairfleet.worker;

import static dev.fairfleet.worker.TestFleet.CRAWL;
import static dev.fairfleet.worker.TestFleet.SITE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Remembered;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LinkPolicy;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SitemapPolicy;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.IgnoredParameters;
import dev.fairfleet.url.UrlPattern;
import dev.fairfleet.worker.config.SchedulingPolicy;
import dev.fairfleet.worker.fetch.Body;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.metrics.Meter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a worker makes of what it fetched. */
@ParameterizedClass
@EnumSource(SchedulingPolicy.class)
final class ReadingTest {
  private static final Validators VALIDATORS = new Validators("\"v1\"", "");
  private static final CrawlId EARLIER = new CrawlId("19690101T000000.000Z");

  private final TestFleet fleet = new TestFleet();
  private final Map<String, String> pages = new HashMap<>();
  private Validators sent = Validators.NONE;

  ReadingTest(SchedulingPolicy policy) {
    fleet.policy = policy;
    fleet.web = this::answer;
  }

  @AfterEach
  void stop() {
    fleet.stop();
  }

  private FetchOutcome answer(CrawlUrl url, Validators validators) {
    if (!sent.equals(Validators.NONE) && validators.equals(sent)) {
      return new FetchOutcome.NotModified(validators, Duration.ofMillis(1));
    }
    String page = pages.get(url.pathAndQuery());
    return page == null
        ? new FetchOutcome.Gone(404, Duration.ofMillis(1))
        : with(sent, Html.fetched(url, page));
  }

  private static Fetched with(Validators validators, Fetched fetched) {
    return new Fetched(
        fetched.status(),
        fetched.url(),
        new Body(fetched.body().bytes()),
        fetched.contentType(),
        fetched.headers(),
        validators,
        fetched.truncated(),
        fetched.oddity(),
        fetched.took());
  }

  private void crawl(String... urls) {
    fleet.seed(urls);
    fleet.start();
    fleet.awaitEmptyQueues();
  }

  private Page page(String path) {
    return fleet.page("http://a.test" + path);
  }

  private List<StoredRecord> records() {
    List<StoredRecord> records = new ArrayList<>();
    fleet.records.forEach(SITE, records::add);
    return records;
  }

  private static Site site(Scope scope, SitemapPolicy sitemaps) {
    return new Site(
        SITE,
        List.of(TestFleet.ROOT),
        scope,
        SiteLimits.POLITE,
        ExtractionRules.DEFAULT,
        LinkPolicy.DEFAULT,
        sitemaps,
        RecrawlPolicy.DEFAULT);
  }

  private void put(Site site) {
    fleet.sites.put(site);
    fleet.sites.startCrawl(
        SITE, CRAWL, CrawlMode.FULL, fleet.clock.instant(), Duration.ofMinutes(1));
    fleet.sites.crawlStarted(SITE, CRAWL);
  }

  private static Scope scope(String include, String exclude) {
    return new Scope(
        Set.of(TestFleet.ROOT.hostKey()),
        false,
        patterns(include),
        patterns(exclude),
        IgnoredParameters.DEFAULT);
  }

  private static List<UrlPattern> patterns(String text) {
    return Stream.of(text).filter(each -> !each.isEmpty()).map(UrlPattern::new).toList();
  }

  private static String robots(String... lines) {
    return Stream.of(lines).collect(Collectors.joining("\n"));
  }

  private void robotsSay(String text) {
    fleet.robots =
        url ->
            RobotsRules.parse(
                text.getBytes(StandardCharsets.UTF_8), "fairfleet", Duration.ofHours(1));
  }

  // not modified

  @Test
  void work_pageIsUnchangedSinceTheLastCrawl_itsLinksAreKeptAlive_p57() {
    pages.put("/", Html.page("root", "/a", "/b", "http://elsewhere.test/"));
    pages.put("/a", Html.page("a", "/c"));
    pages.put("/b", Html.page("b"));
    pages.put("/c", Html.page("c"));
    sent = VALIDATORS;
    claimedEarlier("http://a.test/");
    fleet.start();
    fleet.awaitEmptyQueues();
    assertThat(fleet.fetched).hasSize(4);

    fleet.fetched.clear();
    fleet.seed("http://a.test/");
    fleet.awaitEmptyQueues();
    assertThat(fleet.fetched).hasSize(4);
    for (String path : List.of("/", "/a", "/b", "/c")) {
      assertThat(page(path))
          .returns(CRAWL, Page::crawl)
          .returns(PageState.DONE, Page::state)
          .returns("not modified", Page::reason)
          .returns(VALIDATORS, page -> page.remembered().validators());
    }
    assertThat(fleet.count(Meter.FETCH_NOT_MODIFIED)).isEqualTo(4);
    assertThat(records()).hasSize(4);
    assertThat(fleet.count(Meter.RECORD_CREATED)).isEqualTo(4);
    assertThat(fleet.count(Meter.RECORD_CHANGED)).isZero();
  }

  @Test
  void work_unchangedPageWhoseLinksWereLost_isFetchedWhole() {
    pages.put("/", Html.page("root", "/a"));
    pages.put("/a", Html.page("a"));
    sent = VALIDATORS;
    Task earlier = claimedEarlier("http://a.test/");
    fleet.frontier.settle(
        earlier,
        new Settlement(
            PageState.DONE,
            "",
            Optional.of(new Remembered(VALIDATORS, "hash", "lost", "", Optional.empty(), Set.of())),
            Optional.empty()),
        new AttemptToken("earlier"),
        Instant.EPOCH);
    crawl("http://a.test/");
    assertThat(fleet.fetched.stream().map(CrawlUrl::pathAndQuery)).containsExactly("/", "/", "/a");
    assertThat(page("/").reason()).isEmpty();
    assertThat(page("/a").state()).isEqualTo(PageState.DONE);
  }

  private Task claimedEarlier(String url) {
    CrawlUrl link = CrawlUrl.of(url);
    Task task =
        fleet
            .frontier
            .claim(Discovery.ofLinks(SITE, EARLIER, link, CrawlDepth.ROOT), List.of(link))
            .getFirst();
    fleet.add(SITE, SiteLimits.POLITE, "a.test");
    fleet.send(Priority.HIGH, task);
    return task;
  }

  // refusals

  @Test
  void work_linksThatRulesRefuse_areInTheFrontierWithTheRule() {
    put(site(scope("", "/private*"), SitemapPolicy.DEFAULT));
    robotsSay(robots("User-agent: *", "Disallow: /barred"));
    pages.put("/", Html.page("root", "/ok", "/private/1", "/barred", "http://b.test/"));
    pages.put("/ok", Html.page("ok"));
    crawl("http://a.test/");
    assertThat(fleet.fetched.stream().map(CrawlUrl::pathAndQuery)).containsExactly("/", "/ok");
    assertThat(page("/private/1"))
        .returns(PageState.SKIPPED, Page::state)
        .returns(TestFleet.ROOT, Page::parent);
    assertThat(page("/private/1").reason()).startsWith("exclude: ");
    assertThat(page("/barred").reason()).startsWith("robots: Disallow: /barred");
    assertThat(page("/").reason()).isEqualTo("refused links: exclude 1, robots 1");
    assertThat(fleet.frontier.find(SITE, List.of(CrawlUrl.of("http://b.test/").hash()))).isEmpty();
  }

  @Test
  void work_trapLinksToThousandsOfRefusedUrls_recordsAFewAndCountsAll() {
    put(site(scope("", "/trap*"), SitemapPolicy.DEFAULT));
    pages.put(
        "/",
        Html.page(
            "root", IntStream.range(0, 500).mapToObj(i -> "/trap/" + i).toArray(String[]::new)));
    crawl("http://a.test/");
    assertThat(fleet.pages(SITE, PageState.SKIPPED)).hasSize(50);
    assertThat(page("/").reason()).isEqualTo("refused links: exclude 500");
  }

  @Test
  void work_linkBeyondTheDepthLimitOnOneWay_isFollowedOnAShorterOne() {
    fleet.add(SITE, new SiteLimits(3_600, Duration.ZERO, 1, SiteLimits.UNLIMITED), "a.test");
    pages.put("/", Html.page("root", "/a", "/b"));
    pages.put("/a", Html.page("a", "/b", "/c"));
    pages.put("/b", Html.page("b", "/c"));
    crawl("http://a.test/");
    assertThat(page("/b").state()).isEqualTo(PageState.DONE);
    assertThat(page("/a").reason()).isEqualTo("refused links: depth 2");
    assertThat(fleet.frontier.find(SITE, List.of(CrawlUrl.of("http://a.test/c").hash()))).isEmpty();
  }

  @Test
  void work_linksThatDifferInTrackingParameters_areOnePage() {
    pages.put("/", Html.page("root", "/p?utm_source=a", "/p?utm_source=b&gclid=1", "/p#top"));
    pages.put("/p", Html.page("p"));
    crawl("http://a.test/");
    assertThat(fleet.fetched.stream().map(CrawlUrl::pathAndQuery)).containsExactly("/", "/p");
  }

  @Test
  void work_wrongLinkThatPrependsItself_endsAfterAFewPages_p34() {
    fleet.web =
        (url, validators) ->
            Html.fetched(
                url,
                url.pathAndQuery().startsWith("/e/1")
                    ? Html.page("trap", "www.b.test/x")
                    : Html.page("root", "/e/1/", "/p"));
    crawl("http://a.test/");
    assertThat(fleet.fetched).hasSizeLessThan(8);
    assertThat(page("/p").state()).isEqualTo(PageState.DONE);
    assertThat(fleet.pages(SITE, PageState.SKIPPED))
        .hasSize(1)
        .allMatch(page -> page.reason().startsWith("repeated path segments: "));
  }

  @Test
  void work_calendarWithoutEnd_isLeftBeforeItEats_p35() {
    fleet.web =
        (url, validators) -> {
          int year =
              url.pathAndQuery().startsWith("/cal?y=")
                  ? Integer.parseInt(url.pathAndQuery().substring(7))
                  : 0;
          return Html.fetched(
              url,
              url.equals(TestFleet.ROOT)
                  ? Html.page(
                      "root",
                      Stream.concat(
                              Stream.of("/cal?y=2026"),
                              IntStream.range(0, 20).mapToObj(i -> "/real/" + i))
                          .toArray(String[]::new))
                  : year > 0 ? Html.page("cal", "/cal?y=" + (year + 1)) : Html.page("real"));
        };
    crawl("http://a.test/");
    assertThat(fleet.fetched.stream().filter(url -> url.pathAndQuery().startsWith("/real")))
        .hasSize(20);
    assertThat(fleet.fetched).hasSizeLessThan(1 + 20 + 30);
    assertThat(fleet.pages(SITE, PageState.SKIPPED))
        .hasSize(1)
        .allMatch(page -> page.reason().startsWith("calendar: "));
  }

  // canonical

  @Test
  void work_pagesThatAreOneByTheirCanonical_haveOneRecord() {
    pages.put("/", Html.page("root", "/p?color=red", "/p?color=blue"));
    String variant = "<link rel=canonical href=/p><title>p</title>";
    pages.put("/p?color=red", variant);
    pages.put("/p?color=blue", variant);
    pages.put("/p", variant);
    crawl("http://a.test/");
    assertThat(records().stream().map(record -> record.record().naturalKey()))
        .containsExactlyInAnyOrder("http://a.test/", "http://a.test/p");
    assertThat(page("/p?color=red").reason()).isEqualTo("canonical: http://a.test/p");
    assertThat(page("/p").state()).isEqualTo(PageState.DONE);
  }

  @Test
  void work_canonicalOutsideTheSite_isNotBelieved() {
    pages.put("/", "<link rel=canonical href='http://elsewhere.test/'><title>root</title>");
    crawl("http://a.test/");
    assertThat(records().getFirst().record().naturalKey()).isEqualTo("http://a.test/");
  }

  // sitemaps

  private static String urlset(String... locs) {
    return Stream.of(locs)
        .map(loc -> "<url><loc>" + loc + "</loc><lastmod>2026-11-01</lastmod></url>")
        .collect(
            Collectors.joining(
                "", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>", "</urlset>"));
  }

  private static String index(String... locs) {
    return Stream.of(locs)
        .map(loc -> "<sitemap><loc>" + loc + "</loc></sitemap>")
        .collect(
            Collectors.joining(
                "",
                "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>",
                "</sitemapindex>"));
  }

  @Test
  void work_sitemapsThatRobotsNames_areReadAndTheirPagesCrawled() {
    robotsSay(robots("Sitemap: http://a.test/map.xml", "Sitemap: http://b.test/map.xml"));
    put(site(new Scope(Set.of(TestFleet.ROOT.hostKey())), SitemapPolicy.DEFAULT));
    pages.put("/", Html.page("root"));
    pages.put("/map.xml", urlset("http://a.test/hidden", "http://b.test/foreign"));
    pages.put("/hidden", Html.page("hidden"));
    crawl("http://a.test/");
    assertThat(fleet.fetched.stream().map(CrawlUrl::toString))
        .containsExactlyInAnyOrder(
            "http://a.test/", "http://a.test/map.xml", "http://a.test/hidden");
    assertThat(page("/map.xml"))
        .returns(PageKind.SITEMAP, Page::kind)
        .returns("sitemap: 2 pages, 0 sitemaps", Page::reason);
    assertThat(page("/hidden"))
        .returns(CrawlUrl.of("http://a.test/map.xml"), Page::parent)
        .returns(Optional.of(Instant.parse("2026-11-01T00:00:00Z")), Page::modified);
  }

  @Test
  void work_siteWantsNoSitemapsOfRobots_readsOnlyThoseItLists() {
    robotsSay("Sitemap: http://a.test/map.xml");
    put(
        site(
            new Scope(Set.of(TestFleet.ROOT.hostKey())),
            new SitemapPolicy(false, List.of(CrawlUrl.of("http://a.test/own.xml")))));
    pages.put("/", Html.page("root"));
    pages.put("/own.xml", urlset("http://a.test/p"));
    pages.put("/p", Html.page("p"));
    crawl("http://a.test/");
    assertThat(fleet.fetched.stream().map(CrawlUrl::pathAndQuery))
        .containsExactlyInAnyOrder("/", "/own.xml", "/p");
  }

  @Test
  void work_indexesThatListThemselvesAndEachOther_areReadOnce_p68() {
    robotsSay(
        robots(
            "Sitemap: http://a.test/robots.txt",
            "Sitemap: http://a.test/a.xml",
            "Sitemap: http://a.test/a.xml"));
    pages.put("/", Html.page("root"));
    pages.put("/robots.txt", "Sitemap: http://a.test/robots.txt");
    pages.put("/a.xml", index("http://a.test/a.xml", "http://a.test/b.xml"));
    pages.put("/b.xml", index("http://a.test/a.xml", "http://a.test/c.xml"));
    pages.put("/c.xml", urlset("http://a.test/p"));
    pages.put("/p", Html.page("p"));
    crawl("http://a.test/");
    assertThat(fleet.fetched).doesNotHaveDuplicates();
    assertThat(page("/p").state()).isEqualTo(PageState.DONE);
  }

  @Test
  void work_indexTenLevelsDeep_isReadToTheThird_p68() {
    robotsSay("Sitemap: http://a.test/0.xml");
    pages.put("/", Html.page("root"));
    for (int i = 0; i < 10; i++) {
      pages.put("/" + i + ".xml", index("http://a.test/" + (i + 1) + ".xml"));
    }
    crawl("http://a.test/");
    assertThat(fleet.fetched.stream().map(CrawlUrl::pathAndQuery))
        .containsExactlyInAnyOrder("/", "/0.xml", "/1.xml", "/2.xml", "/3.xml");
    assertThat(page("/3.xml").reason()).contains("3 indexes lie above it");
  }

  @Test
  void work_sitemapIsAnHtmlPage_isSkippedAndSaysSo() {
    robotsSay("Sitemap: http://a.test/map.xml");
    pages.put("/", Html.page("root"));
    pages.put("/map.xml", "<!doctype html><title>Not found</title><p>Sorry");
    crawl("http://a.test/");
    assertThat(page("/map.xml").state()).isEqualTo(PageState.SKIPPED);
    assertThat(page("/map.xml").reason()).startsWith("sitemap: neither a sitemap nor a feed");
    assertThat(records()).hasSize(1);
  }
}
