package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.CrashWorld.Kill;
import dev.fairfleet.worker.CrashWorld.Moment;
import dev.fairfleet.worker.config.SchedulingPolicy;
import dev.fairfleet.worker.fetch.AddressGuard;
import dev.fairfleet.worker.fetch.FetchLimits;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.HttpPageFetcher;
import dev.fairfleet.worker.fetch.PageFetcher;
import dev.fairfleet.worker.fetch.SystemHostResolver;
import dev.fairfleet.worker.fetch.TestWeb;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker dies before or after any one of its calls to a store or queue; the next one must end the
 * crawl as if nothing had happened, at the price of one repeated request.
 */
final class PageWorkCrashTest {
  private static final CrawlUrl ROOT = CrawlUrl.of("http://shop.test/");
  private static final Map<String, String> WEB =
      Map.of(
          "/", page("root", "/a", "/b", "/b"),
          "/a", page("a", "/", "/b", "/c"),
          "/b", page("b", "/c"),
          "/c", page("c", "/a"));

  @ParameterizedTest
  @CsvSource({"BEFORE,CLASSIC", "AFTER,CLASSIC", "BEFORE,RESERVED", "AFTER,RESERVED"})
  void work_killedAtAnyCall_endsAsIfNothingHadHappened(Moment moment, SchedulingPolicy policy) {
    int call = 0;
    boolean killed;
    do {
      CrashWorld world = new CrashWorld(new Kill(moment, ++call), policy, ROOT, pagesThatLink());
      world.seed();
      world.drain();
      killed = world.wasKilled();
      String when = policy + " killed " + moment + " call " + call;
      world.assertComplete(when, WEB.keySet(), Set.of("root", "a", "b", "c"));
      world.assertRequests(when, WEB.size(), killed ? 1 : 0);
    } while (killed);
    // Four pages, at least five calls each: fewer would mean that nothing was killed.
    assertThat(call).isGreaterThan(20);
  }

  private static PageFetcher pagesThatLink() {
    return Answers.of(
        (url, validators) -> Html.fetched(url, WEB.getOrDefault(url.pathAndQuery(), "")));
  }

  @ParameterizedTest
  @CsvSource({"BEFORE,CLASSIC", "AFTER,CLASSIC", "BEFORE,RESERVED", "AFTER,RESERVED"})
  void work_killedAnywhereInAChainOfRedirects_endsAsIfNothingHadHappened(
      Moment moment, SchedulingPolicy policy) {
    try (TestWeb web = pagesBehindACookie();
        HttpPageFetcher fetcher =
            new HttpPageFetcher(
                "fairfleet",
                FetchLimits.PAGE,
                new SystemHostResolver(),
                new AddressGuard(true),
                InstantSource.system())) {
      int call = 0;
      boolean killed;
      do {
        CrashWorld world = new CrashWorld(new Kill(moment, ++call), policy, web.url("/"), fetcher);
        world.seed();
        world.drain();
        killed = world.wasKilled();
        String when = policy + " killed " + moment + " call " + call;
        world.assertComplete(when, Set.of("/", "/c", "/check", "/d"), Set.of("root", "c", "d"));
        // The chain has three requests, all of which are repeated if its end is not written.
        world.assertRequests(when, 5, killed ? 3 : 0);
      } while (killed);
      assertThat(call).isGreaterThan(20);
    }
  }

  /** Returns a web whose page /c must be asked with the cookie that /check sets. */
  private static TestWeb pagesBehindACookie() {
    return new TestWeb()
        .on("/", TestWeb.html(page("root", "/c")))
        .on(
            "/c",
            (request, out) ->
                (request.headers().getOrDefault("cookie", "").contains("ok=1")
                        ? TestWeb.html(page("c", "/d"))
                        : TestWeb.status(302, "Location: /check", "Set-Cookie: seen=1"))
                    .answer(request, out))
        .on("/check", TestWeb.status(302, "Location: /c", "Set-Cookie: ok=1"))
        .on("/d", TestWeb.html(page("d")));
  }

  /** What crawls leave behind, and what the next one makes of it, is the same for every moment. */
  @ParameterizedTest
  @EnumSource(Moment.class)
  void recrawl_killedAtAnyCall_endsAsIfNothingHadHappened(Moment moment) {
    CrawlId second = CrawlId.scheduledFor(Instant.EPOCH.plus(Duration.ofDays(1)));
    int call = 0;
    boolean killed;
    do {
      Map<String, String> web = new HashMap<>(WEB);
      CrashWorld world =
          new CrashWorld(new Kill(moment, 0), SchedulingPolicy.RESERVED, ROOT, pagesWithTags(web));
      world.seed();
      world.drainToTheEnd();
      web.put("/a", page("a2", "/b", "/d"));
      web.remove("/c");
      web.put("/d", page("d"));
      world.arm(++call);
      world.seedAgain(second);
      world.drainToTheEnd();
      killed = world.wasKilled();
      String when = "killed " + moment + " call " + call;
      assertThat(world.paths(second, PageState.DONE)).as(when).containsOnly("/", "/a", "/b", "/d");
      assertThat(world.paths(second, PageState.GONE)).as(when).containsOnly("/c");
      assertThat(world.titles(false)).as(when).containsOnly("root", "a2", "b", "d");
      assertThat(world.titles(true)).as(when).containsOnly("c");
      assertThat(world.end())
          .as(when)
          .hasValueSatisfying(
              end ->
                  assertThat(end)
                      .returns(4L, CrawlEnd::done)
                      .returns(1L, CrawlEnd::gone)
                      .returns(1L, CrawlEnd::tombstones)
                      .returns(true, CrawlEnd::complete));
      world.assertRequests(when, 5, killed ? 1 : 0);
    } while (killed);
    assertThat(call).isGreaterThan(40);
  }

  /** Returns a web whose pages have ETags, and answer 404 where they are gone. */
  private static PageFetcher pagesWithTags(Map<String, String> web) {
    return Answers.of(
        (url, validators) -> {
          String text = web.get(url.pathAndQuery());
          if (text == null) {
            return new FetchOutcome.Gone(404, Duration.ofMillis(1));
          }
          return validators.etag().equals(text)
              ? new FetchOutcome.NotModified(validators, Duration.ofMillis(1))
              : Html.fetched(url, text, new Validators(text, ""));
        });
  }

  private static String page(String title, String... links) {
    return Html.page(title, links);
  }
}
