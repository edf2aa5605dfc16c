package dev.fairfleet.worker;

import static dev.fairfleet.worker.TestFleet.CRAWL;
import static dev.fairfleet.worker.TestFleet.NO_GRACE;
import static dev.fairfleet.worker.TestFleet.ROOT;
import static dev.fairfleet.worker.TestFleet.SITE;
import static dev.fairfleet.worker.TestFleet.failure;
import static dev.fairfleet.worker.TestFleet.waitingFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.memory.InMemoryGate;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.config.SchedulingPolicy;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.robots.Robots;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of a worker whatever its policy. */
@ParameterizedClass
@EnumSource(SchedulingPolicy.class)
final class CrawlLoopTest {
  private final TestFleet fleet = new TestFleet();

  CrawlLoopTest(SchedulingPolicy policy) {
    fleet.policy = policy;
  }

  @AfterEach
  void stop() {
    fleet.stop();
  }

  @Test
  void run_smallWeb_isCrawledToItsEnd() {
    Map<String, String> pages =
        Map.of(
            "http://a.test/",
                Html.page("root", "/1", "/2", "http://b.test/", "http://elsewhere.test/"),
            "http://a.test/1", Html.page("one", "/", "/2"),
            "http://a.test/2", Html.page("two", "/3", "/1"),
            "http://a.test/3", Html.page("three"),
            "http://b.test/", Html.page("other host", "http://a.test/3"));
    fleet.web =
        (url, validators) ->
            Html.fetched(url, Optional.ofNullable(pages.get(url.toString())).orElseThrow());
    fleet.seed("http://a.test/");
    fleet.start();
    fleet.awaitEmptyQueues();

    Map<String, PageState> states = new HashMap<>();
    fleet.frontier.forEachPage(SITE, page -> states.put(page.url().toString(), page.state()));
    assertThat(states.keySet()).isEqualTo(pages.keySet());
    assertThat(states.values()).containsOnly(PageState.DONE);
    assertThat(fleet.fetched).doesNotHaveDuplicates().hasSize(pages.size());
    Set<String> titles = new HashSet<>();
    fleet.records.forEach(
        SITE, stored -> titles.add(stored.record().fields().getOrDefault("title", "none")));
    assertThat(titles).containsExactlyInAnyOrder("root", "one", "two", "three", "other host");
  }

