package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.fairness.DelayPolicy;
import dev.fairfleet.fairness.DelayTable;
import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.fairness.SlotGrid;
import dev.fairfleet.fairness.WindowPolicy;
import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Outlinks;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.TaskKind;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemoryGate;
import dev.fairfleet.memory.InMemoryOutlinks;
import dev.fairfleet.memory.InMemoryPageBudget;
import dev.fairfleet.memory.InMemoryRecordStore;
import dev.fairfleet.memory.InMemoryServedCounts;
import dev.fairfleet.memory.InMemorySiteHealth;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.InMemorySiteWindow;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.retry.BreakerPolicy;
import dev.fairfleet.retry.RetryPolicy;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.EndPolicy;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LastmodPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.config.SchedulingPolicy;
import dev.fairfleet.worker.fetch.PageFetcher;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.parse.PageParser;
import dev.fairfleet.worker.parse.ParseLimits;
import dev.fairfleet.worker.parse.SitemapLimits;
import dev.fairfleet.worker.parse.SitemapReader;
import dev.fairfleet.worker.robots.Robots;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stores that outlive a worker, a clock, and a web that counts; workers that do one task after
 * the other, and one of which is killed.
 */
final class CrashWorld {
  private static final int MOST_LIVES = 200;
  private static final Duration SWEEP = Duration.ofMinutes(1);
  private static final LeasePolicy LEASES = new LeasePolicy(Duration.ofSeconds(30), 1_000);

  static final CrawlId FIRST = CrawlId.scheduledFor(Instant.EPOCH);

  /** Where in a call the worker dies. */
  enum Moment {
    BEFORE,
    AFTER
  }

  /** The end of a worker: no exception that anything catches. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Kills at the nth call through any port that it wraps. */
  static final class Kill {
    private final Moment moment;
    private int callsLeft;
    private boolean done;

    /**
     * @param call 0 for none until it is armed
     */
    Kill(Moment moment, int call) {
      this.moment = moment;
      this.callsLeft = call;
    }

    void arm(int call) {
      callsLeft = call;
    }

    boolean isDone() {
      return done;
    }

