package dev.fairfleet.worker;

import static dev.fairfleet.worker.TestFleet.SITE;
import static dev.fairfleet.worker.fetch.TestWeb.html;
import static dev.fairfleet.worker.fetch.TestWeb.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.config.SchedulingPolicy;
import dev.fairfleet.worker.fetch.AddressGuard;
import dev.fairfleet.worker.fetch.FetchLimits;
import dev.fairfleet.worker.fetch.HttpPageFetcher;
import dev.fairfleet.worker.fetch.SystemHostResolver;
import dev.fairfleet.worker.fetch.TestWeb;
import dev.fairfleet.worker.fetch.TestWeb.Route;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of pages that lead elsewhere, on a real server and with the real fetcher. */
@ParameterizedClass
@EnumSource(SchedulingPolicy.class)
final class RedirectsTest {
  private final TestWeb web = new TestWeb();
  private final TestFleet fleet = new TestFleet();
  private final HttpPageFetcher fetcher =
      new HttpPageFetcher(
          "fairfleet",
          FetchLimits.PAGE,
          new SystemHostResolver(),
          new AddressGuard(true),
          fleet.clock);

  RedirectsTest(SchedulingPolicy policy) {
    fleet.policy = policy;
  }

  @BeforeEach
  void addSite() {
    fleet.fetcher = Optional.of(fetcher);
    fleet.add(SITE, SiteLimits.POLITE, "a.localhost:" + web.port(), "b.localhost:" + web.port());
  }

  @AfterEach
  void stop() {
    fleet.stop();
    fetcher.close();
    web.close();
  }

  private void crawl(String... paths) {
    for (String path : paths) {
      fleet.seed(web.url(path).toString());
    }
    fleet.start();
    fleet.awaitEmptyQueues();
  }

  private Page page(String path) {
    return fleet.page(web.url(path).toString());
  }

  private Map<String, String> titles() {
    Map<String, String> titles = new HashMap<>();
    fleet.records.forEach(
        SITE,
        stored ->
            titles.put(
                stored.record().url().pathAndQuery(), stored.record().fields().get("title")));
    return titles;
  }

  private static Route redirect(String to, String... headers) {
    return status(
        302,
        IntStream.rangeClosed(0, headers.length)
            .mapToObj(i -> i == 0 ? "Location: " + to : headers[i - 1])
            .toArray(String[]::new));
  }

  private static Route ifCookie(String cookie, Route with, Route without) {
    return (request, out) ->
        (request.headers().getOrDefault("cookie", "").contains(cookie) ? with : without)
            .answer(request, out);
  }

  @Test
  void work_pageRedirectsToItselfToSetACookie_isFetchedWithIt_p40() {
    web.on("/c", ifCookie("ok=1", html("<title>in</title>"), redirect("/c", "Set-Cookie: ok=1")));
    crawl("/c");
    assertThat(web.targets()).containsExactly("/c", "/c");
    assertThat(page("/c").state()).isEqualTo(PageState.DONE);
    assertThat(titles()).containsEntry("/c", "in");
  }

  @Test
  void work_cookieIsSetByAnotherPage_comesBackWithIt_p40() {
    web.on("/c", ifCookie("ok=1", html("<title>in</title><a href=/d>d</a>"), redirect("/check")))
        .on("/check", redirect("/c", "Set-Cookie: ok=1"))
        .on("/d", html("<title>d</title>"));
    // The first redirect sets a cookie, too, as most do, so that the chain stays together.
    web.on(
        "/c",
        ifCookie(
            "ok=1",
            html("<title>in</title><a href=/d>d</a>"),
            redirect("/check", "Set-Cookie: seen=1")));
    crawl("/c");
    assertThat(web.targets()).containsExactly("/c", "/check", "/c", "/d");
    assertThat(page("/c").state()).isEqualTo(PageState.DONE);
    assertThat(page("/c").reason()).isEmpty();
    assertThat(page("/check").reason()).isEqualTo("redirect 302 to " + web.url("/c"));
    assertThat(page("/d").parent()).isEqualTo(web.url("/c"));
    assertThat(titles()).containsOnlyKeys("/c", "/d");
  }

