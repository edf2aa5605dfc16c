package dev.fairfleet.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LinkPolicy;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.site.SitemapPolicy;
import dev.fairfleet.url.CrawlUrl;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SeederTest {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final SeedRequest REQUEST = new SeedRequest(NOON, Optional.empty());
  private static final CrawlId CRAWL = CrawlId.scheduledFor(NOON);
  private static final Settlement DONE = Settlement.of(PageState.DONE, "", Optional.empty());

  private final InMemorySiteStore sites = new InMemorySiteStore();
  private final InMemoryFrontier frontier = new InMemoryFrontier();
  private Instant now = NOON.plusSeconds(1);
  private final InstantSource clock = () -> now;
  private final InMemoryTaskQueue queue =
      new InMemoryTaskQueue(clock, new LeasePolicy(Duration.ofMinutes(5), 50));
  private final Seeder seeder = new Seeder(sites, frontier, queue, clock);

  /** The end of a process: no {@link RuntimeException}, so nothing handles it. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private void add(String id, String... paths) {
    List<CrawlUrl> roots =
        List.of(paths).stream().map(path -> CrawlUrl.of("https://" + id + ".test" + path)).toList();
    sites.put(
        new Site(
            new SiteId(id),
            roots,
            new Scope(Set.of(roots.getFirst().hostKey())),
            SiteLimits.POLITE,
            ExtractionRules.DEFAULT));
  }

  private SeedResult seed(SeedRequest request) {
    return seeder.seed(request, Instant.MAX);
  }

  private List<Task> receiveAll(Priority priority) {
    List<Task> tasks = new ArrayList<>();
    List<Delivery> batch;
    do {
      batch = queue.receive(priority, TaskQueue.MAX_BATCH, Duration.ZERO).deliveries();
      batch.forEach(delivery -> tasks.add(delivery.task()));
    } while (!batch.isEmpty());
    return tasks;
  }

  private List<Task> receiveFresh() {
    return receiveAll(Priority.HIGH).stream().filter(task -> !page(task).makesStale(task)).toList();
  }

  private Page page(Task task) {
    return frontier.read(List.of(task)).values().iterator().next();
  }

  private SiteStatus status(String id) {
    return sites.find(new SiteId(id)).orElseThrow();
  }

  @Test
  void seed_activeSites_sendsEachRootToTheHighQueueAtOnce() {
    add("a", "/", "/news");
    add("b", "/");
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 2, 0, 0, 0, 0, Map.of()));
    assertThat(receiveAll(Priority.HIGH))
        .containsExactlyInAnyOrder(
            task("a", "https://a.test/"),
            task("a", "https://a.test/news"),
            task("b", "https://b.test/"));
    assertThat(queue.depth().delayed()).isZero();
    assertThat(receiveAll(Priority.LOW)).isEmpty();
    assertThat(status("a").crawl()).contains(CRAWL);
    assertThat(status("a").started()).isTrue();
  }

  private static Task task(String site, String url) {
    return new Task(new SiteId(site), CRAWL, CrawlUrl.of(url), CrawlDepth.ROOT, 0);
  }

  @Test
  void seed_rootListedTwice_isSentOnce() {
    add("a", "/", "/");
    seed(REQUEST);
    assertThat(receiveAll(Priority.HIGH)).containsExactly(task("a", "https://a.test/"));
  }

  @Test
  void seed_stoppedSite_isSkipped() {
    add("a", "/");
    add("b", "/");
    sites.setState(new SiteId("a"), SiteState.STOPPED, "five failures", now);
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 1, 1, 0, 0, 0, Map.of()));
    assertThat(receiveAll(Priority.HIGH)).containsExactly(task("b", "https://b.test/"));
  }

  // P91: a scheduled Lambda ran twice for one tick.
  @Test
  void seed_sameScheduledTimeAgain_startsNothing() {
    add("a", "/");
    seed(REQUEST);
    receiveAll(Priority.HIGH);
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 0, 1, 0, 0, 0, Map.of()));
    assertThat(receiveAll(Priority.HIGH)).isEmpty();
  }

  @Test
  void seed_olderScheduledTime_leavesTheNewerCrawlAlone() {
    add("a", "/");
    seed(REQUEST);
    assertThat(seed(new SeedRequest(NOON.minusMillis(1), Optional.empty())).skipped()).isOne();
    assertThat(status("a").crawl()).contains(CRAWL);
  }

  @Test
  void seed_laterScheduledTime_startsTheNextCrawl() {
    add("a", "/");
    crawlAt(NOON, "a");
    now = NOON.plus(Duration.ofDays(1));
    SeedResult next = seed(new SeedRequest(now, Optional.empty()));
    assertThat(next.started()).isOne();
    assertThat(status("a").crawl()).contains(CrawlId.scheduledFor(now));
  }

  @Test
  void seed_scheduledTimeAheadOfTheClock_isAllowedForClocksThatDiffer() {
    add("a", "/");
    Instant ahead = now.plus(Seeder.MOST_AHEAD);
    assertThat(seed(new SeedRequest(ahead, Optional.empty())).started()).isOne();
  }

  @Test
  void seed_scheduledTimeFurtherAhead_isRefusedBeforeAnythingStarts() {
    add("a", "/");
    Instant ahead = now.plus(Seeder.MOST_AHEAD).plusMillis(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> seed(new SeedRequest(ahead, Optional.empty())))
        .withMessageContaining("No crawl was started");
    assertThat(status("a").crawl()).isEmpty();
  }

  @Test
  void seed_someSites_startsOnlyThoseAndNamesTheUnknown() {
    add("a", "/");
    add("b", "/");
    SeedResult result =
        seed(new SeedRequest(NOON, Optional.of(Set.of(new SiteId("b"), new SiteId("nope")))));
    assertThat(result.started()).isOne();
    assertThat(result.reasons())
        .containsExactly(Map.entry(new SiteId("nope"), "There is no such site"));
    assertThat(status("a").crawl()).isEmpty();
  }

  @Test
  void seed_oneSiteThatFails_isReportedAndTheOthersStart() {
    add("a", "/");
    add("b", "/");
    add("c", "/");
    Seeder broken = new Seeder(sites, failingFor("b"), queue, clock);
    SeedResult result = broken.seed(REQUEST, Instant.MAX);
    assertThat(result.started()).isEqualTo(2);
    assertThat(result.failed()).isOne();
    assertThat(result.reasons().get(new SiteId("b"))).contains("no room");
    assertThat(result.isComplete()).isFalse();
    now = now.plus(Seeder.LEASE);
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 1, 2, 0, 0, 0, Map.of()));
  }

  @Test
  void seed_allSitesFail_countsAllAndExplainsSome() {
    IntStream.range(0, SeedResult.MAX_REASONS + 1).forEach(i -> add("s" + i, "/"));
    Seeder broken = new Seeder(sites, failingFor(""), queue, clock);
    SeedResult result = broken.seed(REQUEST, Instant.MAX);
    assertThat(result.failed()).isEqualTo(SeedResult.MAX_REASONS + 1);
    assertThat(result.reasons()).hasSize(SeedResult.MAX_REASONS);
  }

  private Frontier failingFor(String site) {
    return watched(
        Frontier.class,
        frontier,
        call -> {
          String name =
              call.getFirst() instanceof Discovery found
                  ? found.site().value()
                  : call.getFirst().toString();
          if (name.contains(site)) {
            throw new IllegalStateException("no room for " + call.getFirst());
          }
        },
        () -> {});
  }

  @Test
  void seed_deadlineReached_leavesTheRestToTheNextRequest() {
    add("a", "/");
    add("b", "/");
    Instant deadline = now.plusSeconds(1);
    Seeder slow = watched(() -> {}, () -> now = now.plusMillis(250), 1);
    assertThat(slow.seed(REQUEST, deadline))
        .isEqualTo(new SeedResult(CRAWL, 1, 0, 1, 0, 0, Map.of()));
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 1, 1, 0, 0, 0, Map.of()));
  }

  @Test
  void seed_deadlineInThePast_leavesEverySite() {
    add("a", "/");
    assertThat(seeder.seed(REQUEST, now)).isEqualTo(new SeedResult(CRAWL, 0, 0, 1, 0, 0, Map.of()));
    assertThat(status("a").crawl()).isEmpty();
  }

  @Test
  void seed_manySites_startsThoseFirstThatWaitedLongest() {
    addThatWaited();
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    SiteStore starts =
        watched(
            SiteStore.class,
            sites,
            call ->
                call.stream().filter(SiteId.class::isInstance).forEach(id -> order.add("" + id)),
            () -> {});
    new Seeder(starts, frontier, queue, clock, 10, 1).seed(REQUEST, Instant.MAX);
    assertThat(order.stream().distinct()).containsExactly("never", "old", "young");
  }

  private void addThatWaited() {
    add("young", "/");
    add("old", "/");
    add("never", "/");
    crawlAt(NOON.minus(Duration.ofDays(1)), "young");
    crawlAt(NOON.minus(Duration.ofDays(2)), "old");
  }

  /** Runs a crawl to its end; its pages are those that its roots made. */
  private void crawlAt(Instant time, String site) {
    assertThat(seedAt(time, site).started()).isOne();
    end(site);
  }

  private SeedResult seedAt(Instant time, String site) {
    return seed(new SeedRequest(time, Optional.of(Set.of(new SiteId(site)))));
  }

  private void end(String site) {
    sites.crawlEnded(
        new SiteId(site),
        status(site).crawl().orElseThrow(),
        new CrawlEnd(now, 1, 0, 0, 0, 0, true, ""));
  }

  @Test
  void seed_moreDueThanOneRunStarts_startsThoseThatWaitedLongestAndPostponesTheRest() {
    addThatWaited();
    SeedRequest two = new SeedRequest(NOON, Optional.empty(), Optional.empty(), OptionalInt.of(2));
    SeedResult first = seed(two);
    assertThat(first).isEqualTo(new SeedResult(CRAWL, 2, 0, 0, 1, 0, Map.of()));
    assertThat(first.isComplete()).isTrue();
    assertThat(status("young").crawl()).isNotEqualTo(Optional.of(CRAWL));
    assertThat(seed(two)).isEqualTo(new SeedResult(CRAWL, 1, 2, 0, 0, 0, Map.of()));
    assertThat(status("young").crawl()).contains(CRAWL);
  }

  @Test
  void seed_requestWithoutNumber_startsAsManyAsTheSeederMay() {
    addThatWaited();
    SeedResult result = new Seeder(sites, frontier, queue, clock, 1).seed(REQUEST, Instant.MAX);
    assertThat(result).isEqualTo(new SeedResult(CRAWL, 1, 0, 0, 2, 0, Map.of()));
    assertThat(status("never").crawl()).contains(CRAWL);
  }

  @Test
  void seed_siteThatIsNotDue_isSkippedUnlessItIsNamed() {
    add("a", "/");
    crawlAt(NOON.minus(Duration.ofDays(1)).plusMillis(1), "a");
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 0, 1, 0, 0, 0, Map.of()));
    assertThat(seedAt(NOON, "a").started()).isOne();
  }

  @Test
  void seed_crawlThatGoesOn_isLeftAloneUnlessItsSiteIsNamed() {
    add("a", "/");
    seedAt(NOON.minus(Duration.ofDays(3)), "a");
    assertThat(seed(REQUEST).skipped()).isOne();
    assertThat(seedAt(NOON, "a").started()).isOne();
    assertThat(status("a").run().flatMap(CrawlRun::previous)).isPresent();
  }

  @Test
  void seed_namedSiteThatIsStopped_isSkipped() {
    add("a", "/");
    sites.setState(new SiteId("a"), SiteState.STOPPED, "", now);
    assertThat(seedAt(NOON, "a")).isEqualTo(new SeedResult(CRAWL, 0, 1, 0, 0, 0, Map.of()));
  }

  @Test
  void seed_startThatDiedInAnEarlierRun_isDueAtTheNextScheduledTime() {
    add("a", "/");
    sites.startCrawl(
        new SiteId("a"),
        CrawlId.scheduledFor(NOON.minusSeconds(300)),
        CrawlMode.FULL,
        now,
        Seeder.LEASE);
    assertThat(seed(REQUEST).started()).isOne();
    assertThat(status("a").crawl()).contains(CRAWL);
  }

  @Test
  void seed_incrementalSite_isCrawledInFullOnlyWhenThatIsDueOrAskedFor() {
    addIncremental("a");
    crawlAt(NOON.minus(Duration.ofDays(2)), "a");
    assertThat(mode("a")).isEqualTo(CrawlMode.FULL);
    seed(REQUEST);
    assertThat(mode("a")).isEqualTo(CrawlMode.INCREMENTAL);
    now = NOON.plusSeconds(60);
    seed(
        new SeedRequest(
            now,
            Optional.of(Set.of(new SiteId("a"))),
            Optional.of(CrawlMode.FULL),
            OptionalInt.empty()));
    assertThat(mode("a")).isEqualTo(CrawlMode.FULL);
  }

  private CrawlMode mode(String site) {
    return status(site).run().orElseThrow().mode();
  }

  private void addIncremental(String id) {
    CrawlUrl root = CrawlUrl.of("https://" + id + ".test/");
    sites.put(
        new Site(
            new SiteId(id),
            List.of(root),
            new Scope(Set.of(root.hostKey())),
            SiteLimits.POLITE,
            ExtractionRules.DEFAULT,
            LinkPolicy.DEFAULT,
            SitemapPolicy.DEFAULT,
            new RecrawlPolicy(
                CrawlMode.INCREMENTAL, Duration.ofDays(1), Duration.ofDays(7), Duration.ZERO)));
  }

  @Test
  void seed_rootThatAnEarlierCrawlRead_isSentWithoutAClaim() {
    add("a", "/", "/news");
    Instant yesterday = NOON.minus(Duration.ofDays(1));
    crawlAt(yesterday, "a");
    settle("https://a.test/", yesterday);
    receiveAll(Priority.HIGH);

    assertThat(seed(REQUEST).started()).isOne();

    assertThat(pageOf("https://a.test/").crawl()).isEqualTo(CrawlId.scheduledFor(yesterday));
    assertThat(pageOf("https://a.test/news").crawl()).isEqualTo(CRAWL);
    assertThat(receiveAll(Priority.HIGH))
        .as("a claim of a known page makes any task of it that is on its way stale")
        .containsExactlyInAnyOrder(
            task("a", "https://a.test/"), again(task("a", "https://a.test/news")));
  }

  private static Task again(Task task) {
    return new Task(task.site(), task.crawl(), task.url(), task.depth(), task.generation() + 1);
  }

  private Page pageOf(String url) {
    return frontier.find(new SiteId("a"), List.of(CrawlUrl.of(url).hash())).getFirst();
  }

  private void settle(String url, Instant crawl) {
    Task task =
        new Task(
            new SiteId("a"), CrawlId.scheduledFor(crawl), CrawlUrl.of(url), CrawlDepth.ROOT, 0);
    assertThat(frontier.settle(task, DONE, new AttemptToken("test"), now)).isTrue();
  }

  @Test
  void seed_leaseHeldByAnotherInvocation_isLeftUntilItRunsOut() {
    add("a", "/");
    sites.startCrawl(new SiteId("a"), CRAWL, CrawlMode.FULL, now, Seeder.LEASE);
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 0, 0, 1, 0, 0, Map.of()));
    now = now.plus(Seeder.LEASE).minusNanos(1);
    assertThat(seed(REQUEST).left()).isOne();
    now = now.plusNanos(1);
    assertThat(seed(REQUEST).started()).isOne();
  }

  // P91: invoked concurrently.
  @Test
  void seed_overlappingInvocations_startEachCrawlOnce() throws Exception {
    int invocations = 4;
    IntStream.range(0, 200).forEach(i -> add("s" + i, "/"));
    CyclicBarrier together = new CyclicBarrier(invocations);
    List<Future<SeedResult>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(invocations)) {
      for (int i = 0; i < invocations; i++) {
        running.add(
            threads.submit(
                () -> {
                  together.await();
                  return seed(REQUEST);
                }));
      }
    }
    int started = 0;
    for (Future<SeedResult> result : running) {
      started += result.get().started();
    }
    assertThat(started).isEqualTo(200);
    assertThat(receiveAll(Priority.HIGH)).hasSize(200).doesNotHaveDuplicates();
  }

  /** Field report P91: overlapping runs over a fleet of which a part is due. */
  @Test
  void seed_manySitesOfWhichSomeAreDue_touchesEachDueSiteOnce_p91() throws Exception {
    int fleet = 100_000;
    int due = 1_000;
    for (int i = 0; i < fleet; i++) {
      add("s" + i, "/");
      if (i % (fleet / due) != 0) {
        SiteId id = new SiteId("s" + i);
        CrawlId last = CrawlId.scheduledFor(NOON.minusSeconds(60));
        sites.startCrawl(id, last, CrawlMode.FULL, now, Seeder.LEASE);
        sites.crawlStarted(id, last);
        end("s" + i);
      }
    }
    Map<SiteId, AtomicInteger> touched = new ConcurrentHashMap<>();
    SiteStore counted = countingStarts(touched);
    assertThat(new Seeder(counted, frontier, queue, clock).seed(REQUEST, Instant.MAX))
        .isEqualTo(new SeedResult(CRAWL, due, fleet - due, 0, 0, 0, Map.of()));
    assertThat(touched).hasSize(due);
    assertThat(touched.values()).allSatisfy(times -> assertThat(times).hasValue(1));
  }

  private SiteStore countingStarts(Map<SiteId, AtomicInteger> touched) {
    return watched(
        SiteStore.class,
        sites,
        call -> {
          if (call.size() == 5 && call.getFirst() instanceof SiteId id) {
            touched.computeIfAbsent(id, it -> new AtomicInteger()).incrementAndGet();
          }
        },
        () -> {});
  }

  /** Field report P91: killed half-way. */
  @Test
  void seed_killedBeforeOrAfterAnyCall_isCompletedByTheNext_p91() {
    int calls = countCallsOf(new SeederTest());
    assertThat(calls).isEqualTo(14);
    for (int atOnce : new int[] {1, Seeder.AT_ONCE}) {
      for (int call = 1; call <= calls; call++) {
        for (boolean before : new boolean[] {true, false}) {
          new SeederTest().killAndRepeat(call, before, atOnce);
        }
      }
    }
  }

  /** Adds two new sites, and one that an earlier crawl read. */
  private void addSome() {
    add("a", "/");
    Instant yesterday = NOON.minus(Duration.ofDays(1));
    crawlAt(yesterday, "a");
    settle("https://a.test/", yesterday);
    receiveAll(Priority.HIGH);
    add("b", "/", "/news");
    add("c", "/");
  }

  private static int countCallsOf(SeederTest test) {
    AtomicInteger calls = new AtomicInteger();
    test.addSome();
    test.watched(calls::incrementAndGet, () -> {}, 1).seed(REQUEST, Instant.MAX);
    return calls.get();
  }

  private void killAndRepeat(int call, boolean before, int atOnce) {
    addSome();
    AtomicInteger calls = new AtomicInteger();
    AtomicBoolean dead = new AtomicBoolean();
    // From the fatal call on, no thread of the process does anything.
    Runnable begin =
        () -> {
          boolean fatal = calls.incrementAndGet() == call && before;
          if (fatal) {
            dead.set(true);
          }
          if (dead.get()) {
            throw new Killed();
          }
        };
    Runnable finish =
        () -> {
          if (!before && calls.get() >= call) {
            dead.set(true);
            throw new Killed();
          }
        };
    Seeder mortal = watched(begin, finish, atOnce);
    assertThatThrownBy(() -> mortal.seed(REQUEST, Instant.MAX)).isInstanceOf(Killed.class);

    now = now.plus(Seeder.LEASE);
    SeedResult next = seed(REQUEST);

    String killed =
        "killed " + (before ? "before" : "after") + " call " + call + ", " + atOnce + " at once";
    assertThat(next.isComplete()).as(killed).isTrue();
    assertThat(sites.all())
        .as(killed)
        .allMatch(site -> site.started() && site.crawl().equals(Optional.of(CRAWL)));
    assertThat(receiveFresh().stream().map(task -> task.url().toString()).distinct())
        .as(killed)
        .containsExactlyInAnyOrder(
            "https://a.test/", "https://b.test/", "https://b.test/news", "https://c.test/");
  }

  private Seeder watched(Runnable before, Runnable after, int atOnce) {
    return new Seeder(
        watched(SiteStore.class, sites, call -> before.run(), after),
        watched(Frontier.class, frontier, call -> before.run(), after),
        watched(TaskQueue.class, queue, call -> before.run(), after),
        clock,
        Seeder.DEFAULT_MOST,
        atOnce);
  }

  /** Returns {@code port}, with something done before (given the arguments) and after each call. */
  private static <P> P watched(
      Class<P> type, P port, Consumer<List<Object>> before, Runnable after) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          before.accept(arguments == null ? List.of() : List.of(arguments));
          try {
            Object result = method.invoke(port, arguments);
            after.run();
            return result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(
        Proxy.newProxyInstance(SeederTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
