package dev.fairfleet.worker;

import static java.util.Objects.requireNonNull;
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
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.TaskKind;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemoryPageBudget;
import dev.fairfleet.memory.InMemoryRecordStore;
import dev.fairfleet.memory.InMemoryServedCounts;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.InMemorySiteWindow;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.EndPolicy;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.robots.Robots;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One sweep after the other, on a clock that stands still between them. */
final class SweepTest {
  private static final int WINDOW = 4;
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MILLI = Duration.ofMillis(1);
  private static final CrawlId CRAWL = CrawlId.scheduledFor(Instant.EPOCH);

  private final SettableClock clock = new SettableClock(Instant.EPOCH.plusSeconds(1));
  private final InMemoryFrontier frontier = new InMemoryFrontier();
  private final InMemorySiteStore sites = new InMemorySiteStore();
  private final Meters meters = new Meters();
  private final AtomicInteger scans = new AtomicInteger();
  private final Site site = site("shop");
  private InMemorySiteWindow windows = new InMemorySiteWindow(clock);
  private InMemoryTaskQueue queue = queue();
  private @Nullable Ending ending;
  private Sweep sweep = sweep(windows);

  private static Site site(String id) {
    CrawlUrl root = CrawlUrl.of("http://" + id + ".test/");
    return new Site(
        new SiteId(id),
        List.of(root),
        new Scope(Set.of(root.hostKey())),
        SiteLimits.POLITE,
        ExtractionRules.DEFAULT);
  }

  private InMemoryTaskQueue queue() {
    return new InMemoryTaskQueue(clock, new LeasePolicy(Duration.ofMinutes(2), 1_000));
  }

  private Sweep sweep(SiteWindow windows) {
    Frontier frontier = countingScans();
    SlotSending sending =
        new SlotSending(
            queue,
            TestGate.OPEN,
            new HostLimits(Robots.ALLOW_ALL),
            windows,
            new InMemoryServedCounts(clock),
            new PressureGauge(clock),
            new SlotSending.Policies(
                new WindowPolicy(Duration.ofSeconds(1), WINDOW, WINDOW),
                SlotGrid.DEFAULT,
                new DelayPolicy(DelayTable.DEFAULT, 0),
                1),
            clock,
            new Random(1));
    SiteCache siteCache = new SiteCache(sites);
    Supplier<AttemptToken> tokens = () -> new AttemptToken("sweep");
    Bounds bounds =
        new Bounds(new ScopePolicy(), Robots.ALLOW_ALL, new InMemoryPageBudget(), clock);
    KnownPages known = new KnownPages(frontier, siteCache, bounds, tokens, clock);
    Refill refill = new Refill(frontier, known, windows, sending, meters);
    ending =
        new Ending(
            bounds,
            sites,
            frontier,
            queue,
            windows,
            refill,
            new Deletions(frontier, new InMemoryRecordStore(), meters, clock),
            EndPolicy.DEFAULT,
            true,
            meters,
            clock);
    return new Sweep(sites, frontier, windows, refill, queue, MINUTE, clock);
  }

