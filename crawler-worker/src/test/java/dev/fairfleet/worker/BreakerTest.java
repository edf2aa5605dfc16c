package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.memory.InMemorySiteHealth;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.retry.BreakerPolicy;
import dev.fairfleet.retry.SiteHealth;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class BreakerTest {
  private static final SiteId SITE = new SiteId("shop");
  private static final CrawlUrl ROOT = CrawlUrl.of("http://a.test/");
  private static final CrawlUrl ROBOTS = CrawlUrl.of("http://a.test/robots.txt");
  private static final Duration TOOK = Duration.ofMillis(300);
  private static final FetchOutcome REFUSED = failed(0, FailureKind.CONNECT, "connect: refused");

  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
  private final InMemorySiteStore sites = new InMemorySiteStore();
  private final InMemorySiteHealth health = new InMemorySiteHealth(clock);
  private final Meters meters = new Meters();
  private final Breaker breaker = worker(BreakerPolicy.DEFAULT, health);

  private Breaker worker(BreakerPolicy policy, SiteHealth counts) {
    return new Breaker(
        counts,
        policy,
        sites,
        new SiteCache(sites, () -> clock.instant().toEpochMilli() * 1_000_000),
        meters,
        clock);
  }

  private static FetchOutcome failed(int status, FailureKind kind, String reason) {
    return new FetchOutcome.Failed(status, kind, reason, TOOK);
  }

  private static CrawlUrl page(int number) {
    return CrawlUrl.of("http://a.test/" + number);
  }

  @BeforeEach
  void add() {
    sites.put(
        new Site(
            SITE,
            List.of(ROOT),
            new Scope(Set.of(ROOT.hostKey())),
            SiteLimits.POLITE,
            ExtractionRules.DEFAULT));
  }

  private SiteStatus status() {
    return sites.find(SITE).orElseThrow();
  }

  private void assertActive() {
    assertThat(status().state()).isEqualTo(SiteState.ACTIVE);
  }

  private void assertStopped() {
    assertThat(status().state()).isEqualTo(SiteState.STOPPED);
  }

  private void fail(Breaker worker, int from, int to) {
    for (int i = from; i < to; i++) {
      worker.heardOfPage(SITE, page(i), REFUSED);
    }
  }

  @Test
  void heardOfPage_fiveFailures_stopsTheSiteAtTheFifth() {
    fail(breaker, 0, 4);
    assertActive();
    fail(breaker, 4, 5);

    assertStopped();
    assertThat(status().since()).contains(clock.instant());
    assertThat(status().reason())
        .isEqualTo(
            "5 failures in a row, the last one for http://a.test/4: connect: refused."
                + " `fairfleet sites resume shop` starts it again");
  }

  @Test
  void heardOfPage_moreFailuresThanThat_keepsTheFirstReasonAndCountsOneStop() {
    fail(breaker, 0, 9);

    assertThat(status().reason()).contains("http://a.test/4");
    assertThat(meters.drain()).containsEntry(Meter.SITE_STOPPED, 1.0);
  }

  static Stream<FetchOutcome> answers() {
    return Stream.of(
        Html.fetched(ROOT, "<title>x</title>"),
        new FetchOutcome.NotModified(Validators.NONE, TOOK),
        new FetchOutcome.Redirected(301, ROOT, TOOK),
        new FetchOutcome.Gone(404, TOOK),
        new FetchOutcome.Refused(200, "content type: audio/mpeg", TOOK),
        failed(408, FailureKind.STATUS, "status 408"),
        failed(425, FailureKind.STATUS, "status 425"));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void heardOfPage_anAnswerInBetween_endsTheRow(FetchOutcome answer) {
    fail(breaker, 0, 4);
    breaker.heardOfPage(SITE, page(4), answer);
    fail(breaker, 5, 9);
    assertActive();
    fail(breaker, 9, 10);

    assertStopped();
  }

  static Stream<FetchOutcome> neither() {
    return Stream.of(
        new FetchOutcome.Throttled(503, Optional.empty(), TOOK),
        new FetchOutcome.Throttled(429, Optional.of(TOOK), TOOK),
        new FetchOutcome.Refused(0, "address: 10.0.0.1 is private", TOOK),
        failed(0, FailureKind.ABORTED, "interrupted"));
  }

  @ParameterizedTest
  @MethodSource("neither")
  void heardOfPage_whatSaysNothingOfTheSite_neitherCountsNorEndsTheRow(FetchOutcome outcome) {
    fail(breaker, 0, 4);
    breaker.heardOfPage(SITE, page(4), outcome);
    assertActive();
    fail(breaker, 5, 6);

    assertStopped();
  }

  @ParameterizedTest
  @EnumSource(
      value = FailureKind.class,
      names = {"DNS", "CONNECT", "TLS", "TIMEOUT", "BROKEN"})
  void heardOfPage_serverNotReached_counts(FailureKind kind) {
    for (int i = 0; i < 5; i++) {
      breaker.heardOfPage(SITE, page(i), failed(0, kind, "why"));
    }
    assertStopped();
  }

  @Test
  void heardOfPage_status500AndAbove_counts() {
    for (int i = 0; i < 5; i++) {
      breaker.heardOfPage(SITE, page(i), failed(500 + i, FailureKind.STATUS, "status"));
    }
    assertStopped();
  }

  @Test
  void heardOfPage_onePageOfAHealthySite_doesNotStopIt() {
    breaker.heardOfPage(SITE, ROOT, new FetchOutcome.Gone(404, TOOK));
    for (int i = 0; i < 20; i++) {
      breaker.heardOfPage(SITE, page(7), REFUSED);
    }
    assertActive();
  }

  @Test
  void heardOfRobots_ofASiteThatAnsweredBefore_countsEachTime() {
    breaker.heardOfPage(SITE, ROOT, new FetchOutcome.Gone(404, TOOK));
    for (int i = 0; i < 5; i++) {
      assertActive();
      breaker.heardOfRobots(SITE, ROBOTS, REFUSED);
    }
    assertStopped();
  }

  @Test
  void heardOfPage_byTwoWorkers_sharesTheCount() {
    Breaker other = worker(BreakerPolicy.DEFAULT, health);
    fail(breaker, 0, 2);
    fail(other, 2, 4);
    other.heardOfPage(SITE, ROOT, new FetchOutcome.Gone(404, TOOK));
    fail(breaker, 4, 8);
    assertActive();
    fail(other, 8, 9);

    assertStopped();
  }

  @Test
  void heardOfPage_afterAResume_countsAnew() {
    fail(breaker, 0, 5);
    clock.advance(Duration.ofMinutes(1));
    sites.setState(SITE, SiteState.ACTIVE, "mended", clock.instant());

    fail(breaker, 0, 4);
    assertActive();
    fail(breaker, 4, 5);

    assertStopped();
  }

  /** A page that was asked for before the resume may fail after it. */
  @Test
  void heardOfPage_workerThatHasNotHeardOfTheResume_doesNotStopItAgain() {
    Breaker late = worker(BreakerPolicy.DEFAULT, health);
    late.heardOfPage(SITE, page(0), REFUSED);
    fail(breaker, 1, 5);
    assertStopped();
    clock.advance(Duration.ofSeconds(1));
    sites.setState(SITE, SiteState.ACTIVE, "mended", clock.instant());

    late.heardOfPage(SITE, page(5), REFUSED);

    assertActive();
  }

  @Test
  void heardOfPage_policyNever_stopsNone() {
    fail(worker(BreakerPolicy.NEVER, health), 0, 50);

    assertActive();
  }

  @Test
  void heardOfPage_unknownSite_hasNoEffect() {
    for (int i = 0; i < 9; i++) {
      breaker.heardOfPage(new SiteId("other"), page(i), REFUSED);
    }
    assertThat(meters.drain()).isEmpty();
  }

  @Test
  void heardOfPage_countsAway_doesNothingUntilTheyAreBack() {
    boolean[] away = {true};
    SiteHealth shaky =
        new SiteHealth() {
          @Override
          public int failed(SiteId site, Instant since, Optional<UrlHash> page) {
            if (away[0]) {
              throw new IllegalStateException("no connection");
            }
            return health.failed(site, since, page);
          }

          @Override
          public void answered(SiteId site, Instant since) {
            throw new IllegalStateException("no connection");
          }
        };
    Breaker worker = worker(BreakerPolicy.DEFAULT, shaky);
    fail(worker, 0, 9);
    worker.heardOfPage(SITE, ROOT, new FetchOutcome.Gone(404, TOOK));
    assertActive();

    away[0] = false;
    fail(worker, 0, 5);

    assertStopped();
  }

  @Test
  void heardOfPage_longReason_isCut() {
    CrawlUrl far = CrawlUrl.of("http://a.test/" + "x".repeat(1_900));
    for (int i = 0; i < 5; i++) {
      breaker.heardOfPage(SITE, far, REFUSED);
    }
    assertThat(status().reason()).hasSizeLessThan(700).endsWith("starts it again");
  }

  @Test
  void worked_siteStoppedMeanwhile_countsWhatCameAfter() {
    breaker.worked(SITE, Duration.ofSeconds(3));
    assertThat(meters.drain()).isEqualTo(Map.of(Meter.WORK_TIME, 3_000.0));
    fail(breaker, 0, 5);
    meters.drain();
    clock.advance(Duration.ofSeconds(2));

    breaker.worked(SITE, Duration.ofSeconds(3));
    assertThat(meters.drain())
        .isEqualTo(Map.of(Meter.WORK_TIME, 3_000.0, Meter.WORK_TIME_STOPPED, 2_000.0));
    breaker.worked(SITE, Duration.ofSeconds(1));
    assertThat(meters.drain())
        .isEqualTo(Map.of(Meter.WORK_TIME, 1_000.0, Meter.WORK_TIME_STOPPED, 1_000.0));
  }
}
