package dev.fairfleet.worker;

import static org.awaitility.Awaitility.await;

import dev.fairfleet.fairness.DelayPolicy;
import dev.fairfleet.fairness.DelayTable;
import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.fairness.SlotGrid;
import dev.fairfleet.fairness.TurnPolicy;
import dev.fairfleet.fairness.WindowPolicy;
import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Outlinks;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemoryOutlinks;
import dev.fairfleet.memory.InMemoryPageBudget;
import dev.fairfleet.memory.InMemoryRecordStore;
import dev.fairfleet.memory.InMemoryServedCounts;
import dev.fairfleet.memory.InMemorySiteHealth;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.InMemorySiteWindow;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.PollPolicy;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.retry.BreakerPolicy;
import dev.fairfleet.retry.RetryPolicy;
import dev.fairfleet.retry.SiteHealth;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.EndPolicy;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LastmodPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.config.SchedulingPolicy;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.PageFetcher;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.parse.PageParser;
import dev.fairfleet.worker.parse.ParseLimits;
import dev.fairfleet.worker.parse.SitemapLimits;
import dev.fairfleet.worker.parse.SitemapReader;
import dev.fairfleet.worker.robots.Robots;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Stores and queues in memory, a web that never was, and workers with real threads on them. A test
 * sets what it needs before it starts a worker, and moves the clock of all by {@link #ahead}.
 */
final class TestFleet {
  static final CrawlId CRAWL = CrawlId.scheduledFor(Instant.EPOCH);
  static final SiteId SITE = new SiteId("shop");
  static final CrawlUrl ROOT = CrawlUrl.of("http://a.test/");
  static final Duration SWEEP = Duration.ofMinutes(1);
  static final Duration NO_GRACE = Duration.ofMillis(50);

  static {
    // How long a slow machine may take; no test waits for it to pass.
    Awaitility.setDefaultTimeout(Duration.ofMinutes(5));
  }

  SchedulingPolicy policy = SchedulingPolicy.RESERVED;
  int slots = 4;
  int perServer = 4;
  LeasePolicy leases = new LeasePolicy(Duration.ofSeconds(30), 1_000);
  ParkingPolicy parking = new ParkingPolicy(Duration.ZERO, Duration.ZERO);
  WindowPolicy windowPolicy = WindowPolicy.DEFAULT;
  SlotGrid grid = new SlotGrid(Duration.ofSeconds(1));
  TurnPolicy turns = new TurnPolicy(Duration.ofSeconds(1));
  Duration idleWait = Duration.ofMillis(20);
  long inFlightQuota = 120_000;
  BreakerPolicy breakerPolicy = BreakerPolicy.NEVER;
  Gate gate = TestGate.OPEN;
  Robots robots = Robots.ALLOW_ALL;
  Optional<PageFetcher> fetcher = Optional.empty();
  Answers web = (url, validators) -> Html.fetched(url, "<title>x</title>");
  Optional<FirstCallFails> failing = Optional.empty();

  volatile Duration ahead = Duration.ZERO;
  final InstantSource clock = () -> Instant.now().plus(ahead);
  final InMemoryFrontier frontier = new InMemoryFrontier();
  final InMemoryOutlinks outlinks = new InMemoryOutlinks();
  final InMemoryRecordStore records = new InMemoryRecordStore();
  final InMemorySiteStore sites = new InMemorySiteStore();
  final InMemorySiteWindow windows = new InMemorySiteWindow(clock);
  final InMemorySiteHealth health = new InMemorySiteHealth(clock);
  final List<CrawlUrl> fetched = new CopyOnWriteArrayList<>();
  final ObservedQueue queue = new ObservedQueue(this::memory);

  private final Meters meters = new Meters();
  private final Map<Meter, Double> counted = new ConcurrentHashMap<>();
  private final AtomicInteger attempts = new AtomicInteger();
  private final ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Member> members = new CopyOnWriteArrayList<>();
  private Optional<InMemoryTaskQueue> memory = Optional.empty();

  /** One worker. */
  record Member(
      CrawlLoop loop,
      Thread thread,
      Heartbeat heartbeat,
      Sweep sweep,
      Places places,
      PressureGauge gauge) {
    void stop(Duration grace) {
      try {
        loop.stop(grace);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private FetchOutcome answer(CrawlUrl url, Validators validators) {
    fetched.add(url);
    return web.fetch(url, validators);
  }

  /** Returns the queue itself; tests send past {@link #queue}, which watches the workers. */
  synchronized InMemoryTaskQueue memory() {
    if (memory.isEmpty()) {
      memory = Optional.of(new InMemoryTaskQueue(clock, leases));
    }
    return memory.get();
  }

  private <T> T port(Class<T> type, T real) {
    return failing.map(fault -> fault.wrap(type, real)).orElse(real);
  }

  /** Adds a site of two hosts, which is being crawled; its id is {@link #SITE} by default. */
  Site add(SiteId id, SiteLimits limits, String... hosts) {
    List<CrawlUrl> roots =
        Stream.of(hosts).map(host -> CrawlUrl.of("http://" + host + "/")).toList();
    Site site =
        new Site(
            id,
            List.of(roots.getFirst()),
            new Scope(Set.copyOf(roots.stream().map(CrawlUrl::hostKey).toList())),
            limits,
            ExtractionRules.DEFAULT);
    sites.put(site);
    sites.startCrawl(id, CRAWL, CrawlMode.FULL, clock.instant(), Duration.ofMinutes(1));
    sites.crawlStarted(id, CRAWL);
    return site;
  }

  Task claimed(SiteId site, String url) {
    CrawlUrl link = CrawlUrl.of(url);
    return frontier
        .claim(Discovery.ofLinks(site, CRAWL, link, CrawlDepth.ROOT), List.of(link))
        .getFirst();
  }

  void send(Priority priority, Task... tasks) {
    memory()
        .send(Stream.of(tasks).map(task -> new Dispatch(task, priority, Duration.ZERO)).toList());
  }

  void seed(String... urls) {
    send(Priority.HIGH, Stream.of(urls).map(url -> claimed(SITE, url)).toArray(Task[]::new));
  }

  void gateAnswers(TestGate answers) {
    gate = answers;
  }

  /** Starts a worker; of several each has its own slots, hold and eye on the queues. */
  Member start() {
    if (sites.find(SITE).isEmpty()) {
      add(SITE, SiteLimits.POLITE, "a.test", "b.test");
    }
    Random random = new Random(3);
    TaskQueue queue = port(TaskQueue.class, this.queue);
    Frontier frontier = port(Frontier.class, this.frontier);
    SiteWindow windows = port(SiteWindow.class, this.windows);
    Gate gate = port(Gate.class, this.gate);
    Heartbeat heartbeat = new Heartbeat(leases, queue, clock);
    PutBack putBack = new PutBack(queue, frontier, heartbeat, parking, leases, meters, random);
    InMemoryServedCounts counts = new InMemoryServedCounts(clock);
    DelayPolicy delays = new DelayPolicy(DelayTable.DEFAULT, 0);
    PressureGauge gauge = new PressureGauge(clock);
    InFlightWatch inFlight = new InFlightWatch(queue, inFlightQuota, clock);
    SlotSending sending =
        new SlotSending(
            queue,
            gate,
            new HostLimits(robots),
            windows,
            counts,
            gauge,
            new SlotSending.Policies(windowPolicy, grid, delays, 1),
            clock,
            random);
    SiteStore sites = port(SiteStore.class, this.sites);
    SiteCache siteCache = new SiteCache(sites, () -> clock.millis() * 1_000_000);
    Bounds bounds = new Bounds(new ScopePolicy(), robots, new InMemoryPageBudget(), clock);
    Supplier<AttemptToken> tokens = () -> new AttemptToken("t" + attempts.incrementAndGet());
    KnownPages known = new KnownPages(frontier, siteCache, bounds, tokens, clock);
    Refill refill = new Refill(frontier, known, windows, sending, meters);
    boolean reserved = policy == SchedulingPolicy.RESERVED;
    Scheduling scheduling =
        reserved
            ? new SlotScheduling(
                frontier, queue, putBack, windows, sending, refill, inFlight, background, meters)
            : new PlainScheduling(frontier, queue, putBack, counts, delays, 1, meters, random);
    GateKeeper keeper = new GateKeeper(gate, new HostLimits(robots), putBack, meters);
    Following following =
        new Following(
            bounds,
            LastmodPolicy.DEFAULT,
            siteCache,
            reserved,
            frontier,
            scheduling,
            meters,
            clock);
    RecordStore records = port(RecordStore.class, this.records);
    Breaker breaker =
        new Breaker(port(SiteHealth.class, health), breakerPolicy, sites, siteCache, meters, clock);
    PageWork work =
        new PageWork(
            fetcher.orElseGet(() -> Answers.of(this::answer)),
            new Reading(
                new PageParser(ParseLimits.DEFAULT, "fairfleet", clock),
                new SitemapReader(SitemapLimits.DEFAULT),
                following,
                port(Outlinks.class, outlinks),
                records,
                meters,
                clock),
            following,
            robots,
            frontier,
            queue,
            scheduling,
            keeper,
            breaker,
            new ServedReport(counts),
            new RetryPolicy(3, Duration.ZERO, Duration.ZERO),
            tokens,
            meters,
            clock,
            random);
    Places places = new Places(reserved ? SlotIntake.most(slots) : slots);
    InHand inHand = new InHand(places, queue, putBack, work, heartbeat, meters);
    Doorman doorman =
        new Doorman(
            inHand, siteCache, robots, keeper, breaker, work, frontier, scheduling, meters, clock);
    Ending ending =
        new Ending(
            bounds,
            sites,
            frontier,
            queue,
            windows,
            refill,
            new Deletions(frontier, records, meters, clock),
            EndPolicy.DEFAULT,
            reserved,
            meters,
            clock);
    SlotIntake slotIntake =
        new SlotIntake(
            inHand,
            doorman,
            keeper,
            new HostLines(perServer),
            new FetchSlots(slots, pagesAreNeverSlow -> {}),
            turns,
            frontier,
            scheduling);
    Polling polling =
        reserved
            ? new SlotPolling(
                inHand,
                queue,
                slotIntake,
                new EndIntake(inHand, queue, ending, slotIntake),
                PollPolicy.DEFAULT,
                gauge,
                inFlight,
                idleWait,
                clock)
            : new PlainPolling(
                inHand,
                queue,
                new EndIntake(
                    inHand,
                    queue,
                    ending,
                    new PlainIntake(
                        inHand,
                        doorman,
                        keeper,
                        new PerServerLimit(perServer),
                        frontier,
                        scheduling,
                        meters)),
                idleWait,
                5,
                clock);
    CrawlLoop loop = new CrawlLoop(polling, inHand);
    Member member =
        new Member(
            loop,
            Thread.ofPlatform().daemon().start(loop::run),
            heartbeat,
            new Sweep(sites, frontier, windows, refill, queue, SWEEP, clock),
            places,
            gauge);
    members.add(member);
    return member;
  }

  boolean isStarted() {
    return !members.isEmpty();
  }

  /** Has the first worker sweep, unless some did so within a minute. */
  void sweep() {
    members.getFirst().sweep().run();
  }

  void stop() {
    members.forEach(member -> member.stop(NO_GRACE));
    background.shutdownNow();
  }

  Page page(SiteId site, String url) {
    return frontier.find(site, List.of(CrawlUrl.of(url).hash())).getFirst();
  }

  Page page(String url) {
    return page(SITE, url);
  }

  boolean isDone(String url) {
    return frontier.find(SITE, List.of(CrawlUrl.of(url).hash())).stream()
        .anyMatch(page -> page.state() == PageState.DONE);
  }

  /** Returns the pages of a site in some state. */
  List<Page> pages(SiteId site, PageState state) {
    List<Page> pages = new CopyOnWriteArrayList<>();
    frontier.forEachPage(
        site,
        page -> {
          if (page.state() == state) {
            pages.add(page);
          }
        });
    return pages;
  }

  void awaitState(String url, PageState state) {
    await(url).until(() -> page(url).state() == state);
  }

  void awaitEmptyQueues() {
    await("empty queues").until(() -> memory().depth().total() == 0);
  }

  /** Moves the clock on, in steps, until the queues are empty. */
  void awaitEmptyQueues(Duration step) {
    await("empty queues")
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              ahead = ahead.plus(step);
              return memory().depth().total() == 0;
            });
  }

  synchronized double count(Meter meter) {
    meters.drain().forEach((each, amount) -> counted.merge(each, amount, Double::sum));
    return counted.getOrDefault(meter, 0.0);
  }

  static FetchOutcome failure(FailureKind kind, String reason) {
    return new FetchOutcome.Failed(0, kind, reason, Duration.ofMillis(1));
  }

  /** A web whose every answer waits until the latch opens, or the worker stops. */
  static Answers waitingFor(CountDownLatch latch) {
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
}
