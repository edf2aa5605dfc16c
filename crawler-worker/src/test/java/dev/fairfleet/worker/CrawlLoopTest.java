package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.fairness.DelayPolicy;
import dev.fairfleet.fairness.DelayTable;
import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.lease.Lease;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemoryPageBudget;
import dev.fairfleet.memory.InMemoryRecordStore;
import dev.fairfleet.memory.InMemoryServedCounts;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.queue.Received;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.retry.RetryPolicy;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.PageFetcher;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.parse.PageParser;
import dev.fairfleet.worker.parse.ParseLimits;
import dev.fairfleet.worker.robots.Robots;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The loop with real threads, on stores and queues in memory and a web that never was. */
final class CrawlLoopTest {
  private static final CrawlId CRAWL = CrawlId.scheduledFor(Instant.EPOCH);
  private static final SiteId SITE = new SiteId("shop");
  private static final CrawlUrl ROOT = CrawlUrl.of("http://a.test/");
  private static final Duration NO_GRACE = Duration.ofMillis(50);
  private static final Gate OPEN = (site, host, limits) -> new Admission.Granted();

  // What a test may set before it calls start.
  private int slots = 4;
  private int perServer = 4;
  private LeasePolicy leases = new LeasePolicy(Duration.ofSeconds(30), 1_000);
  private ParkingPolicy parking = new ParkingPolicy(Duration.ZERO, Duration.ZERO);
  private Gate gate = OPEN;
  private Robots robots = Robots.ALLOW_ALL;
  private PageFetcher web = (url, validators) -> Html.fetched(url, "<title>x</title>");

  private volatile Duration ahead = Duration.ZERO;
  private final InstantSource clock = () -> Instant.now().plus(ahead);
  private final InMemoryFrontier frontier = new InMemoryFrontier();
  private final InMemoryRecordStore records = new InMemoryRecordStore();
  private final InMemorySiteStore sites = new InMemorySiteStore();
  private final Meters meters = new Meters();
  private final Map<Meter, Double> counted = new ConcurrentHashMap<>();
  private final List<CrawlUrl> fetched = new CopyOnWriteArrayList<>();
  private Optional<InMemoryTaskQueue> memory = Optional.empty();
  private final Observed queue = new Observed();
  private Optional<CrawlLoop> loop = Optional.empty();
  private Optional<Thread> thread = Optional.empty();
  private Optional<FirstCallFails> failing = Optional.empty();

  /** The queue, which writes down what is asked of it; tests send past it. */
  private final class Observed implements TaskQueue {
    final List<Duration> releases = new CopyOnWriteArrayList<>();
    final List<String> endings = new CopyOnWriteArrayList<>();

    @Override
    public Received receive(Priority priority, int max, Duration wait) {
      return memory().receive(priority, max, wait);
    }

    @Override
    public void send(Collection<Dispatch> dispatches) {
      endings.add("send");
      memory().send(dispatches);
    }

    @Override
    public void delete(Lease lease) {
      endings.add("delete");
      memory().delete(lease);
    }

    @Override
    public void release(Lease lease, Duration after) {
      releases.add(after);
      memory().release(lease, after);
    }

    @Override
    public QueueDepth depth() {
      return memory().depth();
    }

    @Override
    public void close() {}
  }