  @Test
  void work_eachRedirectSetsANewCookie_endsAtTheLimit_p40() {
    int[] number = new int[1];
    web.on(
        "/wall",
        (request, out) -> redirect("/wall", "Set-Cookie: n=" + ++number[0]).answer(request, out));
    crawl("/wall");
    assertThat(web.targets()).hasSize(1 + PageWork.MOST_REDIRECTS);
    assertThat(page("/wall").state()).isEqualTo(PageState.SKIPPED);
    assertThat(page("/wall").reason()).startsWith("redirects: 10 in a row");
  }

  @Test
  void work_redirectToItselfWithoutNews_isAskedOnce() {
    web.on("/self", redirect("/self#again"));
    crawl("/self");
    assertThat(web.targets()).containsExactly("/self");
    assertThat(page("/self").state()).isEqualTo(PageState.SKIPPED);
    assertThat(page("/self").reason())
        .isEqualTo("redirects: redirect 302 to " + web.url("/self") + ", where it came from");
  }

  @ParameterizedTest
  @CsvSource({"''", "Set-Cookie: visitor=7"})
  void work_manyRedirectsToOnePage_askItOnceAndVanishNowhere_p47(String header) {
    String[] olds = IntStream.range(0, 50).mapToObj(i -> "/old/" + i).toArray(String[]::new);
    for (String old : olds) {
      web.on(old, header.isEmpty() ? redirect("/home") : redirect("/home", header));
    }
    web.on("/home", html("<title>home</title>"));
    crawl(olds);
    assertThat(web.targets()).filteredOn("/home"::equals).hasSize(1);
    assertThat(titles()).isEqualTo(Map.of("/home", "home"));
    for (String old : olds) {
      assertThat(page(old).state()).isEqualTo(PageState.DONE);
      assertThat(page(old).reason()).isEqualTo("redirect 302 to " + web.url("/home"));
    }
  }

  @ParameterizedTest
  @CsvSource({"''", "Set-Cookie: visitor=7"})
  void work_targetIsBarredByRobots_isNotAsked_p16(String header) {
    fleet.robots =
        url ->
            RobotsRules.parse(
                "User-agent: *\nDisallow: /barred/".getBytes(StandardCharsets.UTF_8),
                "fairfleet",
                Duration.ofHours(1));
    web.on("/ok", header.isEmpty() ? redirect("/barred/x") : redirect("/barred/x", header));
    crawl("/ok");
    assertThat(web.targets()).containsExactly("/ok");
    assertThat(page("/ok").reason())
        .startsWith("redirect 302 to " + web.url("/barred/x") + " not followed, robots: Disallow");
    assertThat(page("/barred/x").state()).isEqualTo(PageState.SKIPPED);
    assertThat(page("/barred/x").reason()).startsWith("robots: Disallow: /barred/");
  }

  @ParameterizedTest
  @CsvSource({"'',10", "'',11", "Set-Cookie: v=7,10", "Set-Cookie: v=7,11"})
  void work_chainOfRedirects_isFollowedTenTimes(String header, int length) {
    for (int i = 0; i < length; i++) {
      String next = "/r?n=" + (i + 1);
      web.on("/r?n=" + i, header.isEmpty() ? redirect(next) : redirect(next, header));
    }
    web.on("/r?n=" + length, html("<title>end</title>"));
    crawl("/r?n=0");
    boolean followed = length <= PageWork.MOST_REDIRECTS;
    assertThat(web.targets()).hasSize(1 + PageWork.MOST_REDIRECTS).doesNotHaveDuplicates();
    assertThat(titles().containsKey("/r?n=" + length)).isEqualTo(followed);
    if (!followed) {
      assertThat(page("/r?n=10").state()).isEqualTo(PageState.SKIPPED);
      assertThat(page("/r?n=10").reason()).startsWith("redirects: 10 in a row");
    }
  }

  @Test
  void work_redirectPutsASessionIntoTheUrl_isThePageWithoutIt() {
    web.on("/p", redirect("/p?PHPSESSID=0123456789abcdef"))
        .on("/p?PHPSESSID=0123456789abcdef", html("<title>p</title>"));
    crawl("/p");
    assertThat(page("/p").state()).isEqualTo(PageState.DONE);
    assertThat(titles()).containsOnlyKeys("/p?PHPSESSID=0123456789abcdef");
    assertThat(fleet.pages(SITE, PageState.DONE)).hasSize(1);
  }

