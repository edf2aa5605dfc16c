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
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemoryGate;
import dev.fairfleet.memory.InMemoryOutlinks;
import dev.fairfleet.memory.InMemoryPageBudget;
import dev.fairfleet.memory.InMemoryRecordStore;
import dev.fairfleet.memory.InMemoryServedCounts;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.InMemorySiteWindow;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.retry.RetryPolicy;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.config.SchedulingPolicy;
import dev.fairfleet.worker.fetch.AddressGuard;
import dev.fairfleet.worker.fetch.FetchLimits;
import dev.fairfleet.worker.fetch.HttpPageFetcher;
import dev.fairfleet.worker.fetch.PageFetcher;
import dev.fairfleet.worker.fetch.SystemHostResolver;
import dev.fairfleet.worker.fetch.TestWeb;
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
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A worker dies before or after any one of its calls to a store or queue; the next one must end the
 * crawl as if nothing had happened, at the price of one repeated request.
 */
final class PageWorkCrashTest {
  private static final CrawlUrl ROOT = CrawlUrl.of("http://shop.test/");
  private static final int MOST_LIVES = 200;
  private static final CrawlId CRAWL = CrawlId.scheduledFor(Instant.EPOCH);
  private static final LeasePolicy LEASES = new LeasePolicy(Duration.ofSeconds(30), 1_000);
  private static final Map<String, String> WEB =
      Map.of(
          "/", page("root", "/a", "/b", "/b"),
          "/a", page("a", "/", "/b", "/c"),
          "/b", page("b", "/c"),
          "/c", page("c", "/a"));

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
  private static final class Kill {
    private final Moment moment;
    private int callsLeft;
    private boolean done;

    Kill(Moment moment, int call) {
      this.moment = moment;
      this.callsLeft = call;
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

  @ParameterizedTest
  @CsvSource({"BEFORE,CLASSIC", "AFTER,CLASSIC", "BEFORE,RESERVED", "AFTER,RESERVED"})
  void work_killedAtAnyCall_endsAsIfNothingHadHappened(Moment moment, SchedulingPolicy policy) {
    int call = 0;
    boolean killed;
    do {
      World world = new World(new Kill(moment, ++call), policy, ROOT, pagesThatLink());
      world.seed();
      world.drain();
      killed = world.kill.done;
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
        World world = new World(new Kill(moment, ++call), policy, web.url("/"), fetcher);
        world.seed();
        world.drain();
        killed = world.kill.done;
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

  /** The stores that outlive a worker, a clock, and a web that counts. */
  private static final class World {
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

    World(Kill kill, SchedulingPolicy policy, CrawlUrl root, PageFetcher web) {
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
      sites.startCrawl(site.id(), CRAWL, now, LEASES.visibility());
      sites.crawlStarted(site.id(), CRAWL);
    }

    void seed() {
      CrawlUrl root = site.roots().getFirst();
      queue.send(
          frontier
              .claim(Discovery.ofLinks(site.id(), CRAWL, root, CrawlDepth.ROOT), List.of(root))
              .stream()
              .map(task -> new Dispatch(task, Priority.HIGH, Duration.ZERO))
              .toList());
    }

    /** Works until every page is done, with a new worker after each death. */
    void drain() {
      for (int lives = 0; !isDone(); lives++) {
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
      worker.sweep().ifPresent(Sweep::run);
    }

    private boolean oneTask(Frontier frontier, TaskQueue queue, Worker worker) {
      for (Priority priority : Priority.values()) {
        for (Delivery delivery : queue.receive(priority, 1, Duration.ZERO).deliveries()) {
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
        PageWork work, Scheduling scheduling, Heartbeat heartbeat, Optional<Sweep> sweep) {}

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
      Refill refill = new Refill(frontier, windows, sending, meters);
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
              new ScopePolicy(),
              Robots.ALLOW_ALL,
              new InMemoryPageBudget(),
              frontier,
              scheduling,
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
                  kill.wrap(RecordStore.class, records),
                  meters,
                  () -> now),
              following,
              Robots.ALLOW_ALL,
              frontier,
              queue,
              scheduling,
              keeper,
              new ServedReport(counts),
              new RetryPolicy(3, Duration.ZERO, Duration.ZERO),
              () -> new AttemptToken(worker + "-" + attempts[0]++),
              meters,
              () -> now,
              random);
      return new Worker(
          work,
          scheduling,
          heartbeat,
          policy == SchedulingPolicy.RESERVED
              ? Optional.of(new Sweep(sites, frontier, windows, refill, meters))
              : Optional.empty());
    }

    void assertComplete(String when, Set<String> paths, Set<String> expectedTitles) {
      Map<String, Page> pages = new HashMap<>();
      frontier.forEachPage(site.id(), page -> pages.put(page.url().pathAndQuery(), page));
      assertThat(pages.keySet()).as(when).isEqualTo(paths);
      assertThat(pages.values()).as(when).allMatch(page -> page.state() == PageState.DONE);
      Set<String> titles = new HashSet<>();
      records.forEach(
          site.id(), stored -> titles.add(stored.record().fields().getOrDefault("title", "none")));
      assertThat(titles).as(when).isEqualTo(expectedTitles);
    }

    void assertRequests(String when, int needed, int repeated) {
      assertThat(requests).as(when).isBetween(needed, needed + repeated);
    }
  }

  private static String page(String title, String... links) {
    StringBuilder html = new StringBuilder("<title>" + title + "</title>");
    Stream.of(links).forEach(link -> html.append("<a href='").append(link).append("'>x</a>"));
    return html.toString();
  }
}