  /** Lets the first call of one name fail, whatever port it belongs to. */
  private record FirstCallFails(String method, AtomicBoolean failed) {
    <T> T wrap(Class<T> port, T real) {
      return port.cast(
          Proxy.newProxyInstance(
              port.getClassLoader(),
              new Class<?>[] {port},
              (proxy, called, arguments) -> {
                if (called.getName().equals(method) && failed.compareAndSet(false, true)) {
                  throw new IllegalStateException(method + " failed");
                }
                try {
                  return called.invoke(real, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }));
    }
  }

  private <T> T port(Class<T> type, T real) {
    return failing.map(fault -> fault.wrap(type, real)).orElse(real);
  }

  private InMemoryTaskQueue memory() {
    if (memory.isEmpty()) {
      memory = Optional.of(new InMemoryTaskQueue(clock, leases));
    }
    return memory.get();
  }

  private static Site site() {
    return new Site(
        SITE,
        List.of(ROOT),
        new Scope(Set.of(ROOT.hostKey(), CrawlUrl.of("http://b.test/").hostKey())),
        SiteLimits.POLITE,
        ExtractionRules.DEFAULT);
  }

  private Task claimed(String url) {
    CrawlUrl link = CrawlUrl.of(url);
    return frontier.claim(SITE, CRAWL, link, CrawlDepth.ROOT, List.of(link)).getFirst();
  }

  private void send(Priority priority, Task... tasks) {
    memory()
        .send(Stream.of(tasks).map(task -> new Dispatch(task, priority, Duration.ZERO)).toList());
  }

  private void seed(String... urls) {
    send(Priority.HIGH, Stream.of(urls).map(this::claimed).toArray(Task[]::new));
  }

  private void start() {
    if (sites.find(SITE).isEmpty()) {
      sites.put(site());
    }
    memory();
    Random random = new Random(3);
    TaskQueue queue = port(TaskQueue.class, this.queue);
    Frontier frontier = port(Frontier.class, this.frontier);
    PutBack putBack = new PutBack(queue, parking, leases, meters, random);
    InMemoryServedCounts counts = new InMemoryServedCounts(clock);
    AtomicInteger attempts = new AtomicInteger();
    PageWork work =
        new PageWork(
            (url, validators) -> {
              fetched.add(url);
              return web.fetch(url, validators);
            },
            new PageParser(ParseLimits.DEFAULT),
            new ScopePolicy(),
            new InMemoryPageBudget(),
            frontier,
            port(RecordStore.class, records),
            queue,
            putBack,
            new ServedReport(counts),
            counts,
            new PageWork.Policies(
                new DelayPolicy(DelayTable.DEFAULT, 0),
                new RetryPolicy(3, Duration.ZERO, Duration.ZERO),
                1),
            () -> new AttemptToken("t" + attempts.incrementAndGet()),
            meters,
            clock,
            random);
    CrawlLoop crawlLoop =
        new CrawlLoop(
            new CrawlLoop.Polling(slots, Duration.ofMillis(20), 5),
            queue,
            frontier,
            new SiteCache(port(SiteStore.class, sites)),
            robots,
            port(Gate.class, gate),
            new PerServerLimit(perServer),
            work,
            putBack,
            new Heartbeat(leases, queue, clock),
            meters,
            clock);
    loop = Optional.of(crawlLoop);
    thread = Optional.of(Thread.ofPlatform().daemon().start(crawlLoop::run));
  }

  @AfterEach
  void stop() throws InterruptedException {
    stop(NO_GRACE);
  }

  private void stop(Duration grace) throws InterruptedException {
    if (loop.isPresent()) {
      loop.get().stop(grace);
    }
  }

  private Page page(Task task) {
    return Optional.ofNullable(frontier.read(List.of(task)).get(task)).orElseThrow();
  }

  private Page page(String url) {
    return page(new Task(SITE, CRAWL, CrawlUrl.of(url), CrawlDepth.ROOT, 0));
  }

  private boolean isDone(String url) {
    Task task = new Task(SITE, CRAWL, CrawlUrl.of(url), CrawlDepth.ROOT, 0);
    return Optional.ofNullable(frontier.read(List.of(task)).get(task))
        .filter(page -> page.state() == PageState.DONE)
        .isPresent();
  }

  private void awaitState(String url, PageState state) {
    await(url).until(() -> page(url).state() == state);
  }

  private void awaitEmptyQueues() {
    await("empty queues").until(() -> memory().depth().total() == 0);
  }

  private double count(Meter meter) {
    meters.drain().forEach((each, amount) -> counted.merge(each, amount, Double::sum));
    return counted.getOrDefault(meter, 0.0);
  }

  private static FetchOutcome failure(FailureKind kind, String reason) {
    return new FetchOutcome.Failed(0, kind, reason, Duration.ofMillis(1));
  }

  /** A web whose every answer waits until the latch opens, or the worker stops. */
  private static PageFetcher waitingFor(CountDownLatch latch) {
    return (url, validators) -> {
      try {
        latch.await();
        return Html.fetched(url, "<title>x</title>");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return failure(FailureKind.ABORTED, "interrupted");
      }
    };
  }

  @Test
  void run_smallWeb_isCrawledToItsEnd() {
    Map<String, String> pages =
        Map.of(
            "http://a.test/", html("root", "/1", "/2", "http://b.test/", "http://elsewhere.test/"),
            "http://a.test/1", html("one", "/", "/2"),
            "http://a.test/2", html("two", "/3", "/1"),
            "http://a.test/3", html("three"),
            "http://b.test/", html("other host", "http://a.test/3"));
    web =
        (url, validators) ->
            Html.fetched(url, Optional.ofNullable(pages.get(url.toString())).orElseThrow());
    seed("http://a.test/");
    start();
    awaitEmptyQueues();

    Map<String, PageState> states = new HashMap<>();
    frontier.forEachPage(SITE, page -> states.put(page.url().toString(), page.state()));
    assertThat(states.keySet()).isEqualTo(pages.keySet());
    assertThat(states.values()).containsOnly(PageState.DONE);
    assertThat(fetched).doesNotHaveDuplicates().hasSize(pages.size());
    Set<String> titles = new HashSet<>();
    records.forEach(
        SITE, stored -> titles.add(stored.record().fields().getOrDefault("title", "none")));
    assertThat(titles).containsExactlyInAnyOrder("root", "one", "two", "three", "other host");
  }

  @Test
  void run_siteHasAPageLimit_takesUpThatManyTheRootIncluded() {
    sites.put(
        new Site(
            SITE,
            List.of(ROOT),
            new Scope(Set.of(ROOT.hostKey())),
            new SiteLimits(3_600, Duration.ZERO, 100, 3),
            ExtractionRules.DEFAULT));
    web =
        (url, validators) -> Html.fetched(url, html("x", "/", "/1", "/2", "/3", "/4", "/5", "/6"));
    seed("http://a.test/");
    start();
    awaitEmptyQueues();

    assertThat(fetched).doesNotHaveDuplicates().hasSize(3).contains(ROOT);
    assertThat(count(Meter.PAGE_OVER_BUDGET)).isPositive();
  }

  private static String html(String title, String... links) {
    StringBuilder html = new StringBuilder("<title>" + title + "</title>");
    Stream.of(links).forEach(link -> html.append("<a href='").append(link).append("'>x</a>"));
    return html.toString();
  }

  @Test
  void run_gateDefers_parksForFiveToTenSecondsAndCountsNoFailure() {
    parking = new ParkingPolicy(Duration.ofSeconds(5), Duration.ofSeconds(10));
    AtomicBoolean open = new AtomicBoolean();
    gate =
        (site, host, limits) ->
            open.get()
                ? new Admission.Granted()
                : new Admission.Deferred(Duration.ofSeconds(1), Admission.Limit.DELAY);
    seed("http://a.test/1", "http://a.test/2", "http://a.test/3");
    start();
    await().until(() -> queue.releases.size() == 3);

    assertThat(queue.releases)
        .allSatisfy(
            parked -> assertThat(parked).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10)));
    assertThat(fetched).isEmpty();
    assertThat(page("http://a.test/1").attempts()).isZero();
    assertThat(count(Meter.TASK_THROTTLED)).isEqualTo(3);

