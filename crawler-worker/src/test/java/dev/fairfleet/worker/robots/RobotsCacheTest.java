package dev.fairfleet.worker.robots;

import static dev.fairfleet.worker.fetch.TestWeb.page;
import static dev.fairfleet.worker.fetch.TestWeb.status;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.memory.InMemoryRobotsStore;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.robots.Origin;
import dev.fairfleet.robots.RobotsAnswer;
import dev.fairfleet.robots.RobotsAnswer.Allowed;
import dev.fairfleet.robots.RobotsAnswer.Barred;
import dev.fairfleet.robots.RobotsAnswer.Unreachable;
import dev.fairfleet.robots.RobotsFile;
import dev.fairfleet.robots.RobotsNote;
import dev.fairfleet.robots.RobotsPolicy;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.robots.RobotsStore;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.AddressGuard;
import dev.fairfleet.worker.fetch.Body;
import dev.fairfleet.worker.fetch.ContentType;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchLimits;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.HttpPageFetcher;
import dev.fairfleet.worker.fetch.PageFetcher;
import dev.fairfleet.worker.fetch.SystemHostResolver;
import dev.fairfleet.worker.fetch.TestWeb;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RobotsCacheTest {
  private static final RobotsAnswer ALLOWED = new Allowed();
  private static final RobotsPolicy POLICY = RobotsPolicy.DEFAULT;
  private static final Duration RETRY = POLICY.retry();

  /** What a server that asks for less, and does not say for how long, is given at least. */
  private static final Duration RESTS = PolitenessPolicy.FIRST_COOL_DOWN;

  private static final Duration MILLI = Duration.ofMillis(1);
  private static final RobotsAnswer BARRED = new Barred("Disallow: /x (line 2)");
  private static final String BARS_X = "User-agent: *\nDisallow: /x";
  private static final RobotsCache.Patience LONG =
      new RobotsCache.Patience(Duration.ofMinutes(5), Duration.ofMillis(5));
  private static final RobotsCache.Patience NONE =
      new RobotsCache.Patience(Duration.ZERO, Duration.ofMillis(5));

  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
  private final InMemoryRobotsStore store = new InMemoryRobotsStore(clock);
  private final TestWeb web = new TestWeb();
  private final HttpPageFetcher fetcher =
      new HttpPageFetcher(
          "ourbot/1",
          FetchLimits.PAGE,
          new SystemHostResolver(),
          new AddressGuard(true),
          InstantSource.system());
  private final RobotsCache robots = worker();

  @AfterEach
  void close() {
    fetcher.close();
    web.close();
  }

  private RobotsCache worker() {
    return new RobotsCache(fetcher.forRobots(), store, "ourbot/1", POLICY, clock, LONG);
  }

  private RobotsCache worker(
      PageFetcher fetcher, RobotsStore store, RobotsCache.Patience patience) {
    return new RobotsCache(fetcher, store, "ourbot/1", POLICY, clock, patience);
  }

  // What an answer means

  @Test
  void check_unavailableThenBack_waitsThenObeys_p02() {
    web.on("/robots.txt", status(503, "Content-Type: text/html"));
    assertThat(check("/x"))
        .isEqualTo(new Unreachable("robots.txt was answered with status 503", RESTS));

    web.on("/robots.txt", text(BARS_X));
    clock.advance(RESTS.minus(MILLI));
    assertThat(check("/x"))
        .isEqualTo(new Unreachable("robots.txt was answered with status 503", MILLI));
    clock.advance(MILLI);
    assertThat(check("/x")).isEqualTo(BARRED);
    assertThat(check("/y")).isEqualTo(ALLOWED);
    assertThat(web.requests()).hasSize(2);
  }

  @Test
  void check_connectionReset_waits_p03() {
    web.on(
        "/robots.txt",
        (request, out) -> {
          throw new IOException("reset");
        });

    assertThat(check("/"))
        .isInstanceOfSatisfying(
            Unreachable.class,
            answer -> assertThat(answer.reason()).startsWith("robots.txt is unreachable: "));
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 501, 502, 503, 504, 599, 429})
  void check_serverInTrouble_waitsAndDoublesUpToTheMost_p02(int status) {
    web.on("/robots.txt", status(status));
    Duration least = Set.of(429, 503).contains(status) ? RESTS : RETRY;
    Duration wait = RETRY;
    for (int failures = 1; failures <= 10; failures++) {
      Duration expected = wait.compareTo(least) > 0 ? wait : least;
      assertThat(check("/"))
          .isInstanceOfSatisfying(
              Unreachable.class,
              answer -> {
                assertThat(answer.reason()).contains("status " + status);
                assertThat(answer.retryAfter()).isEqualTo(expected);
              });
      clock.advance(expected);
      Duration twice = wait.multipliedBy(2);
      wait = twice.compareTo(POLICY.retryMost()) < 0 ? twice : POLICY.retryMost();
    }
    assertThat(wait).isEqualTo(POLICY.retryMost());
    assertThat(web.requests()).hasSize(10);
  }

  @Test
  void check_429_waitsAsLongAsAsked_p04() {
    web.on("/robots.txt", status(429, "Retry-After: 120"));
    assertThat(check("/"))
        .isEqualTo(
            new Unreachable("robots.txt was answered with status 429", Duration.ofMinutes(2)));

    web.on("/robots.txt", status(404));
    clock.advance(Duration.ofSeconds(119));
    assertThat(check("/")).isInstanceOf(Unreachable.class);
    clock.advance(Duration.ofSeconds(1));
    assertThat(check("/")).isEqualTo(ALLOWED);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 408, 410, 418, 425, 428, 451, 499})
  void check_other4xx_isFree(int status) {
    web.on("/robots.txt", status(status));

    assertThat(check("/x")).isEqualTo(ALLOWED);
    clock.advance(POLICY.fresh().minus(MILLI));
    assertThat(check("/x")).isEqualTo(ALLOWED);
    assertThat(web.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"200 OK", "203 Non-Authoritative", "206 Partial Content"})
  void check_2xx_isParsed(String line) {
    web.on(
        "/robots.txt",
        (request, out) ->
            out.write(
                ("HTTP/1.1 "
                        + line
                        + "\r\nContent-Length: "
                        + (BARS_X.length() + 1)
                        + "\r\n\r\n"
                        + BARS_X
                        + "\n")
                    .getBytes(UTF_8)));

    assertThat(check("/x")).isEqualTo(BARRED);
  }

  @Test
  void check_fiveRedirects_areFollowed() {
    redirects(5);
    web.on("/r5", text(BARS_X));

    assertThat(check("/x")).isEqualTo(BARRED);
    assertThat(web.requests()).hasSize(6);
  }

  @Test
  void check_sixRedirects_countAsNoFile() {
    redirects(6);
    web.on("/r6", text(BARS_X));

    assertThat(check("/x")).isEqualTo(ALLOWED);
    assertThat(web.requests()).hasSize(6);
  }

  @Test
  void check_redirectToAnotherHost_rulesAreOfTheFirst() {
    web.on("/robots.txt", status(301, "Location: http://b.localhost:" + web.port() + "/rules"));
    web.on("/rules", text(BARS_X));
    List<CrawlUrl> asked = new ArrayList<>();

    assertThat(robots.rulesFor(web.url("/"), asked::add).check(web.url("/x"))).isEqualTo(BARRED);
    assertThat(asked)
        .containsExactly(
            web.url("/robots.txt"), CrawlUrl.of("http://b.localhost:" + web.port() + "/rules"));
    assertThat(robots.known(CrawlUrl.of("http://b.localhost:" + web.port() + "/"))).isEmpty();
  }

  @Test
  void check_redirectToPrivateAddress_barsAndNeverConnects_p41() {
    web.on("/robots.txt", status(302, "Location: http://169.254.169.254/"));

    assertThat(check("/"))
        .isInstanceOfSatisfying(
            Barred.class,
            barred ->
                assertThat(barred.rule())
                    .startsWith("http://169.254.169.254/ may not be read: address"));
    clock.advance(POLICY.retryMost());
    check("/");
    assertThat(web.requests()).hasSize(2);
  }

  @Test
  void check_304ToAnUnconditionalRequest_waits() {
    web.on("/robots.txt", status(304));

    assertThat(check("/"))
        .isEqualTo(
            new Unreachable("robots.txt is unreachable: 304 to an unconditional request", RETRY));
  }

  @Test
  void check_longDelay_isTold_p11() {
    web.on("/robots.txt", text("User-agent: *\nCrawl-delay: 301"));
    assertThat(robots.crawlDelay(web.url("/"))).isZero();

    assertThat(check("/")).isEqualTo(ALLOWED);
    assertThat(robots.crawlDelay(web.url("/"))).isEqualTo(Duration.ofSeconds(301));
    // Also while it is asked for again.
    clock.advance(POLICY.fresh());
    assertThat(robots.known(web.url("/"))).isEmpty();
    assertThat(robots.crawlDelay(web.url("/"))).isEqualTo(Duration.ofSeconds(301));

    web.on("/robots.txt", status(404));
    check("/");
    assertThat(robots.crawlDelay(web.url("/"))).isZero();
  }

  @Test
  void check_delayTooLong_isBarredWithTheLine_p11() {
    web.on("/robots.txt", text("User-agent: *\nCrawl-delay: 1000000000"));

    assertThat(check("/"))
        .isEqualTo(
            new Barred(
                "Crawl-delay: 1000000000 (line 2) is longer than 1 h, the longest this fleet"
                    + " waits"));
  }

  @Test
  void check_largeFileBehindRedirect_isCutNotRefused_p18() {
    String comments = "# a comment of thirty-four bytes.\n".repeat(400 * 1024 / 34);
    web.on("/robots.txt", status(302, "Location: /big.txt"));
    web.on(
        "/big.txt",
        text("User-agent: *\n" + comments + "Disallow: /x\n" + comments + "Disallow: /y\n"));

    assertThat(check("/x")).isInstanceOf(Barred.class);
    assertThat(check("/y")).isEqualTo(ALLOWED);
  }

  /** P18, P52: half of {@code Allow: /public} would allow everything. */
  @Test
  void check_bodyCutInALine_dropsThatLine_p18() {
    RobotsCache cache =
        worker(
            (url, validators) -> body("User-agent: *\nDisallow: /\nAllow: /", true), store, LONG);

    assertThat(cache.check(web.url("/x"))).isEqualTo(new Barred("Disallow: / (line 2)"));
  }

  // How long it is believed

  @Test
  void check_fresh_isNotAskedForAgain_p14() {
    check("/");
    clock.advance(POLICY.fresh().minus(MILLI));
    check("/");
    assertThat(web.requests()).hasSize(1);

    clock.advance(MILLI);
    check("/");
    assertThat(web.requests()).hasSize(2);
  }

  @Test
  void check_failsLater_isBelievedForADay() {
    web.on("/robots.txt", text(BARS_X));
    check("/");
    web.on("/robots.txt", status(503));

    clock.advance(POLICY.fresh());
    assertThat(check("/x")).isEqualTo(BARRED);
    assertThat(check("/y")).isEqualTo(ALLOWED);
    assertThat(web.requests()).hasSize(2);

    clock.advance(RobotsPolicy.BELIEVED.minus(POLICY.fresh()).minus(MILLI));
    assertThat(check("/y")).isEqualTo(ALLOWED);
    clock.advance(MILLI);
    assertThat(check("/y"))
        .isInstanceOfSatisfying(
            Unreachable.class, answer -> assertThat(answer.retryAfter()).isPositive());

    web.on("/robots.txt", text("User-agent: *\nDisallow: /y"));
    clock.advance(POLICY.retryMost());
    assertThat(check("/y")).isInstanceOf(Barred.class);
    assertThat(check("/x")).isEqualTo(ALLOWED);
  }

  @Test
  void check_unchanged_isConfirmed() {
    web.on(
        "/robots.txt",
        (request, out) -> {
          if ("\"v1\"".equals(request.headers().get("if-none-match"))) {
            out.write("HTTP/1.1 304 Not Modified\r\n\r\n".getBytes(UTF_8));
          } else {
            page("text/plain", BARS_X.getBytes(UTF_8), "ETag: \"v1\"").answer(request, out);
          }
        });
    check("/");
    for (int day = 1; day <= 3; day++) {
      clock.advance(RobotsPolicy.BELIEVED);
      assertThat(check("/x")).isEqualTo(BARRED);
    }
    assertThat(web.requests()).hasSize(4);
  }

  /** The validators are those of another URL than the one that is asked first. */
  @Test
  void check_redirected_isAskedForUnconditionally() {
    web.on("/robots.txt", status(302, "Location: /rules"));
    web.on("/rules", page("text/plain", BARS_X.getBytes(UTF_8), "ETag: \"v1\""));
    check("/");
    clock.advance(POLICY.fresh());
    check("/");

    assertThat(web.requests()).hasSize(4);
    assertThat(web.requests()).noneMatch(request -> request.headers().containsKey("if-none-match"));
  }

  @Test
  void check_otherHost_hasItsOwnFile() {
    check("/");
    robots.check(CrawlUrl.of("http://b.localhost:" + web.port() + "/"));

    assertThat(web.requests().stream().map(request -> request.headers().get("host")))
        .containsExactly("a.localhost:" + web.port(), "b.localhost:" + web.port());
  }

  // One at a time

  @Test
  void check_fourWorkersAndManyUrls_askOnce_p14() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    web.on("/robots.txt", whenOpen(asked, answer, status(404)));
    List<RobotsCache> workers = List.of(worker(), worker(), worker(), worker());

    List<Future<RobotsAnswer>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 200; i++) {
        RobotsCache worker = workers.get(i % workers.size());
        String path = "/" + i;
        answers.add(threads.submit(() -> worker.check(web.url(path))));
      }
      asked.await();
      answer.countDown();
      for (Future<RobotsAnswer> one : answers) {
        assertThat(one.get()).isEqualTo(ALLOWED);
      }
    }
    assertThat(web.targets()).containsExactly("/robots.txt");
  }

  @Test
  void check_anotherWorkerAsksForLong_comesAgainInAMoment() {
    assertThat(store.begin(Origin.of(web.url("/")), Duration.ofMinutes(2))).isPresent();

    assertThat(worker(fetcher.forRobots(), store, NONE).check(web.url("/")))
        .isEqualTo(
            new Unreachable(
                "robots.txt is being asked for by another worker", Duration.ofSeconds(5)));
    assertThat(web.requests()).isEmpty();
  }

  @Test
  void check_anotherWorkerDied_asksWhenItsTurnEnds() {
    assertThat(store.begin(Origin.of(web.url("/")), Duration.ofMinutes(2))).isPresent();
    clock.advance(Duration.ofMinutes(2));

    assertThat(check("/")).isEqualTo(ALLOWED);
  }

  @Test
  void check_anotherWorkerAsksAgain_believesTheOldRules() {
    web.on("/robots.txt", text(BARS_X));
    check("/");
    clock.advance(POLICY.fresh());
    assertThat(store.begin(Origin.of(web.url("/")), Duration.ofMinutes(2))).isPresent();

    assertThat(check("/x")).isEqualTo(BARRED);
    assertThat(check("/y")).isEqualTo(ALLOWED);
    assertThat(web.requests()).hasSize(1);
  }

  @Test
  void check_anotherThreadAsksAgain_believesTheOldRules() throws Exception {
    web.on("/robots.txt", text(BARS_X));
    check("/");
    clock.advance(POLICY.fresh());
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    web.on("/robots.txt", whenOpen(asked, answer, status(404)));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RobotsAnswer> first = threads.submit(() -> check("/x"));
      asked.await();
      assertThat(robots.known(web.url("/")).orElseThrow().check(web.url("/x"))).isEqualTo(BARRED);
      assertThat(check("/x")).isEqualTo(BARRED);
      answer.countDown();
      assertThat(first.get()).isEqualTo(ALLOWED);
    }
    assertThat(check("/x")).isEqualTo(ALLOWED);
  }

  @Test
  void check_anotherThreadAsksForLong_comesAgainInAMoment() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    web.on("/robots.txt", whenOpen(asked, answer, status(404)));
    RobotsCache hasty = worker(fetcher.forRobots(), store, NONE);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RobotsAnswer> first = threads.submit(() -> hasty.check(web.url("/")));
      asked.await();
      assertThat(hasty.check(web.url("/")))
          .isEqualTo(new Unreachable("robots.txt is being asked for", Duration.ofSeconds(5)));
      answer.countDown();
      assertThat(first.get()).isEqualTo(ALLOWED);
    }
  }

  @Test
  void rulesFor_turnIsLost_othersComeAgainInAMomentAndNothingIsKept() throws Exception {
    CountDownLatch waiting = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<RobotsRules> first =
          threads.submit(
              () ->
                  robots.rulesFor(
                      web.url("/"),
                      url -> {
                        waiting.countDown();
                        awaitOpen(lost);
                        throw new IllegalStateException("turn lost");
                      }));
      waiting.await();
      Future<RobotsAnswer> other = threads.submit(() -> check("/"));
      lost.countDown();
      assertThatThrownBy(first::get).hasMessageContaining("turn lost");
      // It waited for the first, or came after it.
      assertThat(other.get())
          .isIn(
              ALLOWED,
              new Unreachable("robots.txt could not be asked for just now", Duration.ofSeconds(5)));
    }
    assertThat(check("/")).isEqualTo(ALLOWED);
  }

  @Test
  void check_fetcherThrows_isNotKept() {
    AtomicBoolean broken = new AtomicBoolean(true);
    RobotsCache cache =
        worker(
            (request, beforeRequest) -> {
              if (broken.get()) {
                throw new IllegalStateException("boom");
              }
              return fetcher.fetch(request, beforeRequest);
            },
            store,
            LONG);

    assertThatThrownBy(() -> cache.check(web.url("/"))).hasMessage("boom");
    broken.set(false);
    assertThat(cache.check(web.url("/"))).isEqualTo(ALLOWED);
  }

  @Test
  void check_workerStops_saysNothingAboutTheServer() {
    RobotsCache stopping =
        worker(
            (url, validators) ->
                new FetchOutcome.Failed(0, FailureKind.ABORTED, "interrupted", Duration.ZERO),
            store,
            LONG);

    assertThat(stopping.check(web.url("/")))
        .isEqualTo(new Unreachable("interrupted", Duration.ZERO));
    assertThat(store.find(Origin.of(web.url("/")))).isEqualTo(RobotsNote.UNKNOWN);
    assertThat(check("/")).isEqualTo(ALLOWED);
  }

  // The store

  /** Field report P101: no crash, and no free pass. */
  @Test
  void check_storeIsAway_waitsAndAsksNobody_p101() {
    AtomicBoolean away = new AtomicBoolean(true);
    RobotsCache cache = worker(fetcher.forRobots(), failingWhile(away, new AtomicInteger()), LONG);

    assertThat(cache.check(web.url("/")))
        .isEqualTo(
            new Unreachable("what the fleet knows of it is away: connection refused", RETRY));
    assertThat(web.requests()).isEmpty();

    away.set(false);
    assertThat(cache.check(web.url("/"))).isEqualTo(ALLOWED);
    away.set(true);
    assertThat(cache.check(web.url("/"))).as("at hand").isEqualTo(ALLOWED);
  }

  @Test
  void check_known_asksTheStoreOnce() {
    AtomicInteger finds = new AtomicInteger();
    web.on("/robots.txt", text(BARS_X));
    check("/");
    RobotsCache other = worker(fetcher.forRobots(), failingWhile(new AtomicBoolean(), finds), LONG);
    for (int i = 0; i < 10; i++) {
      assertThat(other.check(web.url("/x"))).isEqualTo(BARRED);
    }

    assertThat(finds).hasValue(1);
    assertThat(web.requests()).hasSize(1);
  }

  @Test
  void allowAll_asksNobody() {
    assertThat(Robots.ALLOW_ALL.check(web.url("/"))).isEqualTo(ALLOWED);
    assertThat(Robots.ALLOW_ALL.crawlDelay(web.url("/"))).isZero();
    assertThat(web.connections()).isZero();
  }

  private RobotsAnswer check(String path) {
    return robots.check(web.url(path));
  }

  private RobotsStore failingWhile(AtomicBoolean away, AtomicInteger finds) {
    return new RobotsStore() {
      private RobotsStore store() {
        if (away.get()) {
          throw new IllegalStateException("connection refused");
        }
        return store;
      }

      @Override
      public RobotsNote find(Origin origin) {
        finds.incrementAndGet();
        return store().find(origin);
      }

      @Override
      public OptionalLong begin(Origin origin, Duration lease) {
        return store().begin(origin, lease);
      }

      @Override
      public void had(Origin origin, long turn, RobotsFile file, Duration askAgainIn) {
        store().had(origin, turn, file, askAgainIn);
      }

      @Override
      public void failed(Origin origin, long turn, String why, Duration askAgainIn) {
        store().failed(origin, turn, why, askAgainIn);
      }

      @Override
      public void gaveUp(Origin origin, long turn) {
        store().gaveUp(origin, turn);
      }
    };
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TestWeb.Route whenOpen(
      CountDownLatch asked, CountDownLatch answer, TestWeb.Route route) {
    return (request, out) -> {
      asked.countDown();
      awaitOpen(answer);
      route.answer(request, out);
    };
  }

  private void redirects(int count) {
    web.on("/robots.txt", status(301, "Location: /r1"));
    for (int i = 1; i < count; i++) {
      web.on("/r" + i, status(307, "Location: /r" + (i + 1)));
    }
  }

  private static TestWeb.Route text(String text) {
    return page("text/plain", text.getBytes(UTF_8));
  }

  private static FetchOutcome body(String text, boolean truncated) {
    return new FetchOutcome.Fetched(
        200,
        CrawlUrl.of("http://a.test/robots.txt"),
        new Body(text.getBytes(UTF_8)),
        ContentType.parse("text/plain"),
        Validators.NONE,
        truncated,
        Duration.ZERO);
  }
}