  @Test
  void work_pageRefreshesElsewhereAtOnce_isARedirect() {
    web.on("/old", html("<meta http-equiv=refresh content='0; url=/new'><title>wait</title>"))
        .on("/new", html("<title>new</title>"));
    crawl("/old");
    assertThat(titles()).isEqualTo(Map.of("/new", "new"));
    assertThat(page("/old").reason()).isEqualTo("refresh to " + web.url("/new"));
    assertThat(page("/new").hops()).isEqualTo(1);
    assertThat(page("/new").depth()).isEqualTo(page("/old").depth());
  }

  @Test
  void work_pageAfterARedirectWithCookiesFails_isTriedAgainAsAPageOfItsOwn() {
    int[] requests = new int[1];
    web.on("/a", redirect("/b", "Set-Cookie: v=1"))
        .on(
            "/b",
            (request, out) ->
                (++requests[0] == 1 ? status(500) : html("<title>b</title>")).answer(request, out));
    crawl("/a");
    assertThat(page("/a").reason()).isEqualTo("redirect 302 to " + web.url("/b"));
    assertThat(page("/b").state()).isEqualTo(PageState.DONE);
    assertThat(web.targets()).containsExactly("/a", "/b", "/b");
  }

  @Test
  void work_siteAsksForLessAfterARedirectWithCookies_theTargetIsAskedLater() {
    int[] requests = new int[1];
    web.on("/a", redirect("/b", "Set-Cookie: v=1"))
        .on(
            "/b",
            (request, out) ->
                (++requests[0] == 1 ? status(429, "Retry-After: 0") : html("<title>b</title>"))
                    .answer(request, out));
    crawl("/a");
    assertThat(titles()).containsOnlyKeys("/b");
    assertThat(page("/b").attempts()).isZero();
  }

  @Test
  void work_redirectWithCookiesToAnotherHost_sendsThemOnlyWhereTheyBelong() {
    CrawlUrl there = CrawlUrl.of("http://b.localhost:" + web.port() + "/there");
    web.on("/here", redirect(there.toString(), "Set-Cookie: secret=1"))
        .on("/there", html("<title>there</title>"));
    crawl("/here");
    assertThat(web.requests().getLast().headers())
        .containsEntry("host", "b.localhost:" + web.port())
        .doesNotContainKey("cookie");
    assertThat(titles()).containsOnlyKeys("/there");
  }

  @Test
  void work_redirectOutOfTheSite_isNotFollowedAndSaysWhy() {
    web.on("/out", redirect("http://elsewhere.test/"));
    crawl("/out");
    assertThat(page("/out").state()).isEqualTo(PageState.DONE);
    assertThat(page("/out").reason())
        .startsWith("redirect 302 to http://elsewhere.test/ not followed, host: elsewhere.test:80");
    assertThat(fleet.frontier.find(SITE, List.of(CrawlUrl.of("http://elsewhere.test/").hash())))
        .isEmpty();
  }

  @Test
  void work_rootRedirectsToAnotherHost_sitemapsOfThatHostAreRead() {
    String there = "http://b.localhost:" + web.port();
    fleet.robots =
        url ->
            RobotsRules.parse(
                (url.hostKey().host().equals("b.localhost") ? "Sitemap: " + there + "/map" : "")
                    .getBytes(StandardCharsets.UTF_8),
                "fairfleet",
                Duration.ofHours(1));
    web.on("/", redirect(there + "/home"))
        .on("/home", html("<title>home</title>"))
        .on(
            "/map",
            TestWeb.page("text/plain", (there + "/listed").getBytes(StandardCharsets.UTF_8)))
        .on("/listed", html("<title>listed</title>"));
    crawl("/");
    assertThat(titles()).containsOnlyKeys("/home", "/listed");
  }

  @Test
  void work_siteHasAPageLimit_redirectsDoNotCountTwice() {
    fleet.add(SITE, new SiteLimits(3_600, Duration.ZERO, 9, 1), "a.localhost:" + web.port());
    web.on("/", redirect("/home")).on("/home", html("<title>home</title><a href=/x>x</a>"));
    crawl("/");
    assertThat(titles()).containsOnlyKeys("/home");
  }
}
