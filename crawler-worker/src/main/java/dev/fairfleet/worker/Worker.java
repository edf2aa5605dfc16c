package dev.fairfleet.worker;

import dev.fairfleet.dynamodb.DynamoDbClients;
import dev.fairfleet.dynamodb.DynamoDbFrontier;
import dev.fairfleet.dynamodb.DynamoDbOutlinks;
import dev.fairfleet.dynamodb.DynamoDbRecordStore;
import dev.fairfleet.dynamodb.DynamoDbSiteStore;
import dev.fairfleet.dynamodb.TablePrefix;
import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.fairness.SlotGrid;
import dev.fairfleet.fairness.TurnPolicy;
import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.queue.PollPolicy;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisGate;
import dev.fairfleet.redis.RedisPageBudget;
import dev.fairfleet.redis.RedisRobotsStore;
import dev.fairfleet.redis.RedisServedCounts;
import dev.fairfleet.redis.RedisSiteHealth;
import dev.fairfleet.redis.RedisSiteWindow;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.EndPolicy;
import dev.fairfleet.site.LastmodPolicy;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.sqs.Queues;
import dev.fairfleet.sqs.SqsClients;
import dev.fairfleet.sqs.SqsTaskQueue;
import dev.fairfleet.worker.config.SchedulingPolicy;
import dev.fairfleet.worker.config.WorkerConfig;
import dev.fairfleet.worker.fetch.AddressGuard;
import dev.fairfleet.worker.fetch.FetchLimits;
import dev.fairfleet.worker.fetch.HttpPageFetcher;
import dev.fairfleet.worker.fetch.SystemHostResolver;
import dev.fairfleet.worker.metrics.CallMeter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.metrics.MetricsLine;
import dev.fairfleet.worker.parse.PageParser;
import dev.fairfleet.worker.parse.ParseLimits;
import dev.fairfleet.worker.parse.SitemapLimits;
import dev.fairfleet.worker.parse.SitemapReader;
import dev.fairfleet.worker.robots.RobotsCache;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** One worker with everything it needs: made once, run once, stopped once. */
final class Worker {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);
  private static final int TICKS = 4;
  private static final Duration BEAT = Duration.ofMillis(500);
  private static final Duration SERVED = Duration.ofSeconds(1);
  private static final Duration SWEEP = Duration.ofSeconds(10);
  private static final Duration LAST_REFILLS = Duration.ofSeconds(5);
  private static final Duration REDIS_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration PERCENTILE_FRESH = Duration.ofSeconds(1);

  private final String id;
  private final WorkerConfig config;
  private final CrawlLoop loop;
  private final Heartbeat heartbeat;
  private final ServedReport served;
  private final Sweep sweep;
  private final Meters meters;
  private final PrintStream metricsOut;
  private final InstantSource clock;
  private final List<AutoCloseable> closing;
  // A thread for each, so that leases are renewed however long a sweep takes.
  private final ScheduledExecutorService ticks =
      Executors.newScheduledThreadPool(TICKS, Thread.ofPlatform().daemon().name("ticks").factory());
  private final CountDownLatch ended = new CountDownLatch(1);

  private Worker(
      String id,
      WorkerConfig config,
      CrawlLoop loop,
      Heartbeat heartbeat,
      ServedReport served,
      Sweep sweep,
      Meters meters,
      PrintStream metricsOut,
      InstantSource clock,
      List<AutoCloseable> closing) {
    this.id = id;
    this.config = config;
    this.loop = loop;
    this.heartbeat = heartbeat;
    this.served = served;
    this.sweep = sweep;
    this.meters = meters;
    this.metricsOut = metricsOut;
    this.clock = clock;
    this.closing = closing;
  }

  /**
   * Wires a worker and looks its queues up.
   *
   * @throws RuntimeException if a queue does not exist or SQS cannot be reached
   */
  static Worker connect(WorkerConfig config) {
    String id = config.id().isEmpty() ? "worker-" + ProcessHandle.current().pid() : config.id();
    InstantSource clock = InstantSource.system();
    RandomGenerator random = new ThreadRandom();
    Meters meters = new Meters();
    List<ExecutionInterceptor> counting = List.of(new CallMeter(meters));
    List<AutoCloseable> closing = new ArrayList<>();

    SqsClient sqs = SqsClients.create(counting);
    closing.add(sqs);
    TaskQueue queue =
        new SqsTaskQueue(
            sqs,
            Queues.find(sqs, config.queue().prefix()),
            config.lease(),
            SqsTaskQueue.Lingering.DEFAULT,
            clock,
            random);
    closing.add(queue);
    DynamoDbClient dynamoDb =
        DynamoDbClients.create(Optional.empty(), connections(config), counting);
    closing.add(dynamoDb);
    TablePrefix tables = new TablePrefix(config.tables().prefix());
    Frontier frontier = new DynamoDbFrontier(dynamoDb, tables, config.tables().seenCache());
    RedisConnection redis =
        new RedisConnection(config.redisUrl(), config.redisCluster(), REDIS_TIMEOUT);
    closing.add(redis);
    // So that the first tasks are not parked meanwhile; a worker starts without a gate, too.
    redis.tryOpen();
    String fleet = config.queue().prefix();
    RedisServedCounts counts = new RedisServedCounts(redis, fleet, PERCENTILE_FRESH);
    HttpPageFetcher fetcher =
        new HttpPageFetcher(
            userAgent(config.fetch()),
            limits(config.fetch()),
            new SystemHostResolver(),
            new AddressGuard(config.fetch().allowLoopback()),
            clock);
    closing.add(fetcher);

    ServedReport served = new ServedReport(counts);
    Heartbeat heartbeat = new Heartbeat(config.lease(), queue, clock);
    PutBack putBack =
        new PutBack(queue, frontier, heartbeat, config.parking(), config.lease(), meters, random);
    SiteStore sites = new DynamoDbSiteStore(dynamoDb, tables, random);
    Gate gate = new RedisGate(redis, fleet, random);
    SiteWindow windows = new RedisSiteWindow(redis, fleet);
    RobotsCache robots =
        new RobotsCache(
            fetcher.forRobots(),
            new RedisRobotsStore(redis, fleet),
            config.fetch().userAgent(),
            config.robots(),
            clock);
    HostLimits hostLimits = new HostLimits(robots);
    PressureGauge gauge = new PressureGauge(clock);
    InFlightWatch inFlight = new InFlightWatch(queue, config.inFlightQuota(), clock);
    SlotSending sending =
        new SlotSending(
            queue,
            gate,
            hostLimits,
            windows,
            counts,
            gauge,
            new SlotSending.Policies(
                config.windows(), SlotGrid.DEFAULT, config.delay(), config.queue().highDepth()),
            clock,
            random);
    SiteCache siteCache = new SiteCache(sites);
    Bounds bounds = new Bounds(new ScopePolicy(), robots, new RedisPageBudget(redis, fleet), clock);
    AtomicLong attempts = new AtomicLong();
    String tokenPrefix = id + "-" + Long.toString(clock.millis(), 36) + "-";
    Supplier<AttemptToken> tokens =
        () -> new AttemptToken(tokenPrefix + attempts.incrementAndGet());
    KnownPages known = new KnownPages(frontier, siteCache, bounds, tokens, clock);
    Refill refill = new Refill(frontier, known, windows, sending, meters);
    ExecutorService background = Executors.newVirtualThreadPerTaskExecutor();
    closing.add(() -> end(background));
    boolean slots = config.policy() == SchedulingPolicy.RESERVED;
    Scheduling scheduling =
        slots
            ? new SlotScheduling(
                frontier, queue, putBack, windows, sending, refill, inFlight, background, meters)
            : new PlainScheduling(
                frontier,
                queue,
                putBack,
                counts,
                config.delay(),
                config.queue().highDepth(),
                meters,
                random);
    GateKeeper keeper = new GateKeeper(gate, hostLimits, putBack, meters);
    Breaker breaker =
        new Breaker(
            new RedisSiteHealth(redis, fleet), config.breaker(), sites, siteCache, meters, clock);
    Following following =
        new Following(
            bounds, LastmodPolicy.DEFAULT, siteCache, slots, frontier, scheduling, meters, clock);
    RecordStore records = new DynamoDbRecordStore(dynamoDb, tables);
    PageWork pageWork =
        new PageWork(
            fetcher,
            new Reading(
                new PageParser(
                    new ParseLimits(
                        config.maxLinks(),
                        ParseLimits.DEFAULT.valueLength(),
                        ParseLimits.DEFAULT.depth()),
                    config.fetch().userAgent(),
                    clock),
                new SitemapReader(SitemapLimits.DEFAULT),
                following,
                new DynamoDbOutlinks(dynamoDb, tables),
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
            served,
            config.retry(),
            tokens,
            meters,
            clock,
            random);
    Places places = new Places(slots ? SlotIntake.most(config.slots()) : config.slots());
    InHand inHand = new InHand(places, queue, putBack, pageWork, heartbeat, meters);
    Doorman doorman =
        new Doorman(
            inHand,
            siteCache,
            robots,
            keeper,
            breaker,
            pageWork,
            frontier,
            scheduling,
            meters,
            clock);
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
            slots,
            meters,
            clock);
    Polling polling =
        slots
            ? slotPolling(
                inHand,
                queue,
                ending,
                new SlotIntake(
                    inHand,
                    doorman,
                    keeper,
                    new HostLines(config.perServer()),
                    new FetchSlots(config.slots()),
                    TurnPolicy.DEFAULT,
                    frontier,
                    scheduling),
                gauge,
                inFlight,
                config,
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
                        new PerServerLimit(config.perServer()),
                        frontier,
                        scheduling,
                        meters)),
                config.queue().plainIdleWait(),
                config.queue().lowShare(),
                clock);
    CrawlLoop loop = new CrawlLoop(polling, inHand);
    Sweep sweep = new Sweep(sites, frontier, windows, refill, queue, config.sweep(), clock);
    Collections.reverse(closing);
    return new Worker(
        id,
        config,
        loop,
        heartbeat,
        served,
        sweep,
        meters,
        System.out,
        clock,
        List.copyOf(closing));
  }

  private static Polling slotPolling(
      InHand inHand,
      TaskQueue queue,
      Ending ending,
      SlotIntake slots,
      PressureGauge gauge,
      InFlightWatch inFlight,
      WorkerConfig config,
      InstantSource clock) {
    return new SlotPolling(
        inHand,
        queue,
        slots,
        new EndIntake(inHand, queue, ending, slots),
        PollPolicy.DEFAULT,
        gauge,
        inFlight,
        config.queue().idleWait(),
        clock);
  }

  /** Lets what is half done finish, because only the sweep would find it; but not for long. */
  private static void end(ExecutorService background) throws InterruptedException {
    background.shutdown();
    if (!background.awaitTermination(LAST_REFILLS.toMillis(), TimeUnit.MILLISECONDS)) {
      background.shutdownNow();
    }
  }

  private static int connections(WorkerConfig config) {
    return Math.clamp(config.slots() * 2L, 16, 256);
  }

  private static String userAgent(WorkerConfig.Fetch fetch) {
    return fetch.contact().isEmpty()
        ? fetch.userAgent()
        : fetch.userAgent() + " (+" + fetch.contact() + ")";
  }

  private static FetchLimits limits(WorkerConfig.Fetch fetch) {
    return new FetchLimits(
        fetch.connectTimeout(),
        fetch.idleTimeout(),
        fetch.deadline(),
        fetch.maxBytes(),
        FetchLimits.PAGE.headerLine(),
        FetchLimits.PAGE.headers(),
        FetchLimits.PAGE.types());
  }

  /** Works until {@link #stop} is called. */
  void run() throws InterruptedException {
    every(BEAT, heartbeat::beat);
    every(SERVED, served::flush);
    every(SWEEP, sweep::run);
    every(config.metricsInterval(), this::report);
    log.info("Worker {} polls its queues: {}", id, config);
    report();
    loop.run();
    ended.await();
  }

  // The tick catches what it throws, so its future has nothing to tell.
  @SuppressWarnings("FutureReturnValueIgnored")
  private void every(Duration interval, Runnable tick) {
    ticks.scheduleWithFixedDelay(
        () -> {
          try {
            tick.run();
          } catch (RuntimeException e) {
            log.warn("A periodic task failed, and will run again: {}", e.toString());
          }
        },
        interval.toMillis(),
        interval.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  private void report() {
    metricsOut.println(MetricsLine.of(id, clock.instant(), meters.drain()));
    metricsOut.flush();
  }

  /** Finishes or gives back what is in hand, tells what was counted, and closes everything. */
  void stop() {
    log.info("Worker {} stops", id);
    try {
      loop.stop(config.grace());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ticks.shutdownNow();
    served.flush();
    for (AutoCloseable each : closing) {
      try {
        each.close();
      } catch (Exception e) {
        log.warn("{} could not be closed: {}", each, e.toString());
      }
    }
    report();
    ended.countDown();
  }

  /** A generator that any thread may use: each draws from its own. */
  private static final class ThreadRandom implements RandomGenerator {
    @Override
    public long nextLong() {
      return ThreadLocalRandom.current().nextLong();
    }
  }
}