  private Frontier countingScans() {
    return (Frontier)
        Proxy.newProxyInstance(
            Frontier.class.getClassLoader(),
            new Class<?>[] {Frontier.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("forEachPage")) {
                scans.incrementAndGet();
              }
              try {
                return method.invoke(frontier, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @BeforeEach
  void startCrawl() {
    startCrawl(site);
  }

  private void startCrawl(Site site) {
    sites.put(site);
    sites.startCrawl(site.id(), CRAWL, CrawlMode.FULL, clock.instant(), MINUTE);
    sites.crawlStarted(site.id(), CRAWL);
  }

  private static CrawlUrl url(Site site, int page) {
    return CrawlUrl.of("http://" + site.id() + ".test/" + page);
  }

  /** Claims pages, some of which go to the shelf, and none into a window or a queue. */
  private List<Task> claim(Site site, int pages, boolean queued) {
    List<CrawlUrl> urls = IntStream.range(0, pages).mapToObj(i -> url(site, i)).toList();
    return frontier.claim(
        Discovery.ofLinks(site.id(), CRAWL, site.roots().getFirst(), new CrawlDepth(1)),
        urls,
        queued ? Set.copyOf(urls) : Set.of());
  }

  private static List<UrlHash> hashes(List<Task> tasks) {
    return tasks.stream().map(task -> task.url().hash()).toList();
  }

  private void settle(Task task) {
    assertThat(
            frontier.settle(
                task, Settlement.skipped("test"), new AttemptToken("t"), clock.instant()))
        .isTrue();
  }

  /**
   * Sweeps after another minute, and returns the tasks that are in the queue for the first time.
   */
  private List<Task> sweepAndReceive() {
    clock.advance(MINUTE);
    sweep.run();
    List<Task> tasks = new ArrayList<>();
    List<Delivery> batch;
    do {
      batch = queue.receive(Priority.HIGH, 10, Duration.ZERO).deliveries();
      batch.stream()
          .filter(delivery -> delivery.lease().receiveCount() == 1)
          .map(Delivery::task)
          .forEach(task -> add(task, tasks));
    } while (!batch.isEmpty());
    return tasks;
  }

  /** A task that looks for the end of the crawl is done at once, what it sends comes later. */
  private void add(Task task, List<Task> tasks) {
    if (task.kind() == TaskKind.END) {
      requireNonNull(ending).look(task);
    } else {
      tasks.add(task);
    }
  }

  private List<Task> sweepFor(Duration time) {
    List<Task> tasks = new ArrayList<>();
    for (Duration passed = MINUTE; passed.compareTo(time) <= 0; passed = passed.plus(MINUTE)) {
      tasks.addAll(sweepAndReceive());
    }
    return tasks;
  }

  private int inside() {
    return windows.leave(site.id(), List.of()).inside();
  }

  private double resent() {
    return meters.drain().getOrDefault(Meter.PAGE_RESENT, 0.0);
  }

  @Test
  void run_windowWasNeverFilled_isFilledUpToItsSize() {
    claim(site, 10, false);

    assertThat(sweepAndReceive()).hasSize(WINDOW).allMatch(task -> task.generation() == 0);
    assertThat(inside()).isEqualTo(WINDOW);
    assertThat(sweepAndReceive()).as("the window is full").isEmpty();
    assertThat(resent()).isZero();
  }

  /** As if every worker had died between settling the last page and filling the window up. */
  @Test
  void run_windowEmptiedWithoutARefill_isFilled() {
    claim(site, 10, false);
    List<Task> tasks = sweepAndReceive();
    tasks.forEach(this::settle);
    windows.leave(site.id(), hashes(tasks));

    assertThat(sweepAndReceive()).hasSize(WINDOW).doesNotContainAnyElementsOf(tasks);
  }

  @Test
  void run_memberIsOverdue_isSentAgainOnceOneGenerationLater() {
    List<Task> tasks = claim(site, 2, true);
    windows.stay(site.id(), hashes(tasks), Duration.ofMinutes(5));
    settle(tasks.getFirst());

    assertThat(sweepFor(Duration.ofMinutes(5))).isEmpty();
    clock.advance(MILLI);
    assertThat(sweepFor(Duration.ofMinutes(10)))
        .singleElement()
        .satisfies(
            task -> {
              assertThat(task.url()).isEqualTo(tasks.getLast().url());
              assertThat(task.generation()).isEqualTo(1);
            });
    assertThat(inside()).isEqualTo(1);
    assertThat(resent()).isEqualTo(1);
  }

  /** A worker died after a page entered the window, and before it was taken from the shelf. */
  @Test
  void run_memberIsOverdueAndOnTheShelf_comesOut() {
    claim(site, 1, false);
    windows.enter(site.id(), List.of(url(site, 0).hash()), WINDOW, Refill.ON_ITS_WAY);

    assertThat(sweepFor(Duration.ofMinutes(5)))
        .singleElement()
        .satisfies(task -> assertThat(task.generation()).isZero());
    assertThat(resent()).as("nothing was lost").isZero();
  }

  /** Issue 3: a purged queue heals by itself, with or without the windows. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void run_queueWasPurged_everythingIsSentAgain(boolean windowsToo) {
    claim(site, 10, false);
    List<Task> lost = sweepAndReceive();
    assertThat(lost).hasSize(WINDOW);
    queue = queue();
    if (windowsToo) {
      windows = new InMemorySiteWindow(clock);
    }
    sweep = sweep(windows);

    List<Task> sent = new ArrayList<>();
    for (int minute = 0; minute < 60; minute++) {
      List<Task> tasks = sweepAndReceive();
      assertThat(tasks).hasSizeLessThanOrEqualTo(WINDOW);
      tasks.forEach(this::settle);
      windows.leave(site.id(), hashes(tasks));
      sent.addAll(tasks);
    }
    assertThat(sent).extracting(Task::url).hasSize(10).doesNotHaveDuplicates();
    assertThat(sent.stream().filter(task -> task.generation() == 1).map(Task::url))
        .containsExactlyInAnyOrderElementsOf(lost.stream().map(Task::url).toList());
    assertThat(resent()).isEqualTo(WINDOW);
  }

  @Test
  void run_nothingIsUnderWay_theEndIsFoundAfterAnotherMinuteAndOnce() {
    claim(site, 2, true).forEach(this::settle);

    sweepFor(MINUTE.multipliedBy(2));
    assertThat(sites.find(site.id()).flatMap(SiteStatus::run).flatMap(CrawlRun::end))
        .as("a crawl of which nothing was read")
        .hasValueSatisfying(
            end ->
                assertThat(end)
                    .returns(2L, CrawlEnd::skipped)
                    .returns(2L, CrawlEnd::pages)
                    .returns(false, CrawlEnd::complete));
    int scansOfTheEnd = scans.get();
    sweepFor(Duration.ofHours(2));
    assertThat(scans).as("read again after its end").hasValue(scansOfTheEnd);
    assertThat(resent()).isZero();
  }

  @Test
  void run_pageIsUnfinished_theCrawlHasNotEnded() {
    claim(site, 1, true);

    sweepFor(Duration.ofMinutes(9));
    assertThat(sites.find(site.id()).flatMap(SiteStatus::run).flatMap(CrawlRun::end)).isEmpty();
    assertThat(scans.get()).as("not read with every sweep").isLessThan(4);
  }

  @Test
  void run_twiceInAMinute_sweepsOnce() {
    clock.advance(MINUTE);
    sweep.run();
    claim(site, 1, false);
    windows.shelved(site.id(), List.of());
    clock.advance(MINUTE.minus(MILLI));
    sweep.run();
    assertThat(inside()).isZero();
    clock.advance(MILLI);
    sweep.run();
    assertThat(inside()).isEqualTo(1);
  }

  @Test
  void run_siteIsStoppedOrNotStarted_isLeftAlone() {
    Site waiting = site("waiting");
    sites.put(waiting);
    sites.startCrawl(waiting.id(), CRAWL, CrawlMode.FULL, clock.instant(), MINUTE);
    claim(waiting, 1, false);
    claim(site, 1, false);
    sites.setState(site.id(), SiteState.STOPPED, "test", clock.instant());

    assertThat(sweepFor(Duration.ofMinutes(3))).isEmpty();
    sites.setState(site.id(), SiteState.ACTIVE, "", clock.instant());
    assertThat(sweepAndReceive()).extracting(Task::site).containsExactly(site.id());
  }

  @Test
  void run_oneSiteFails_othersAreLookedAt() {
    Site other = site("other");
    startCrawl(other);
    claim(site, 1, false);
    claim(other, 1, false);
    FirstCallFails fault = new FirstCallFails("inspect");
    sweep = sweep(fault.wrap(SiteWindow.class, windows));

    assertThat(sweepAndReceive()).hasSize(1);
    assertThat(fault.failed()).isTrue();
    assertThat(sweepAndReceive()).hasSize(1);
  }
}