    open.set(true);
    ahead = Duration.ofSeconds(11);
    awaitEmptyQueues();
    assertThat(page("http://a.test/1").state()).isEqualTo(PageState.DONE);
    assertThat(page("http://a.test/1").attempts()).isZero();
  }

  @Test
  void run_moreTasksThanPlacesOfAServer_neverExceedsTheLimit() {
    slots = 16;
    perServer = 2;
    Map<String, Integer> inHand = new ConcurrentHashMap<>();
    Map<String, Integer> most = new ConcurrentHashMap<>();
    CountDownLatch latch = new CountDownLatch(1);
    PageFetcher waiting = waitingFor(latch);
    web =
        (url, validators) -> {
          String host = url.hostKey().host();
          most.merge(host, inHand.merge(host, 1, Integer::sum), Math::max);
          FetchOutcome outcome = waiting.fetch(url, validators);
          inHand.merge(host, -1, Integer::sum);
          return outcome;
        };
    seed(
        IntStream.range(0, 40)
            .mapToObj(i -> "http://" + (i % 2 == 0 ? "a" : "b") + ".test/" + i)
            .toArray(String[]::new));
    start();
    await().until(() -> fetched.size() >= 4 && count(Meter.TASK_THROTTLED) > 100);
    assertThat(fetched).hasSize(4);
    latch.countDown();
    awaitEmptyQueues();

    assertThat(most).isEqualTo(Map.of("a.test", 2, "b.test", 2));
    assertThat(fetched).hasSize(40);
  }

