package dev.fairfleet.scope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.TrapLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.url.IgnoredParameters;
import dev.fairfleet.url.UrlPattern;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScopePolicyTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final Set<HostKey> HOSTS =
      Set.of(new HostKey("a.test", 80), new HostKey("www.a.test", 443));
  private static final Site SITE = site(new Scope(HOSTS));

  private final ScopePolicy policy = new ScopePolicy();

  private static Site site(Scope scope) {
    return new Site(
        new SiteId("a"),
        List.of(CrawlUrl.of("http://a.test/start")),
        scope,
        new SiteLimits(60, Duration.ZERO, 2, SiteLimits.UNLIMITED, new TrapLimits(100, 3, 8, 2, 2)),
        ExtractionRules.DEFAULT);
  }

  private static Site patterned(List<String> include, List<String> exclude) {
    return site(
        new Scope(HOSTS, false, patterns(include), patterns(exclude), IgnoredParameters.DEFAULT));
  }

  private static List<UrlPattern> patterns(List<String> texts) {
    return texts.stream().map(UrlPattern::new).toList();
  }

  private ScopeDecision decide(String url) {
    return decide(SITE, url);
  }

  private ScopeDecision decide(Site site, String url) {
    return policy.decide(site, CrawlUrl.of(url), new CrawlDepth(1), NOW);
  }

  private static ScopeDecision refused(String rule) {
    return new ScopeDecision.Refused(rule);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://a.test/x", "http://A.TEST./x", "https://www.a.test/"})
  void decide_hostOfSite_isAdmitted(String url) {
    assertThat(decide(url)).isEqualTo(ScopeDecision.ADMITTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://b.test/",
        "http://b.a.test/",
        "http://a.test.b.test/",
        "http://a.test:8080/",
        "https://a.test/",
        "http://www.a.test/"
      })
  void decide_otherHostOrPort_isRefused(String text) {
    assertThat(decide(text))
        .isEqualTo(
            refused("host: " + CrawlUrl.of(text).hostKey() + " is none of the site's hosts"));
  }

  @Test
  void decide_include_admitsMatchesAndThePathsOfRoots() {
    Site site = patterned(List.of("/shop/", "*.pdf$"), List.of());

    assertThat(decide(site, "http://a.test/shop/1")).isEqualTo(ScopeDecision.ADMITTED);
    assertThat(decide(site, "http://a.test/x.pdf")).isEqualTo(ScopeDecision.ADMITTED);
    // The root may redirect to its other host.
    assertThat(decide(site, "https://www.a.test/start")).isEqualTo(ScopeDecision.ADMITTED);
    assertThat(decide(site, "http://a.test/shop"))
        .isEqualTo(
            refused("include: it matches none of the site's patterns, the first of 2 /shop/"));
  }

  @Test
  void decide_exclude_isStrongerThanIncludeAndRoot() {
    Site site = patterned(List.of("/shop/"), List.of("*?*sort=", "/start"));

    assertThat(decide(site, "http://a.test/shop/?page=2")).isEqualTo(ScopeDecision.ADMITTED);
    assertThat(decide(site, "http://a.test/shop/?page=2&sort=asc"))
        .isEqualTo(refused("exclude: it matches the site's pattern *?*sort="));
    assertThat(decide(site, "http://a.test/start"))
        .isEqualTo(refused("exclude: it matches the site's pattern /start"));
  }

  @Test
  void decide_deepestAndOneMore_decidesAtLimit() {
    CrawlUrl url = CrawlUrl.of("http://a.test/x");

    assertThat(policy.decide(SITE, url, new CrawlDepth(2), NOW)).isEqualTo(ScopeDecision.ADMITTED);
    assertThat(policy.decide(SITE, url, new CrawlDepth(3), NOW))
        .isEqualTo(refused("depth: 3 is beyond the site's limit of 2"));
  }

  @Test
  void decide_longestAndOneMore_decidesAtLimit() {
    String longest = "http://a.test/" + "x".repeat(86);

    assertThat(decide(longest)).isEqualTo(ScopeDecision.ADMITTED);
    assertThat(decide(longest + "x"))
        .isEqualTo(refused("url length: 101 characters, at most 100 are allowed"));
  }

  @Test
  void decide_mostParametersAndOneMore_decidesAtLimit() {
    assertThat(decide("http://a.test/?a&b=1&c")).isEqualTo(ScopeDecision.ADMITTED);
    assertThat(decide("http://a.test/?a&b=1&c&d"))
        .isEqualTo(refused("query parameters: 4, at most 3 are allowed"));
  }

  @Test
  void decide_mostSegmentsAndOneMore_decidesAtLimit() {
    assertThat(decide("http://a.test/1/2/3/4/5/6/7/8/")).isEqualTo(ScopeDecision.ADMITTED);
    assertThat(decide("http://a.test/1/2/3/4/5/6/7/8/9"))
        .isEqualTo(refused("path segments: 9, at most 8 are allowed"));
  }

  @Test
  void decide_repeatedSegment_decidesAtLimit_P34() {
    assertThat(decide("http://a.test/e/1/www.b.test/x/www.b.test"))
        .isEqualTo(ScopeDecision.ADMITTED);
    assertThat(decide("http://a.test/e/www.b.test/1/www.b.test/www.b.test/x"))
        .isEqualTo(
            refused(
                "repeated path segments: \"www.b.test\" stands 3 times, at most 2 are allowed"));
  }

  /** P34: the walk itself. A page at every level has the same link without its protocol. */
  @Test
  void decide_linkWithoutProtocolOnEveryPage_stopsAfterAFewLevels_P34() {
    CrawlUrl page = CrawlUrl.of("http://a.test/e/1/x");
    int levels = 0;
    while (decide(page.toString()) instanceof ScopeDecision.Admitted && levels < 100) {
      page = page.resolve("www.b.test/x").orElseThrow();
      levels++;
    }
    assertThat(levels).isEqualTo(3);
  }

  @Test
  void decide_repeatedSequence_isRefusedEarlier_P34() {
    assertThat(decide("http://a.test/a/b/c/a")).isEqualTo(ScopeDecision.ADMITTED);
    assertThat(decide("http://a.test/x/a/b/a/b"))
        .isEqualTo(
            refused(
                "repeated path segments: \"a/b\" stands 2 times in a row, at most 1 are allowed"));
  }

  @ParameterizedTest(name = "P35: {0}")
  @ValueSource(
      strings = {
        "/cal?y=2029",
        "/cal?Year=2029",
        "/cal?year=7749",
        "/cal?year=12029",
        "/x?startDate=2029-01-01",
        "/x?start_date=01.02.2029",
        "/x?date=1%2F2%2F2029",
        "/x?date=20290101",
        "/x?month=202901",
        "/x?m=2029-01",
        "/x?tribe-bar-date=2029-05-01T10:00",
        "/calendar/2029/",
        "/calendar/2029/1/2",
        "/calendar/9999",
        "/events/2029/01/",
        "/events/2029-01",
        "/2029-01-31/x",
        "/x/2128/12"
      })
  void decide_farFutureInADate_isRefused_P35(String path) {
    assertThat(decide("http://a.test" + path))
        .isInstanceOfSatisfying(
            ScopeDecision.Refused.class,
            refusal ->
                assertThat(refusal.rule())
                    .matches("calendar: year [0-9]+, at most 2028 is allowed"));
  }

  @ParameterizedTest(name = "P35: {0}")
  @ValueSource(
      strings = {
        "/cal?y=2028",
        "/cal?year=1999",
        "/calendar/2028/12/31",
        "/events/2028/01/",
        "/2028-12-31",
        "/product/4711",
        "/product/2050",
        "/product/4711-08",
        "/product/2050/13",
        "/x/2129/12",
        "/x?id=9999",
        "/x?price=2999",
        "/x?sku=4711-08",
        "/x?x=100&y=5000",
        "/x?yield=2050",
        "/x?update=2050",
        "/x?mydate2=7",
        "/x?date=1767225600",
        "/x?year=",
        "/x?year",
        "/x?q=2050"
      })
  void decide_nearYearOrOrdinaryNumber_isAdmitted_P35(String path) {
    assertThat(decide("http://a.test" + path)).isEqualTo(ScopeDecision.ADMITTED);
  }

  /** P35: the walk itself ends, whichever form the link to next year has. */
  @ParameterizedTest
  @ValueSource(strings = {"/cal?y=%d", "/cal?year=%d", "/%d/05/", "/e/%d-05", "/calendar/%d"})
  void decide_linkToNextYearOnEveryPage_ends_P35(String form) {
    long admitted =
        Stream.iterate(2026, year -> year + 1)
            .limit(100)
            .map(year -> decide("http://a.test" + String.format(form, year)))
            .takeWhile(ScopeDecision.ADMITTED::equals)
            .count();
    assertThat(admitted).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({"2026-12-31T23:59:59Z, false", "2027-01-01T00:00:00Z, true"})
  void decide_year_isCountedInUtc(Instant now, boolean admitted) {
    ScopeDecision decision =
        policy.decide(SITE, CrawlUrl.of("http://a.test/?year=2029"), new CrawlDepth(1), now);

    assertThat(decision instanceof ScopeDecision.Admitted).isEqualTo(admitted);
  }
}