    <T> T wrap(Class<T> port, T real) {
      return port.cast(
          Proxy.newProxyInstance(
              port.getClassLoader(),
              new Class<?>[] {port},
              (proxy, method, arguments) -> {
                boolean now = !done && --callsLeft == 0;
                if (now && moment == Moment.BEFORE) {
                  done = true;
                  throw new Killed();
                }
                Object result;
                try {
                  result = method.invoke(real, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
                if (now) {
                  done = true;
                  throw new Killed();
                }
                return result;
              }));
    }
  }

  private final Kill kill;
  private Instant now = Instant.EPOCH.plusSeconds(1);
  private final InMemoryFrontier frontier = new InMemoryFrontier();
  private final InMemoryOutlinks outlinks = new InMemoryOutlinks();
  private final InMemoryRecordStore records = new InMemoryRecordStore();
  private final InMemoryTaskQueue queue = new InMemoryTaskQueue(() -> now, LEASES);
  private final Site site;
  private final PageFetcher web;
  private int requests;
  private final InMemoryGate gate = new InMemoryGate(() -> now, new Random(5));
  private final InMemorySiteWindow windows = new InMemorySiteWindow(() -> now);
  private final InMemorySiteStore sites = new InMemorySiteStore();
  private final SchedulingPolicy policy;
  private int workers;

  CrashWorld(Kill kill, SchedulingPolicy policy, CrawlUrl root, PageFetcher web) {
    this.kill = kill;
    this.policy = policy;
    this.web = web;
    this.site =
        new Site(
            new SiteId("shop"),
            List.of(root),
            new Scope(Set.of(root.hostKey())),
            // The clock stands still while a page is worked on, so the gate must not ask to wait.
            new SiteLimits(3_600_000, Duration.ZERO, 100, SiteLimits.UNLIMITED),
            ExtractionRules.DEFAULT);
    sites.put(site);
    sites.startCrawl(site.id(), FIRST, CrawlMode.FULL, now, LEASES.visibility());
    sites.crawlStarted(site.id(), FIRST);
  }

  boolean wasKilled() {
    return kill.isDone();
  }

  /** Kills at the nth call from now. */
  void arm(int call) {
    kill.arm(call);
  }

  /** Begins the first crawl. */
  void seed() {
    CrawlUrl root = site.roots().getFirst();
    send(frontier.claim(Discovery.ofLinks(site.id(), FIRST, root, CrawlDepth.ROOT), List.of(root)));
  }

  /** Begins another full crawl; its root is known, and needs no claim. */
  void seedAgain(CrawlId crawl) {
    requests = 0;
    sites.startCrawl(site.id(), crawl, CrawlMode.FULL, now, LEASES.visibility());
    send(List.of(new Task(site.id(), crawl, site.roots().getFirst(), CrawlDepth.ROOT, 0)));
    sites.crawlStarted(site.id(), crawl);
  }

  private void send(List<Task> tasks) {
    queue.send(
        tasks.stream().map(task -> new Dispatch(task, Priority.HIGH, Duration.ZERO)).toList());
  }

  /** Works until every page is done, with a new worker after each death. */
  void drain() {
    drain(this::isDone);
  }

  /** Works until the newest crawl has ended. */
  void drainToTheEnd() {
    drain(() -> end().isPresent());
  }

  Optional<CrawlEnd> end() {
    return sites.find(site.id()).flatMap(SiteStatus::run).flatMap(CrawlRun::end);
  }

  private void drain(BooleanSupplier isDone) {
    for (int lives = 0; !isDone.getAsBoolean(); lives++) {
      assertThat(lives).as("lives until every page was done").isLessThan(MOST_LIVES);
      try {
        live();
      } catch (Killed e) {
        assertThat(kill.done).isTrue();
      }
      now = now.plus(LEASES.visibility());
    }
  }

  private boolean isDone() {
    List<Page> unfinished = new ArrayList<>();
    frontier.forEachPage(
        site.id(),
        page -> {
          if (!page.state().isFinal()) {
            unfinished.add(page);
          }
        });
    return unfinished.isEmpty() && queue.depth().total() == 0;
  }

  private void live() {
    Frontier frontier = kill.wrap(Frontier.class, this.frontier);
    TaskQueue queue = kill.wrap(TaskQueue.class, this.queue);
    Worker worker = worker(frontier, queue);
    while (oneTask(frontier, queue, worker)) {
      now = now.plusMillis(10);
    }
    worker.sweep().run();
  }

  private boolean oneTask(Frontier frontier, TaskQueue queue, Worker worker) {
    for (Priority priority : Priority.values()) {
      for (Delivery delivery : queue.receive(priority, 1, Duration.ZERO).deliveries()) {
        if (delivery.task().kind() == TaskKind.END) {
          worker.ending().look(delivery.task());
          queue.delete(delivery.lease());
          return true;
        }
        Optional<Page> page =
            Optional.ofNullable(frontier.read(List.of(delivery.task())).get(delivery.task()));
        worker.heartbeat().add(delivery.lease());
        if (page.filter(known -> !known.makesStale(delivery.task())).isPresent()) {
          worker.work().work(delivery, page.get(), site, () -> {});
        } else {
          if (page.filter(known -> known.state().isFinal()).isPresent()) {
            worker.scheduling().settled(delivery.task(), site);
          }
          queue.delete(delivery.lease());
        }
        return true;
      }
    }
    return false;
  }

  private record Worker(
      PageWork work, Scheduling scheduling, Heartbeat heartbeat, Sweep sweep, Ending ending) {}

  private Worker worker(Frontier frontier, TaskQueue queue) {
    int worker = ++workers;
    int[] attempts = new int[1];
    Meters meters = new Meters();
    Random random = new Random(7);
    InMemoryServedCounts counts = new InMemoryServedCounts(() -> now);
    Gate gate = kill.wrap(Gate.class, this.gate);
    SiteWindow windows = kill.wrap(SiteWindow.class, this.windows);
    Heartbeat heartbeat = new Heartbeat(LEASES, queue, () -> now);
    PutBack putBack =
        new PutBack(
            queue,
            frontier,
            heartbeat,
            new ParkingPolicy(Duration.ZERO, Duration.ZERO),
            LEASES,
            meters,
            random);
    DelayPolicy delays = new DelayPolicy(DelayTable.DEFAULT, 0);
    SlotSending sending =
        new SlotSending(
            queue,
            gate,
            new HostLimits(Robots.ALLOW_ALL),
            windows,
            counts,
            new PressureGauge(() -> now),
            new SlotSending.Policies(
                // So small that links must wait on the shelf.
                new WindowPolicy(Duration.ofSeconds(1), 1, 1), SlotGrid.DEFAULT, delays, 1),
            () -> now,
            random);
    SiteStore sites = kill.wrap(SiteStore.class, this.sites);
    SiteCache siteCache = new SiteCache(sites);
    Bounds bounds =
        new Bounds(new ScopePolicy(), Robots.ALLOW_ALL, new InMemoryPageBudget(), () -> now);
    Supplier<AttemptToken> tokens = () -> new AttemptToken(worker + "-" + attempts[0]++);
    KnownPages known = new KnownPages(frontier, siteCache, bounds, tokens, () -> now);
    Refill refill = new Refill(frontier, known, windows, sending, meters);
    Scheduling scheduling =
        policy == SchedulingPolicy.RESERVED
            ? new SlotScheduling(
                frontier,
                queue,
                putBack,
                windows,
                sending,
                refill,
                new InFlightWatch(queue, 120_000, () -> now),
                Runnable::run,
                meters)
            : new PlainScheduling(frontier, queue, putBack, counts, delays, 1, meters, random);
    GateKeeper keeper = new GateKeeper(gate, new HostLimits(Robots.ALLOW_ALL), putBack, meters);
    Following following =
        new Following(
            bounds,
            LastmodPolicy.DEFAULT,
            siteCache,
            policy == SchedulingPolicy.RESERVED,
            frontier,
            scheduling,
            meters,
            () -> now);
    RecordStore records = kill.wrap(RecordStore.class, this.records);
    Breaker breaker =
        new Breaker(
            new InMemorySiteHealth(() -> now),
            BreakerPolicy.NEVER,
            sites,
            siteCache,
            meters,
            () -> now);
    PageWork work =
        new PageWork(
            (request, beforeRequest) -> {
              requests++;
              return web.fetch(request, beforeRequest);
            },
            new Reading(
                new PageParser(ParseLimits.DEFAULT, "fairfleet", () -> now),
                new SitemapReader(SitemapLimits.DEFAULT),
                following,
                kill.wrap(Outlinks.class, outlinks),
                records,
                meters,
                () -> now),
            following,
            Robots.ALLOW_ALL,
            frontier,
            queue,
            scheduling,
            keeper,
            breaker,
            new ServedReport(counts),
            new RetryPolicy(3, Duration.ZERO, Duration.ZERO),
            tokens,
            meters,
            () -> now,
            random);
    boolean reserved = policy == SchedulingPolicy.RESERVED;
    return new Worker(
        work,
        scheduling,
        heartbeat,
        new Sweep(sites, frontier, windows, refill, queue, SWEEP, () -> now),
        new Ending(
            bounds,
            sites,
            frontier,
            queue,
            windows,
            refill,
            new Deletions(frontier, records, meters, () -> now),
            EndPolicy.DEFAULT,
            reserved,
            meters,
            () -> now));
  }

  void assertComplete(String when, Set<String> paths, Set<String> expectedTitles) {
    assertThat(paths(null, null)).as(when).isEqualTo(paths);
    assertThat(paths(null, PageState.DONE)).as(when).isEqualTo(paths);
    assertThat(titles(false)).as(when).isEqualTo(expectedTitles);
  }

  /** Returns the paths of pages; null stands for any crawl and any state. */
  Set<String> paths(@Nullable CrawlId crawl, @Nullable PageState state) {
    Set<String> paths = new HashSet<>();
    frontier.forEachPage(
        site.id(),
        page -> {
          if ((crawl == null || page.crawl().equals(crawl))
              && (state == null || page.state() == state)) {
            paths.add(page.url().pathAndQuery());
          }
        });
    return paths;
  }

  Set<String> titles(boolean deleted) {
    Set<String> titles = new HashSet<>();
    records.forEach(
        site.id(),
        stored -> {
          if (stored.tombstone().isPresent() == deleted) {
            titles.add(stored.record().fields().getOrDefault("title", "none"));
          }
        });
    return titles;
  }

  void assertRequests(String when, int needed, int repeated) {
    assertThat(requests).as(when).isBetween(needed, needed + repeated);
  }
}