  @Test
  void run_siteIsStopped_taskLeavesTheQueueAndThePageStaysUnfinished() {
    sites.put(site());
    sites.setState(SITE, SiteState.STOPPED, "asked to");
    seed("http://a.test/");
    start();
    awaitEmptyQueues();
    assertThat(fetched).isEmpty();
    assertThat(page("http://a.test/").state()).isEqualTo(PageState.QUEUED);
  }

  @Test
  void run_siteIsUnknown_taskLeavesTheQueueWithoutAFetch() {
    send(Priority.HIGH, new Task(new SiteId("nobody"), CRAWL, ROOT, CrawlDepth.ROOT, 0));
    start();
    awaitEmptyQueues();
    assertThat(fetched).isEmpty();
    assertThat(count(Meter.TASK_STALE)).isEqualTo(1);
  }

  @Test
  void run_pageIsSettled_taskIsDroppedWithoutAFetch() {
    Task task = claimed("http://a.test/");
    frontier.settle(
        task,
        new Settlement(PageState.DONE, "", Validators.NONE, "", Optional.empty()),
        new AttemptToken("other"),
        Instant.EPOCH);
    send(Priority.HIGH, task);
    start();
    awaitEmptyQueues();
    assertThat(fetched).isEmpty();
  }

  @Test
  void run_taskOfAnOlderGeneration_isDroppedAndTheNewerOneWorkedOn() {
    Task older = claimed("http://a.test/");
    Task newer = frontier.renew(page(older)).orElseThrow();
    send(Priority.HIGH, older);
    start();
    awaitEmptyQueues();
    assertThat(fetched).isEmpty();
    assertThat(page(older).state()).isEqualTo(PageState.QUEUED);

    send(Priority.HIGH, newer);
    awaitState("http://a.test/", PageState.DONE);
  }

