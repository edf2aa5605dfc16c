package dev.fairfleet.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.CrawlUrl;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SeederTest {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final SeedRequest REQUEST = new SeedRequest(NOON, Optional.empty());
  private static final CrawlId CRAWL = CrawlId.scheduledFor(NOON);

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
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 2, 0, 0, 0, Map.of()));
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
    sites.setState(new SiteId("a"), SiteState.STOPPED, "five failures");
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 1, 1, 0, 0, Map.of()));
    assertThat(receiveAll(Priority.HIGH)).containsExactly(task("b", "https://b.test/"));
  }

  // P91: a scheduled Lambda ran twice for one tick.
  @Test
  void seed_sameScheduledTimeAgain_startsNothing() {
    add("a", "/");
    seed(REQUEST);
    receiveAll(Priority.HIGH);
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 0, 1, 0, 0, Map.of()));
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
    seed(REQUEST);
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
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 1, 2, 0, 0, Map.of()));
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
          if (call.getFirst().toString().contains(site)) {
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
    Seeder slow = watched(() -> {}, () -> now = now.plusMillis(400));
    assertThat(slow.seed(REQUEST, deadline)).isEqualTo(new SeedResult(CRAWL, 1, 0, 1, 0, Map.of()));
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 1, 1, 0, 0, Map.of()));
  }

  @Test
  void seed_deadlineInThePast_leavesEverySite() {
    add("a", "/");
    assertThat(seeder.seed(REQUEST, now)).isEqualTo(new SeedResult(CRAWL, 0, 0, 1, 0, Map.of()));
    assertThat(status("a").crawl()).isEmpty();
  }

  @Test
  void seed_manySites_startsThoseFirstThatWaitedLongest() {
    add("young", "/");
    add("old", "/");
    add("never", "/");
    seedAt(NOON.minus(Duration.ofDays(1)), "young");
    seedAt(NOON.minus(Duration.ofDays(2)), "old");
    List<String> order = new ArrayList<>();
    Frontier claims =
        watched(
            Frontier.class,
            frontier,
            call -> order.add(((Discovery) call.getFirst()).site().value()),
            () -> {});
    new Seeder(sites, claims, queue, clock).seed(REQUEST, Instant.MAX);
    assertThat(order).containsExactly("never", "old", "young");
  }

  private void seedAt(Instant time, String site) {
    assertThat(seed(new SeedRequest(time, Optional.of(Set.of(new SiteId(site))))).started())
        .isOne();
  }

  @Test
  void seed_leaseHeldByAnotherInvocation_isLeftUntilItRunsOut() {
    add("a", "/");
    sites.startCrawl(new SiteId("a"), CRAWL, now, Seeder.LEASE);
    assertThat(seed(REQUEST)).isEqualTo(new SeedResult(CRAWL, 0, 0, 1, 0, Map.of()));
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

  // P91: killed half-way.
  @Test
  void seed_killedBeforeOrAfterAnyCall_isCompletedByTheNext() {
    int calls = countCallsOf(new SeederTest());
    assertThat(calls).isEqualTo(10);
    for (int call = 1; call <= calls; call++) {
      for (boolean before : new boolean[] {true, false}) {
        new SeederTest().killAndRepeat(call, before);
      }
    }
  }

  private static int countCallsOf(SeederTest test) {
    AtomicInteger calls = new AtomicInteger();
    test.add("a", "/", "/news");
    test.add("b", "/");
    test.watched(calls::incrementAndGet, () -> {}).seed(REQUEST, Instant.MAX);
    return calls.get();
  }

  private void killAndRepeat(int call, boolean before) {
    add("a", "/", "/news");
    add("b", "/");
    AtomicInteger calls = new AtomicInteger();
    Runnable kill =
        () -> {
          if (calls.get() == call) {
            throw new Killed();
          }
        };
    Seeder mortal =
        before
            ? watched(
                () -> {
                  calls.incrementAndGet();
                  kill.run();
                },
                () -> {})
            : watched(calls::incrementAndGet, kill);
    assertThatThrownBy(() -> mortal.seed(REQUEST, Instant.MAX)).isInstanceOf(Killed.class);

    now = now.plus(Seeder.LEASE);
    SeedResult next = seed(REQUEST);

    String killed = "killed " + (before ? "before" : "after") + " call " + call;
    assertThat(next.isComplete()).as(killed).isTrue();
    assertThat(sites.all()).as(killed).allMatch(SiteStatus::started);
    assertThat(receiveFresh().stream().map(task -> task.url().toString()))
        .as(killed)
        .containsExactlyInAnyOrder("https://a.test/", "https://a.test/news", "https://b.test/");
  }

  private Seeder watched(Runnable before, Runnable after) {
    return new Seeder(
        watched(SiteStore.class, sites, call -> before.run(), after),
        watched(Frontier.class, frontier, call -> before.run(), after),
        watched(TaskQueue.class, queue, call -> before.run(), after),
        clock);
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
