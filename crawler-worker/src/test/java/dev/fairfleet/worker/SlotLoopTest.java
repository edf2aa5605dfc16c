package dev.fairfleet.worker;

import static dev.fairfleet.worker.TestFleet.NO_GRACE;
import static dev.fairfleet.worker.TestFleet.ROOT;
import static dev.fairfleet.worker.TestFleet.SITE;
import static dev.fairfleet.worker.TestFleet.waitingFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.fairness.TurnPolicy;
import dev.fairfleet.fairness.WindowPolicy;
import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.memory.InMemoryGate;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.robots.Robots;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds of reserved slots and windows alone. */
final class SlotLoopTest {
  private static final Duration FAR = Duration.ofSeconds(13);

  private final TestFleet fleet = new TestFleet();

  @AfterEach
  void stop() {
    fleet.stop();
  }

  private static Admission deferred(Duration after) {
    return new Admission.Deferred(after, Admission.Limit.HOURLY);
  }

  private void sendHeld(String url, Duration hold) {
    fleet
        .memory()
        .send(List.of(new Dispatch(fleet.claimed(SITE, url), Priority.HIGH, Duration.ZERO, hold)));
  }

  private static String[] urls(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  // Hold and turn

  @Test
  void run_taskWithASlotSoon_isHeldUntilItAndNothingElseWaits() {
    Map<String, Instant> at = new ConcurrentHashMap<>();
    fleet.slots = 1;
    fleet.perServer = 1;
    fleet.web =
        (url, validators) -> {
          at.put(url.toString(), fleet.clock.instant());
          return Html.fetched(url, "<title>x</title>");
        };
    Duration hold = Duration.ofMillis(1_500);
    Instant sent = fleet.clock.instant();
    sendHeld("http://a.test/held", hold);
    fleet.seed("http://a.test/same-host", "http://b.test/other-host");
    fleet.start();
    await().until(() -> fleet.isDone("http://a.test/same-host"));
    await().until(() -> fleet.isDone("http://b.test/other-host"));
    fleet.awaitEmptyQueues();

    assertThat(at.get("http://a.test/held"))
        .isAfterOrEqualTo(sent.plus(hold))
        .isAfter(at.get("http://a.test/same-host"))
        .isAfter(at.get("http://b.test/other-host"));
    assertThat(fleet.count(Meter.TASK_RECEIVED)).isEqualTo(3);
    assertThat(fleet.count(Meter.TASK_THROTTLED)).isZero();
  }

  @Test
  void run_siteUnderItsLimit_eachPageIsReceivedOnce() {
    fleet.add(SITE, new SiteLimits(72_000, Duration.ZERO, 100, SiteLimits.UNLIMITED), "a.test");
    fleet.gate = new InMemoryGate(fleet.clock, new Random(5));
    fleet.web =
        (url, validators) ->
            Html.fetched(
                url, url.equals(ROOT) ? Html.page("root", urls("/", 20)) : "<title>leaf</title>");
    fleet.seed("http://a.test/");
    fleet.start();
    await().until(() -> fleet.pages(SITE, PageState.DONE).size() == 21);

    assertThat(fleet.queue.deliveries)
        .hasSize(21)
        .allSatisfy(delivery -> assertThat(delivery.lease().receiveCount()).isEqualTo(1));
    assertThat(fleet.queue.sent).hasSize(20);
    assertThat(fleet.count(Meter.TASK_PARKED)).isZero();
  }

  @Test
  void run_turnIsNear_taskIsHeldAndAsksAgain() {
    AtomicInteger asked = new AtomicInteger();
    fleet.gateAnswers(
        (site, host, limits) ->
            asked.incrementAndGet() <= 3
                ? deferred(Duration.ofMillis(30))
                : new Admission.Granted());
    fleet.seed("http://a.test/");
    fleet.start();
    fleet.awaitEmptyQueues();

    assertThat(fleet.count(Meter.TASK_THROTTLED)).isEqualTo(3);
    assertThat(fleet.isDone("http://a.test/")).isTrue();
    assertThat(fleet.queue.releases).isEmpty();
    assertThat(fleet.count(Meter.TASK_RECEIVED)).isEqualTo(1);
  }

  @Test
  void run_turnIsFar_taskIsParkedUntilANewSlot() {
    Duration slot = Duration.ofSeconds(40);
    AtomicBoolean open = new AtomicBoolean();
    fleet.gateAnswers(
        TestGate.withSlotsIn(
            slot, (site, host, limits) -> open.get() ? new Admission.Granted() : deferred(FAR)));
    fleet.seed("http://a.test/");
    fleet.start();
    await().until(() -> !fleet.queue.releases.isEmpty());
    assertThat(fleet.queue.releases)
        .singleElement()
        .satisfies(parked -> assertThat(parked).isBetween(slot, slot.plusSeconds(2)));
    assertThat(fleet.windows.leave(SITE, List.of()).inside()).isEqualTo(1);
    assertThat(fleet.page("http://a.test/").attempts()).isZero();

    open.set(true);
    fleet.ahead = slot.plusSeconds(3);
    fleet.awaitEmptyQueues();
    assertThat(fleet.isDone("http://a.test/")).isTrue();
    assertThat(fleet.count(Meter.TASK_PARKED)).isEqualTo(1);
    assertThat(fleet.windows.leave(SITE, List.of()).inside()).isZero();
  }

  @Test
  void run_noSlotWithinReach_pageGoesToTheShelfAndComesOutLater() {
    AtomicBoolean open = new AtomicBoolean();
    TestGate far =
        TestGate.withSlotsIn(Duration.ofSeconds(901), (site, host, limits) -> deferred(FAR));
    fleet.gateAnswers(TestGate.choosing(() -> open.get() ? TestGate.OPEN : far));
    fleet.seed("http://a.test/");
    TestFleet.Member worker = fleet.start();
    fleet.awaitState("http://a.test/", PageState.SHELVED);
    fleet.awaitEmptyQueues();
    assertThat(fleet.page("http://a.test/").generation()).isEqualTo(1);
    assertThat(fleet.page("http://a.test/").attempts()).isZero();
    assertThat(fleet.queue.releases).isEmpty();
    assertThat(fleet.windows.leave(SITE, List.of()).inside()).isZero();

    worker.sweep().run();
    assertThat(fleet.page("http://a.test/").state()).isEqualTo(PageState.SHELVED);
    assertThat(fleet.windows.leave(SITE, List.of()).inside()).isZero();
    open.set(true);
    fleet.ahead = Duration.ofMinutes(1);
    worker.sweep().run();
    fleet.awaitState("http://a.test/", PageState.DONE);
    assertThat(fleet.queue.deliveries)
        .extracting(delivery -> delivery.task().generation())
        .containsExactly(0, 1);
  }

  @Test
  void run_turnOfOneHostIsNotYet_otherHostsGoOn() {
    AtomicBoolean open = new AtomicBoolean();
    fleet.slots = 1;
    fleet.gateAnswers(
        (site, host, limits) ->
            open.get() || host.host().equals("b.test")
                ? new Admission.Granted()
                : deferred(Duration.ofMillis(20)));
    fleet.seed(urls("http://a.test/", 3));
    fleet.seed(urls("http://b.test/", 8));
    fleet.start();
    await().until(() -> fleet.pages(SITE, PageState.DONE).size() == 8);
    assertThat(fleet.fetched).allMatch(url -> url.hostKey().host().equals("b.test"));
    open.set(true);
    fleet.awaitEmptyQueues();

    assertThat(fleet.fetched).hasSize(11);
    assertThat(fleet.count(Meter.TASK_RECEIVED)).isEqualTo(11);
  }

  /** Field report P58: from either of two workers, and the other site goes on. */
  @Test
  void run_serverAsksForLess_wholeSiteRestsAndNoOtherSiteDoes() {
    SiteId other = new SiteId("other");
    fleet.leases = new LeasePolicy(Duration.ofHours(1), 1_000);
    fleet.add(SITE, SiteLimits.POLITE, "a.test", "b.test");
    fleet.add(other, new SiteLimits(36_000, Duration.ZERO, 9, SiteLimits.UNLIMITED), "o.test");
    fleet.gate = new InMemoryGate(fleet.clock, new Random(5));
    List<Instant> asked = new CopyOnWriteArrayList<>();
    fleet.web =
        (url, validators) -> {
          if (url.hostKey().host().equals("o.test")) {
            return Html.fetched(url, "<title>x</title>");
          }
          asked.add(fleet.clock.instant());
          return asked.size() == 1
              ? new FetchOutcome.Throttled(
                  429, Optional.of(Duration.ofSeconds(20)), Duration.ofMillis(1))
              : Html.fetched(url, "<title>x</title>");
        };
    fleet.seed("http://a.test/first");
    fleet.start();
    await().until(() -> fleet.count(Meter.FETCH_THROTTLED) == 1 && !fleet.queue.releases.isEmpty());
    fleet.start();
    fleet.seed("http://a.test/1", "http://a.test/2", "http://a.test/3", "http://b.test/4");
    fleet.send(
        Priority.HIGH,
        IntStream.range(0, 10)
            .mapToObj(i -> fleet.claimed(other, "http://o.test/" + i))
            .toArray(Task[]::new));
    await("the other site").until(() -> fleet.pages(other, PageState.DONE).size() == 10);
    assertThat(asked).hasSize(1);
    fleet.awaitEmptyQueues(Duration.ofMillis(200));

    assertThat(asked).hasSize(6);
    assertThat(asked.get(1)).isAfterOrEqualTo(asked.getFirst().plusSeconds(20));
    assertThat(fleet.pages(SITE, PageState.DONE)).hasSize(5).allMatch(page -> page.attempts() == 0);
  }

  /** Field report P77: near the ceiling, what would be parked leaves SQS. */
  @Test
  void run_inFlightQuotaIsNear_pageGoesToTheShelfInsteadOfBeingParked() {
    fleet.inFlightQuota = 1;
    fleet.gateAnswers((site, host, limits) -> deferred(FAR));
    fleet.seed("http://a.test/1", "http://a.test/2");
    fleet.start();
    fleet.awaitEmptyQueues();

    assertThat(fleet.pages(SITE, PageState.SHELVED)).hasSize(2);
    assertThat(fleet.queue.releases).isEmpty();
    assertThat(fleet.count(Meter.PAGE_SHELVED)).isEqualTo(2);
  }

  /** Field report P77: a queue that fell silent is not taken for one that is empty. */
  @ParameterizedTest
  @CsvSource({"1, true", "2, false"})
  void run_receivesAreEmpty_countsAsIdleUnlessTheQuotaIsNear(long quota, boolean busy) {
    fleet.inFlightQuota = quota;
    fleet.leases = new LeasePolicy(Duration.ofHours(1), 1_000);
    fleet.seed("http://a.test/");
    assertThat(fleet.memory().receive(Priority.HIGH, 1, Duration.ZERO).deliveries()).hasSize(1);
    TestFleet.Member worker = fleet.start();
    awaitThreeReceivesOfEachQueue();
    fleet.ahead = Duration.ofSeconds(25);
    awaitThreeReceivesOfEachQueue();

    assertThat(worker.gauge().pressure().value() > 0.9).isEqualTo(busy);
  }

  private void awaitThreeReceivesOfEachQueue() {
    Map<Priority, Integer> before = Map.copyOf(fleet.queue.returned);
    await()
        .until(
            () ->
                Stream.of(Priority.values())
                    .allMatch(
                        priority ->
                            fleet.queue.returned.getOrDefault(priority, 0)
                                >= before.getOrDefault(priority, 0) + 3));
  }

  // Polling

  /** Field report P86: the long poll that waits at high holds nobody up. */
  @Test
  void run_highIsEmpty_lowIsServedMeanwhile() {
    fleet.idleWait = Duration.ofSeconds(20);
    fleet.slots = 8;
    fleet.perServer = 8;
    fleet.send(
        Priority.LOW,
        IntStream.range(0, 1_000)
            .mapToObj(i -> fleet.claimed(SITE, "http://a.test/" + i))
            .toArray(Task[]::new));
    fleet.start();
    await().until(() -> fleet.pages(SITE, PageState.DONE).size() == 1_000);

    assertThat(fleet.queue.returned).doesNotContainKey(Priority.HIGH);
    assertThat(fleet.count(Meter.TASK_RECEIVED)).isEqualTo(1_000);
  }

  /** Field report P86: who waited longer is served first, and no queue starves. */
  @Test
  void run_highWaitedLonger_lowIsServedLittleUntilHighIsEmpty() {
    fleet.slots = 1;
    fleet.leases = new LeasePolicy(Duration.ofHours(1), 1_000);
    fleet.seed(urls("http://a.test/high", 120));
    fleet.ahead = Duration.ofMinutes(10);
    fleet.send(
        Priority.LOW,
        IntStream.range(0, 60)
            .mapToObj(i -> fleet.claimed(SITE, "http://a.test/low" + i))
            .toArray(Task[]::new));
    fleet.start();
    fleet.awaitEmptyQueues();

    List<Priority> received =
        fleet.queue.deliveries.stream().map(delivery -> delivery.priority()).toList();
    List<Priority> untilHighWasEmpty = received.subList(0, received.lastIndexOf(Priority.HIGH));
    assertThat(untilHighWasEmpty.stream().filter(it -> it == Priority.LOW).count())
        .isBetween(1L, 30L);
    assertThat(fleet.fetched).hasSize(180);
  }

  // Windows

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void run_moreLinksThanTheWindowHolds_neverMoreThanThatAreInSqs(int workers) {
    int window = 4;
    fleet.windowPolicy = new WindowPolicy(Duration.ofSeconds(1), window, window);
    fleet.add(SITE, new SiteLimits(3_600_000, Duration.ZERO, 9, SiteLimits.UNLIMITED), "a.test");
    AtomicInteger most = new AtomicInteger();
    fleet.queue.afterSend =
        () -> most.accumulateAndGet(fleet.pages(SITE, PageState.QUEUED).size(), Math::max);
    fleet.web =
        (url, validators) -> {
          String path = url.toUri().getPath();
          return Html.fetched(
              url, path.length() > 3 ? "<title>x</title>" : Html.page("x", urls(path, 10)));
        };
    // Two levels of ten links each: 1 + 10 + 100 pages, and their links.
    fleet.seed("http://a.test/");
    for (int i = 0; i < workers; i++) {
      fleet.start();
    }
    await().until(() -> fleet.pages(SITE, PageState.DONE).size() == 1_111);

    assertThat(most).hasValueLessThanOrEqualTo(window + 1); // the root entered no window
    assertThat(fleet.fetched).hasSize(1_111).doesNotHaveDuplicates();
    assertThat(fleet.count(Meter.TASK_RECEIVED)).isEqualTo(1_111);
    assertThat(fleet.count(Meter.PAGE_UNSHELVED)).isGreaterThan(1_000);
    assertThat(fleet.windows.leave(SITE, List.of()).inside()).isZero();
  }

  @Test
  void run_shelfHoldsManyDepths_shallowestComesOutFirst() {
    fleet.windowPolicy = new WindowPolicy(Duration.ofSeconds(1), 1, 1);
    fleet.web =
        (url, validators) -> {
          String path = url.toUri().getPath();
          return Html.fetched(
              url, path.length() > 2 ? "<title>x</title>" : Html.page("x", urls(path, 3)));
        };
    fleet.seed("http://a.test/");
    fleet.start();
    await().until(() -> fleet.pages(SITE, PageState.DONE).size() == 13);

    assertThat(fleet.fetched).extracting(url -> url.toUri().getPath().length()).isSorted();
  }

  @Test
  void run_taskWithAFarSlot_countsAsLostOnlyLongAfterIt() {
    fleet.gateAnswers(TestGate.withSlotsIn(Duration.ofMinutes(14), TestGate.OPEN));
    fleet.web = (url, validators) -> Html.fetched(url, Html.page("root", "/1"));
    fleet.seed("http://a.test/");
    TestFleet.Member worker = fleet.start();
    fleet.awaitState("http://a.test/", PageState.DONE);
    worker.stop(Duration.ofSeconds(10));
    assertThat(fleet.queue.sent).hasSize(1);

    fleet.ahead = Duration.ofMinutes(28);
    worker.sweep().run();
    assertThat(fleet.page("http://a.test/1").generation()).isZero();
    fleet.ahead = Duration.ofMinutes(30);
    worker.sweep().run();
    assertThat(fleet.page("http://a.test/1").generation()).isEqualTo(1);
    assertThat(fleet.queue.sent).hasSize(2);
  }

  @Test
  void run_robotsAreUnreachableForLong_parkedTaskIsNotTakenForLost() {
    fleet.robots = url -> RobotsRules.unreachable("status 503", Duration.ofHours(1));
    fleet.seed("http://a.test/");
    TestFleet.Member worker = fleet.start();
    await().until(() -> !fleet.queue.releases.isEmpty());
    worker.stop(Duration.ofSeconds(10));

    for (int minute = 10; minute <= 60; minute += 10) {
      fleet.ahead = Duration.ofMinutes(minute);
      worker.sweep().run();
    }
    assertThat(fleet.page("http://a.test/").generation()).isZero();
    assertThat(fleet.queue.sent).isEmpty();
  }

  /** Field report P101: nor is robots.txt asked for while the gate is away. */
  @Test
  void run_gateIsAwayAndRobotsUnknown_parksAndAsksForNothing() {
    AtomicInteger asked = new AtomicInteger();
    fleet.robots =
        new Robots() {
          @Override
          public RobotsRules rulesFor(CrawlUrl url) {
            asked.incrementAndGet();
            return RobotsRules.allowAll();
          }

          @Override
          public RobotsRules rulesFor(CrawlUrl url, Consumer<CrawlUrl> beforeRequest) {
            beforeRequest.accept(url);
            return rulesFor(url);
          }

          @Override
          public Optional<RobotsRules> known(CrawlUrl url) {
            return Optional.empty();
          }
        };
    fleet.gateAnswers((site, host, limits) -> new Admission.Unavailable("connection refused"));
    fleet.seed("http://a.test/");
    fleet.start();
    await().until(() -> !fleet.queue.releases.isEmpty());

    assertThat(fleet.queue.releases)
        .singleElement()
        .satisfies(
            parked -> assertThat(parked).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1)));
    assertThat(asked).hasValue(0);
    assertThat(fleet.fetched).isEmpty();
  }

  // Trouble

  /** Field report P101: Redis, DynamoDB or SQS fails at any point; nothing is lost. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "enter",
        "stay",
        "leave",
        "shelved",
        "beginFill",
        "filled",
        "reserve",
        "unclaimed",
        "claim",
        "send",
        "settle",
        "delete",
        "shelf",
        "unshelve"
      })
  void run_firstCallFails_crawlEndsAllTheSameAndNoPlaceIsLost(String method) {
    fleet.leases = new LeasePolicy(Duration.ofMinutes(10), 1_000);
    fleet.windowPolicy = new WindowPolicy(Duration.ofSeconds(1), 2, 2);
    FirstCallFails fault = new FirstCallFails(method);
    fleet.failing = Optional.of(fault);
    fleet.web =
        (url, validators) ->
            Html.fetched(
                url, url.equals(ROOT) ? Html.page("root", urls("/", 5)) : "<title>leaf</title>");
    fleet.seed("http://a.test/");
    TestFleet.Member worker = fleet.start();
    await().untilTrue(fault.failed());
    await(method)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              fleet.ahead = fleet.ahead.plusSeconds(5);
              worker.sweep().run();
              return fleet.pages(SITE, PageState.DONE).size() == 6
                  && fleet.memory().depth().total() == 0
                  && fleet.windows.leave(SITE, List.of()).inside() == 0;
            });
    worker.stop(Duration.ofSeconds(10));

    assertThat(fleet.pages(SITE, PageState.DONE)).allMatch(page -> page.attempts() == 0);
    assertThat(fleet.fetched.size()).as("one repeated request at most").isBetween(6, 7);
    assertThat(worker.places().free()).isEqualTo(worker.places().all());
    assertThat(worker.heartbeat().inHand()).isEmpty();
  }

  /** Field report P88: a task that is held is still nobody else's. */
  @Test
  void run_taskIsHeldLongerThanItsLease_heartbeatKeepsIt() {
    sendHeld("http://a.test/", Duration.ofMinutes(10));
    TestFleet.Member worker = fleet.start();
    await().until(() -> fleet.memory().depth().inFlight() == 1);
    for (int second = 1; second <= 90; second++) {
      fleet.ahead = Duration.ofSeconds(second);
      worker.heartbeat().beat();
      assertThat(fleet.memory().depth()).isEqualTo(new QueueDepth(0, 1, 0));
    }
    assertThat(fleet.queue.releases).hasSizeGreaterThan(6).containsOnly(Duration.ofSeconds(30));
    assertThat(fleet.queue.deliveries).hasSize(1);
  }

  /** Field report P106: of tasks that are held, wait in line, or are parked soon, none is kept. */
  @Test
  void stop_tasksAreHeldAndInLine_areVisibleAtOnceAndPageAtWorkFinishes() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    fleet.slots = 1;
    fleet.perServer = 1;
    fleet.idleWait = Duration.ofSeconds(20);
    fleet.turns = new TurnPolicy(Duration.ofMinutes(1));
    fleet.web = waitingFor(latch);
    fleet.gateAnswers(
        (site, host, limits) ->
            host.host().equals("a.test")
                ? new Admission.Granted()
                : deferred(Duration.ofSeconds(50)));
    sendHeld("http://a.test/held", Duration.ofMinutes(10));
    fleet.seed("http://a.test/at-work", "http://a.test/in-line", "http://b.test/not-yet");
    TestFleet.Member worker = fleet.start();
    await().until(() -> fleet.fetched.size() == 1);
    await().until(() -> fleet.memory().depth().inFlight() == 4);
    Thread stopping = Thread.startVirtualThread(() -> worker.stop(Duration.ofSeconds(30)));
    await("visible at once").until(() -> fleet.memory().depth().visible() == 3);
    await("no long poll goes on").until(() -> !worker.thread().isAlive());
    latch.countDown();
    stopping.join();

    assertThat(fleet.pages(SITE, PageState.DONE)).hasSize(1);
    assertThat(fleet.fetched).hasSize(1);
    assertThat(fleet.memory().depth()).isEqualTo(new QueueDepth(3, 0, 0));
    // All but the page at work, each time: an open long poll may receive what was given back.
    assertThat(fleet.count(Meter.TASK_GIVEN_BACK))
        .isEqualTo(fleet.count(Meter.TASK_RECEIVED) - 1)
        .isGreaterThanOrEqualTo(3);
    assertThat(worker.places().free()).isEqualTo(worker.places().all());
  }

  /** Field report P106: also if the page at work never ends. */
  @Test
  void stop_pageHangs_everythingIsVisibleAfterTheGrace() {
    fleet.slots = 1;
    fleet.web = waitingFor(new CountDownLatch(1));
    fleet.seed("http://a.test/1", "http://a.test/2", "http://a.test/3");
    TestFleet.Member worker = fleet.start();
    await().until(() -> fleet.fetched.size() == 1);
    worker.stop(NO_GRACE);

    assertThat(fleet.memory().depth()).isEqualTo(new QueueDepth(3, 0, 0));
    await("places").until(() -> worker.places().free() == worker.places().all());
    assertThat(fleet.memory().depth()).isEqualTo(new QueueDepth(3, 0, 0));
  }

  @Test
  void run_settledPageWasNotToldToTheWindow_itsTaskTellsIt() {
    Task task = fleet.claimed(SITE, "http://a.test/");
    fleet.windows.stay(SITE, List.of(task.url().hash()), Duration.ofHours(1));
    fleet.frontier.settle(
        task, Settlement.skipped("test"), new AttemptToken("dead"), Instant.EPOCH);
    fleet.send(Priority.HIGH, task);
    fleet.start();
    fleet.awaitEmptyQueues();

    assertThat(fleet.windows.leave(SITE, List.of()).inside()).isZero();
  }

  @Test
  void run_taskOfAnEarlierGeneration_pageStaysInTheWindow() {
    Task earlier = fleet.claimed(SITE, "http://a.test/");
    Page page = fleet.page("http://a.test/");
    assertThat(fleet.frontier.renew(page)).isPresent();
    fleet.windows.stay(SITE, List.of(CrawlUrl.of("http://a.test/").hash()), Duration.ofHours(1));
    fleet.send(Priority.HIGH, earlier);
    fleet.start();
    fleet.awaitEmptyQueues();

    assertThat(fleet.windows.leave(SITE, List.of()).inside()).isEqualTo(1);
  }
}