  @Test
  void run_gateIsUnavailable_fetchesNothingAndParksUntilItIsBack() {
    AtomicBoolean away = new AtomicBoolean(true);
    gate =
        (site, host, limits) ->
            away.get() ? new Admission.Unavailable("connection refused") : new Admission.Granted();
    seed("http://a.test/1", "http://a.test/2");
    start();
    await().until(() -> queue.releases.size() == 2);
    assertThat(queue.releases)
        .allSatisfy(
            parked -> assertThat(parked).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1)));
    assertThat(fetched).isEmpty();
    assertThat(count(Meter.GATE_UNAVAILABLE)).isEqualTo(2);

    away.set(false);
    ahead = Duration.ofSeconds(61);
    awaitEmptyQueues();
    assertThat(page("http://a.test/2").state()).isEqualTo(PageState.DONE);
    assertThat(page("http://a.test/2").attempts()).isZero();
  }

  @Test
  void run_robotsBarThePage_itIsSkippedWithTheRule() {
    RobotsRules rules =
        RobotsRules.parse(
            "User-agent: *\nDisallow: /private\n".getBytes(StandardCharsets.UTF_8),
            "text/plain",
            "fairfleet");
    robots = url -> rules;
    seed("http://a.test/private/x", "http://a.test/open");
    start();
    awaitEmptyQueues();
    assertThat(page("http://a.test/private/x").state()).isEqualTo(PageState.SKIPPED);
    assertThat(page("http://a.test/private/x").reason()).contains("robots", "Disallow: /private");
    assertThat(page("http://a.test/open").state()).isEqualTo(PageState.DONE);
    assertThat(fetched).containsExactly(CrawlUrl.of("http://a.test/open"));
  }

  @Test
  void run_robotsUnreachable_taskIsPutBackForItsTimeAndNotFailed() {
    AtomicBoolean away = new AtomicBoolean(true);
    robots =
        url ->
            away.get()
                ? RobotsRules.unreachable("status 503", Duration.ofSeconds(45))
                : RobotsRules.allowAll();
    seed("http://a.test/");
    start();
    await().until(() -> !queue.releases.isEmpty());
    assertThat(queue.releases).containsExactly(Duration.ofSeconds(45));
    assertThat(fetched).isEmpty();

    away.set(false);
    ahead = Duration.ofSeconds(46);
    awaitState("http://a.test/", PageState.DONE);
    assertThat(page("http://a.test/").attempts()).isZero();
  }

  @Test
  void run_robotsOfOneHostAreSlow_otherPagesOfTheBatchGoOn() {
    CountDownLatch latch = new CountDownLatch(1);
    robots =
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
    seed("http://a.test/", "http://b.test/");
    start();
    awaitState("http://b.test/", PageState.DONE);
    assertThat(page("http://a.test/").state()).isEqualTo(PageState.QUEUED);
    latch.countDown();
    awaitState("http://a.test/", PageState.DONE);
  }

  @Test
  void run_pageFailsEachTime_endsFailedWithReasonAfterTheLastAttempt() {
    web = (url, validators) -> failure(FailureKind.CONNECT, "connection refused");
    seed("http://a.test/");
    start();
    awaitEmptyQueues();
    assertThat(page("http://a.test/").state()).isEqualTo(PageState.FAILED);
    assertThat(page("http://a.test/").reason()).isEqualTo("connection refused (3 attempts)");
    assertThat(fetched).hasSize(3);
  }

  @Test
  void run_pageFailsOnce_isDoneAtTheSecondAttempt() {
    web =
        (url, validators) ->
            fetched.size() == 1
                ? failure(FailureKind.STATUS, "status 500")
                : Html.fetched(url, "<title>x</title>");
    seed("http://a.test/");
    start();
    awaitState("http://a.test/", PageState.DONE);
    assertThat(page("http://a.test/").attempts()).isEqualTo(1);
  }

  @Test
  void run_serverAsksForLess_waitsAsAskedAndCountsNoFailure() {
    web =
        (url, validators) ->
            fetched.size() == 1
                ? new FetchOutcome.Throttled(
                    429, Optional.of(Duration.ofSeconds(90)), Duration.ofMillis(1))
                : Html.fetched(url, "<title>x</title>");
    seed("http://a.test/");
    start();
    await().until(() -> !queue.releases.isEmpty());
    assertThat(queue.releases).containsExactly(Duration.ofSeconds(90));
    ahead = Duration.ofSeconds(91);
    awaitState("http://a.test/", PageState.DONE);
    assertThat(page("http://a.test/").attempts()).isZero();
  }

  @Test
  void run_throttledOftenerThanTheRedriveAllows_isSentAfreshAndNeverDeadLettered() {
    leases = new LeasePolicy(Duration.ofSeconds(30), 8); // sent afresh at its third delivery
    AtomicInteger asked = new AtomicInteger();
    gate =
        (site, host, limits) ->
            asked.incrementAndGet() <= 20
                ? new Admission.Deferred(Duration.ofSeconds(1), Admission.Limit.HOURLY)
                : new Admission.Granted();
    seed("http://a.test/");
    start();
    awaitState("http://a.test/", PageState.DONE);
    awaitEmptyQueues();
    assertThat(memory().deadLetters()).isEmpty();
    // Send, then delete, for each of six fresh tasks; the last deletion is that of the done one.
    assertThat(String.join(" ", queue.endings)).isEqualTo("send delete ".repeat(6) + "delete");
    assertThat(count(Meter.TASK_RENEWED)).isEqualTo(6);
  }

  /** Field report P86: high goes first, and low has its share. */
  @Test
  void run_highIsBusy_lowGetsOnePollInFive() {
    slots = 1;
    seed(IntStream.range(0, 40).mapToObj(i -> "http://a.test/high" + i).toArray(String[]::new));
    send(
        Priority.LOW,
        IntStream.range(0, 6).mapToObj(i -> claimed("http://a.test/low" + i)).toArray(Task[]::new));
    start();
    awaitEmptyQueues();
    List<Integer> low =
        IntStream.range(0, 30)
            .filter(i -> fetched.get(i).toString().contains("low"))
            .boxed()
            .toList();
    assertThat(low).containsExactly(4, 9, 14, 19, 24, 29);
  }

  @Test
  void stop_pageInHand_finishesWithinTheGraceAndNothingElseBegins() throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    web = waitingFor(latch);
    seed("http://a.test/1");
    start();
    await().until(() -> fetched.size() == 1);
    Thread stopping = Thread.startVirtualThread(() -> stopUninterrupted(Duration.ofSeconds(30)));
    await("no more receives").until(() -> !thread.orElseThrow().isAlive());
    seed("http://a.test/2");
    latch.countDown();
    stopping.join();

    assertThat(page("http://a.test/1").state()).isEqualTo(PageState.DONE);
    assertThat(fetched).hasSize(1);
    assertThat(queue.releases).isEmpty();
    assertThat(memory().depth()).isEqualTo(new QueueDepth(1, 0, 0));
  }

  private void stopUninterrupted(Duration grace) {
    try {
      stop(grace);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Field report P106: hung pages are aborted, and visible to others at once. */
  @Test
  void stop_pagesHang_areVisibleAtOnceAfterTheGraceAndCountAsNoFailure()
      throws InterruptedException {
    web = waitingFor(new CountDownLatch(1));
    seed("http://a.test/1", "http://a.test/2");
    start();
    await().until(() -> fetched.size() == 2);
    stop(NO_GRACE);

    assertThat(memory().depth()).isEqualTo(new QueueDepth(2, 0, 0));
    assertThat(count(Meter.TASK_GIVEN_BACK)).isEqualTo(2);
    // Whatever an aborted fetch still does, it neither counts nor parks what was given back.
    await().during(Duration.ofMillis(200)).until(() -> memory().depth().visible() == 2);
    assertThat(page("http://a.test/1").attempts()).isZero();
    assertThat(page("http://a.test/2").attempts()).isZero();
  }

  /** Field report P106: so is what was received and not begun. */
  @Test
  void stop_tasksWaitForRobots_areVisibleAtOnceAfterTheGrace() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(2);
    robots =
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
    seed("http://a.test/1", "http://b.test/1");
    start();
    asked.await();
    stop(NO_GRACE);

    assertThat(memory().depth()).isEqualTo(new QueueDepth(2, 0, 0));
    await().during(Duration.ofMillis(200)).until(() -> memory().depth().visible() == 2);
    assertThat(fetched).isEmpty();
  }

  /** Field report P101, for every store: the task comes back, and slot and place are free again. */
  @ParameterizedTest
  @ValueSource(strings = {"find", "admit", "read", "claim", "settle", "put", "send", "receive"})
  void run_firstCallToAStoreFails_taskIsGivenBackAndLaterDone(String method) {
    slots = 1;
    perServer = 1;
    FirstCallFails fault = new FirstCallFails(method, new AtomicBoolean());
    failing = Optional.of(fault);
    web =
        (url, validators) ->
            Html.fetched(url, url.equals(ROOT) ? html("root", "/1") : html("leaf"));
    seed("http://a.test/");
    start();
    await().untilTrue(fault.failed());
    ahead = Duration.ofSeconds(6);

    // Each look jumps a second ahead, so that no wait is a real one.
    await(method)
        .until(
            () -> {
              ahead = ahead.plusSeconds(1);
              return isDone("http://a.test/1");
            });
    awaitEmptyQueues();
    assertThat(page("http://a.test/").state()).isEqualTo(PageState.DONE);
    assertThat(page("http://a.test/").attempts()).isZero();
  }
}