  @Test
  void run_siteHasAPageLimit_takesUpThatManyTheRootIncluded() {
    fleet.add(SITE, new SiteLimits(3_600, Duration.ZERO, 100, 3), "a.test");
    fleet.web =
        (url, validators) ->
            Html.fetched(url, Html.page("x", "/", "/1", "/2", "/3", "/4", "/5", "/6"));
    fleet.seed("http://a.test/");
    fleet.start();
    fleet.awaitEmptyQueues();

    assertThat(fleet.fetched).doesNotHaveDuplicates().hasSize(3).contains(ROOT);
    assertThat(fleet.count(Meter.PAGE_OVER_BUDGET)).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"16, 2, 4", "3, 40, 3", "1, 1, 1"})
  void run_moreTasksThanMayBeFetched_exceedsNoLimit(int slots, int perServer, int atOnce) {
    fleet.slots = slots;
    fleet.perServer = perServer;
    CountDownLatch latch = new CountDownLatch(1);
    Busy busy = new Busy(waitingFor(latch));
    fleet.web = busy;
    fleet.seed(
        IntStream.range(0, 60)
            .mapToObj(i -> "http://" + (i % 2 == 0 ? "a" : "b") + ".test/" + i)
            .toArray(String[]::new));
    TestFleet.Member worker = fleet.start();
    await().until(() -> fleet.fetched.size() == atOnce);
    await().during(Duration.ofMillis(100)).until(() -> fleet.fetched.size() == atOnce);
    latch.countDown();
    fleet.awaitEmptyQueues();

    assertThat(fleet.fetched).hasSize(60).doesNotHaveDuplicates();
    assertThat(busy.most()).isEqualTo(atOnce);
    assertThat(busy.mostOfAHost()).isLessThanOrEqualTo(perServer);
    assertThat(fleet.queue.mostInHand.get()).isBetween(1, worker.places().all());
    worker.stop(Duration.ofSeconds(10));
    assertThat(worker.places().free()).as("given back once").isEqualTo(worker.places().all());
  }

  @Test
  void run_siteIsStopped_taskLeavesTheQueueAndThePageStaysUnfinished() {
    fleet.add(SITE, SiteLimits.POLITE, "a.test");
    fleet.sites.setState(SITE, SiteState.STOPPED, "asked to", fleet.clock.instant());
    fleet.seed("http://a.test/");
    fleet.start();
    fleet.awaitEmptyQueues();
    assertThat(fleet.fetched).isEmpty();
    assertThat(fleet.page("http://a.test/").state()).isEqualTo(PageState.QUEUED);
  }

  @Test
  void run_siteIsUnknown_taskLeavesTheQueueWithoutAFetch() {
    fleet.send(Priority.HIGH, new Task(new SiteId("nobody"), CRAWL, ROOT, CrawlDepth.ROOT, 0));
    fleet.start();
    fleet.awaitEmptyQueues();
    assertThat(fleet.fetched).isEmpty();
    assertThat(fleet.count(Meter.TASK_DROPPED)).isEqualTo(1);
  }

  @Test
  void run_pageIsSettled_taskIsDroppedWithoutAFetch() {
    Task task = fleet.claimed(SITE, "http://a.test/");
    fleet.frontier.settle(
        task,
        Settlement.of(PageState.DONE, "", Optional.empty()),
        new AttemptToken("other"),
        Instant.EPOCH);
    fleet.send(Priority.HIGH, task);
    fleet.start();
    fleet.awaitEmptyQueues();
    assertThat(fleet.fetched).isEmpty();
  }

  @Test
  void run_taskOfAnOlderGeneration_isDroppedAndTheNewerOneWorkedOn() {
    Task older = fleet.claimed(SITE, "http://a.test/");
    Task newer = fleet.frontier.renew(fleet.page("http://a.test/")).orElseThrow();
    fleet.send(Priority.HIGH, older);
    fleet.start();
    fleet.awaitEmptyQueues();
    assertThat(fleet.fetched).isEmpty();
    assertThat(fleet.page("http://a.test/").state()).isEqualTo(PageState.QUEUED);

    fleet.send(Priority.HIGH, newer);
    fleet.awaitState("http://a.test/", PageState.DONE);
  }

  /** Field report P101: a gate that is away for a minute. */
  @Test
  void run_gateIsUnavailable_fetchesNothingAndParksUntilItIsBack() {
    AtomicBoolean away = new AtomicBoolean(true);
    fleet.gateAnswers(
        (site, host, limits) ->
            away.get() ? new Admission.Unavailable("connection refused") : new Admission.Granted());
    fleet.seed("http://a.test/1", "http://a.test/2");
    fleet.start();
    await().until(() -> fleet.queue.releases.size() == 2);
    assertThat(fleet.queue.releases)
        .allSatisfy(
            parked -> assertThat(parked).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1)));
    assertThat(fleet.fetched).isEmpty();
    assertThat(fleet.count(Meter.GATE_UNAVAILABLE)).isEqualTo(2);

    away.set(false);
    fleet.ahead = Duration.ofSeconds(61);
    fleet.awaitEmptyQueues();
    assertThat(fleet.page("http://a.test/2").state()).isEqualTo(PageState.DONE);
    assertThat(fleet.page("http://a.test/2").attempts()).isZero();
  }

  @Test
  void run_robotsBarThePage_itIsSkippedWithTheRule() {
    RobotsRules rules =
        RobotsRules.parse(
            "User-agent: *\nDisallow: /private\n".getBytes(StandardCharsets.UTF_8),
            "fairfleet",
            Duration.ofHours(1));
    fleet.robots = url -> rules;
    fleet.seed("http://a.test/private/x", "http://a.test/open");
    fleet.start();
    fleet.awaitEmptyQueues();
    assertThat(fleet.page("http://a.test/private/x").state()).isEqualTo(PageState.SKIPPED);
    assertThat(fleet.page("http://a.test/private/x").reason())
        .contains("robots", "Disallow: /private");
    assertThat(fleet.page("http://a.test/open").state()).isEqualTo(PageState.DONE);
    assertThat(fleet.fetched).containsExactly(CrawlUrl.of("http://a.test/open"));
  }

  @Test
  void run_crawlDelayIsTooLong_pageIsSkippedWithTheLine_p11() {
    RobotsRules rules =
        RobotsRules.parse(
            "User-agent: *\nCrawl-delay: 1000000000\n".getBytes(StandardCharsets.UTF_8),
            "fairfleet",
            Duration.ofHours(1));
    fleet.robots = url -> rules;
    fleet.seed("http://a.test/");
    fleet.start();
    fleet.awaitEmptyQueues();
    assertThat(fleet.page("http://a.test/").state()).isEqualTo(PageState.SKIPPED);
    assertThat(fleet.page("http://a.test/").reason())
        .isEqualTo(
            "robots: Crawl-delay: 1000000000 (line 2) is longer than 1 h, the longest this fleet"
                + " waits");
    assertThat(fleet.fetched).isEmpty();
  }

  @Test
  void run_robotsUnreachable_taskIsPutBackForItsTimeAndNotFailed() {
    AtomicBoolean away = new AtomicBoolean(true);
    fleet.robots =
        url ->
            away.get()
                ? RobotsRules.unreachable("status 503", Duration.ofSeconds(45))
                : RobotsRules.allowAll();
    fleet.seed("http://a.test/");
    fleet.start();
    await().until(() -> !fleet.queue.releases.isEmpty());
    assertThat(fleet.queue.releases).containsExactly(Duration.ofSeconds(45));
    assertThat(fleet.fetched).isEmpty();

    away.set(false);
    fleet.ahead = Duration.ofSeconds(46);
    fleet.awaitState("http://a.test/", PageState.DONE);
    assertThat(fleet.page("http://a.test/").attempts()).isZero();
  }

  @Test
  void run_robotsOfOneHostAreSlow_otherPagesOfTheBatchGoOn() {
    CountDownLatch latch = new CountDownLatch(1);
    fleet.robots =
        new Robots() {
          @Override
          public RobotsRules rulesFor(CrawlUrl url) {
            try {
              latch.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return RobotsRules.allowAll();
          }

          @Override
          public Optional<RobotsRules> known(CrawlUrl url) {
            return url.hostKey().host().equals("b.test")
                ? Optional.of(RobotsRules.allowAll())
                : Optional.empty();
          }
        };
    fleet.seed("http://a.test/", "http://b.test/");
    fleet.start();
    fleet.awaitState("http://b.test/", PageState.DONE);
    assertThat(fleet.page("http://a.test/").state()).isEqualTo(PageState.QUEUED);
    latch.countDown();
    fleet.awaitState("http://a.test/", PageState.DONE);
  }

  @Test
  void run_pageFailsEachTime_endsFailedWithReasonAfterTheLastAttempt() {
    fleet.web = (url, validators) -> failure(FailureKind.CONNECT, "connection refused");
    fleet.seed("http://a.test/");
    fleet.start();
    fleet.awaitEmptyQueues();
    assertThat(fleet.page("http://a.test/").state()).isEqualTo(PageState.FAILED);
    assertThat(fleet.page("http://a.test/").reason()).isEqualTo("connection refused (3 attempts)");
    assertThat(fleet.fetched).hasSize(3);
  }

  @Test
  void run_pageFailsOnce_isDoneAtTheSecondAttempt() {
    fleet.web =
        (url, validators) ->
            fleet.fetched.size() == 1
                ? failure(FailureKind.STATUS, "status 500")
                : Html.fetched(url, "<title>x</title>");
    fleet.seed("http://a.test/");
    fleet.start();
    fleet.awaitState("http://a.test/", PageState.DONE);
    assertThat(fleet.page("http://a.test/").attempts()).isEqualTo(1);
  }

  @Test
  void run_serverAsksForLess_waitsAsAskedAndCountsNoFailure() {
    fleet.gate = new InMemoryGate(fleet.clock, new Random(5));
    fleet.web =
        (url, validators) ->
            fleet.fetched.size() == 1
                ? new FetchOutcome.Throttled(
                    429, Optional.of(Duration.ofSeconds(90)), Duration.ofMillis(1))
                : Html.fetched(url, "<title>x</title>");
    fleet.seed("http://a.test/");
    fleet.start();
    await().until(() -> !fleet.queue.releases.isEmpty());
    // Up to a quarter more, so that not all comes back at one moment.
    assertThat(fleet.queue.releases)
        .singleElement()
        .satisfies(
            rest -> assertThat(rest).isBetween(Duration.ofSeconds(89), Duration.ofSeconds(115)));
    fleet.ahead = Duration.ofSeconds(115);
    fleet.awaitState("http://a.test/", PageState.DONE);
    assertThat(fleet.page("http://a.test/").attempts()).isZero();
  }

  /** Field report P105. */
  @Test
  void stop_pageInHand_finishesWithinTheGraceAndNothingElseBegins() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    fleet.web = waitingFor(latch);
    fleet.seed("http://a.test/1");
    TestFleet.Member worker = fleet.start();
    await().until(() -> fleet.fetched.size() == 1);
    Thread stopping = Thread.startVirtualThread(() -> worker.stop(Duration.ofSeconds(30)));
    await("no more receives").until(() -> !worker.thread().isAlive());
    fleet.seed("http://a.test/2");
    latch.countDown();
    stopping.join();

    assertThat(fleet.page("http://a.test/1").state()).isEqualTo(PageState.DONE);
    assertThat(fleet.fetched).hasSize(1);
    assertThat(fleet.queue.releases).isEmpty();
    assertThat(fleet.memory().depth()).isEqualTo(new QueueDepth(1, 0, 0));
  }

  /** Field report P106: hung pages are aborted, and visible to others at once. */
  @Test
  void stop_pagesHang_areVisibleAtOnceAfterTheGraceAndCountAsNoFailure() {
    fleet.web = waitingFor(new CountDownLatch(1));
    fleet.seed("http://a.test/1", "http://a.test/2");
    TestFleet.Member worker = fleet.start();
    await().until(() -> fleet.fetched.size() == 2);
    worker.stop(NO_GRACE);

    assertThat(fleet.memory().depth()).isEqualTo(new QueueDepth(2, 0, 0));
    assertThat(fleet.count(Meter.TASK_GIVEN_BACK)).isEqualTo(2);
    // Whatever an aborted fetch still does, it neither counts nor parks what was given back.
    await().during(Duration.ofMillis(200)).until(() -> fleet.memory().depth().visible() == 2);
    assertThat(fleet.page("http://a.test/1").attempts()).isZero();
    assertThat(fleet.page("http://a.test/2").attempts()).isZero();
  }

  /** Field report P106: so is what was received and not begun. */
  @Test
  void stop_tasksWaitForRobots_areVisibleAtOnceAfterTheGrace() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(2);
    fleet.robots =
        new Robots() {
          @Override
          public RobotsRules rulesFor(CrawlUrl url) {
            asked.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return RobotsRules.unreachable("interrupted", Duration.ofSeconds(45));
          }

          @Override
          public Optional<RobotsRules> known(CrawlUrl url) {
            return Optional.empty();
          }
        };
    fleet.seed("http://a.test/1", "http://b.test/1");
    TestFleet.Member worker = fleet.start();
    asked.await();
    worker.stop(NO_GRACE);

    assertThat(fleet.memory().depth()).isEqualTo(new QueueDepth(2, 0, 0));
    await().during(Duration.ofMillis(200)).until(() -> fleet.memory().depth().visible() == 2);
    assertThat(fleet.fetched).isEmpty();
  }

  /** Field report P101, for every store: the task comes back, and slot and place are free again. */
  @ParameterizedTest
  @ValueSource(strings = {"find", "admit", "read", "claim", "settle", "put", "send", "receive"})
  void run_firstCallToAStoreFails_taskIsGivenBackAndLaterDone(String method) {
    fleet.slots = 1;
    fleet.perServer = 1;
    FirstCallFails fault = new FirstCallFails(method);
    fleet.failing = Optional.of(fault);
    fleet.web =
        (url, validators) ->
            Html.fetched(url, url.equals(ROOT) ? Html.page("root", "/1") : Html.page("leaf"));
    fleet.seed("http://a.test/");
    fleet.start();
    await().untilTrue(fault.failed());
    fleet.ahead = Duration.ofSeconds(6);

    // Each look jumps a second ahead, so that no wait is a real one.
    await(method)
        .until(
            () -> {
              fleet.ahead = fleet.ahead.plusSeconds(1);
              return fleet.isDone("http://a.test/1");
            });
    fleet.awaitEmptyQueues();
    assertThat(fleet.page("http://a.test/").state()).isEqualTo(PageState.DONE);
    assertThat(fleet.page("http://a.test/").attempts()).isZero();
  }

  /** Field report P79: the same message twice to one worker. */
  @Test
  void run_sameTaskTwice_isWorkedOnOnce() {
    fleet.leases = new LeasePolicy(Duration.ofHours(1), 1_000);
    CountDownLatch latch = new CountDownLatch(1);
    fleet.web = waitingFor(latch);
    Task task = fleet.claimed(SITE, "http://a.test/");
    fleet.send(Priority.HIGH, task, task);
    fleet.start();
    await("the second is put back").until(() -> !fleet.queue.releases.isEmpty());
    latch.countDown();
    fleet.awaitState("http://a.test/", PageState.DONE);
    fleet.awaitEmptyQueues(Duration.ofSeconds(1));

    assertThat(fleet.fetched).hasSize(1);
    assertThat(fleet.count(Meter.TASK_STALE)).isEqualTo(1);
  }

  /**
   * Field report P84: the page takes longer than its lease, and another worker has the task too.
   */
  @Test
  void run_leaseIsLost_bothWorkersEndAndThePageIsDoneOnce() {
    CountDownLatch latch = new CountDownLatch(1);
    fleet.web = waitingFor(latch);
    fleet.seed("http://a.test/");
    fleet.start();
    await().until(() -> fleet.fetched.size() == 1);
    fleet.start();
    fleet.ahead = Duration.ofSeconds(31);
    await("the other worker").until(() -> fleet.fetched.size() == 2);
    latch.countDown();
    fleet.awaitEmptyQueues(Duration.ofSeconds(1));

    assertThat(fleet.page("http://a.test/").state()).isEqualTo(PageState.DONE);
    assertThat(fleet.count(Meter.RECORD_CREATED)).isEqualTo(1);
    assertThat(fleet.page("http://a.test/").attempts()).isZero();
  }

  /** Field report P88: at three times its lease, a page at work is still nobody else's. */
  @Test
  void run_pageTakesLongerThanItsLease_heartbeatKeepsIt() {
    CountDownLatch latch = new CountDownLatch(1);
    fleet.web = waitingFor(latch);
    fleet.seed("http://a.test/");
    TestFleet.Member worker = fleet.start();
    await().until(() -> fleet.fetched.size() == 1);
    for (int second = 1; second <= 90; second++) {
      fleet.ahead = Duration.ofSeconds(second);
      worker.heartbeat().beat();
      assertThat(fleet.memory().depth()).isEqualTo(new QueueDepth(0, 1, 0));
    }
    latch.countDown();
    fleet.awaitEmptyQueues();

    assertThat(fleet.queue.releases).hasSizeGreaterThan(6).containsOnly(Duration.ofSeconds(30));
    assertThat(fleet.fetched).hasSize(1);
  }

  /**
   * Field report P81: throttled 20 times, near the redrive limit at every third delivery, and each
   * delete that should follow the send of a fresh task fails.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void run_throttledOftenerThanTheRedriveAllows_isSentAfreshAndNeverMultiplies(boolean fails) {
    fleet.leases = new LeasePolicy(Duration.ofHours(1), 8);
    fleet.parking = new ParkingPolicy(Duration.ofSeconds(13), Duration.ofSeconds(15));
    AtomicInteger asked = new AtomicInteger();
    fleet.gateAnswers(
        TestGate.withSlotsIn(
            Duration.ofSeconds(13),
            (site, host, limits) ->
                asked.incrementAndGet() <= 20
                    ? new Admission.Deferred(Duration.ofSeconds(13), Admission.Limit.HOURLY)
                    : new Admission.Granted()));
    AtomicLong most = new AtomicLong();
    AtomicBoolean justSent = new AtomicBoolean();
    fleet.queue.afterSend =
        () -> {
          most.accumulateAndGet(fleet.memory().depth().total(), Math::max);
          justSent.set(true);
        };
    fleet.queue.beforeDelete =
        () -> {
          if (justSent.getAndSet(false) && fails) {
            throw new IllegalStateException("killed between send and delete");
          }
        };
    fleet.seed("http://a.test/");
    fleet.start();
    fleet.awaitEmptyQueues(Duration.ofSeconds(5));

    assertThat(fleet.page("http://a.test/").state()).isEqualTo(PageState.DONE);
    assertThat(fleet.page("http://a.test/").attempts()).isZero();
    assertThat(fleet.fetched).hasSize(1);
    assertThat(asked.get()).isGreaterThan(20);
    assertThat(most.get()).as("live messages of one URL").isEqualTo(2);
    assertThat(fleet.memory().deadLetters()).isEmpty();
    assertThat(fleet.count(Meter.TASK_RENEWED)).isGreaterThanOrEqualTo(5);
  }
}
