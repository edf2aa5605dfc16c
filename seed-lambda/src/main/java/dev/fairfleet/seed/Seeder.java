package dev.fairfleet.seed;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a crawl on each active site that is due: takes the site's lease, claims its roots, sends
 * them to the high queue, and reports the crawl as started.
 *
 * <p>Every step may be repeated, so the same request leads to the same state however often and
 * however concurrently it is made; one that was killed half-way is completed by the next. A site
 * that cannot be started is reported and never stops the others. Safe for use by many threads.
 */
public final class Seeder {
  /** How many due sites one run starts at most, unless it is told another number. */
  public static final int DEFAULT_MOST = 5_000;

  /** How long one site's roots may take to reach the queue before another invocation may retry. */
  static final Duration LEASE = Duration.ofSeconds(30);

  /** How far ahead of this clock a scheduled time may lie: clocks differ. */
  static final Duration MOST_AHEAD = Duration.ofMinutes(5);

  /** How many sites are started at a time; the queue sends their roots in batches of ten. */
  static final int AT_ONCE = 16;

  private static final Logger log = LoggerFactory.getLogger(Seeder.class);

  private static final Comparator<SiteStatus> LONGEST_UNCRAWLED_FIRST =
      Comparator.<SiteStatus, String>comparing(site -> site.crawl().map(CrawlId::value).orElse(""))
          .thenComparing(site -> site.site().id().value());

  private final SiteStore sites;
  private final Frontier frontier;
  private final TaskQueue queue;
  private final InstantSource clock;
  private final int most;
  private final int atOnce;

  /** What became of one site. */
  private sealed interface Outcome {
    record Started() implements Outcome {}

    record Skipped() implements Outcome {}

    record Left() implements Outcome {}

    record Failed(String reason) implements Outcome {}
  }

  /** The sites to start, and what is known already of the others. */
  private static final class Asked {
    private final List<SiteStatus> toStart = new ArrayList<>();
    private final Map<SiteId, String> failures = new LinkedHashMap<>();
    private int skipped;
    private int postponed;
  }

  /** Uses the ports without closing any; a run starts {@link #DEFAULT_MOST} due sites at most. */
  public Seeder(SiteStore sites, Frontier frontier, TaskQueue queue, InstantSource clock) {
    this(sites, frontier, queue, clock, DEFAULT_MOST);
  }

  /**
   * Uses the ports without closing any.
   *
   * @param most how many due sites a request that names no number starts, at least 1
   */
  public Seeder(
      SiteStore sites, Frontier frontier, TaskQueue queue, InstantSource clock, int most) {
    this(sites, frontier, queue, clock, most, AT_ONCE);
  }

  Seeder(
      SiteStore sites,
      Frontier frontier,
      TaskQueue queue,
      InstantSource clock,
      int most,
      int atOnce) {
    this.sites = sites;
    this.frontier = frontier;
    this.queue = queue;
    this.clock = clock;
    this.most = most;
    this.atOnce = atOnce;
  }

  /**
   * Starts what {@code request} asks for, the sites that have waited longest first.
   *
   * @param deadline by this clock; sites whose turn comes after it are left for the next request
   * @throws IllegalArgumentException if the scheduled time lies in the future: every crawl due
   *     until then would count as older, and never start
   */
  public SeedResult seed(SeedRequest request, Instant deadline) {
    Instant now = clock.instant();
    if (request.scheduledTime().isAfter(now.plus(MOST_AHEAD))) {
      throw new IllegalArgumentException(
          "The scheduled time "
              + request.scheduledTime()
              + " lies more than "
              + MOST_AHEAD
              + " after now, "
              + now
              + "; crawls due before it could no longer start. No crawl was started.");
    }
    Asked asked = request.only().map(this::named).orElseGet(() -> due(request));
    List<Outcome> outcomes = startAll(asked.toStart, request, deadline);
    int started = 0;
    int skipped = asked.skipped;
    int left = 0;
    for (int i = 0; i < outcomes.size(); i++) {
      switch (outcomes.get(i)) {
        case Outcome.Started it -> started++;
        case Outcome.Skipped it -> skipped++;
        case Outcome.Left it -> left++;
        case Outcome.Failed it -> asked.failures.put(asked.toStart.get(i).site().id(), it.reason());
      }
    }
    return SeedResult.of(request.crawl(), started, skipped, left, asked.postponed, asked.failures);
  }

  private Asked named(Set<SiteId> ids) {
    Asked asked = new Asked();
    for (SiteId id : ids) {
      try {
        sites
            .find(id)
            .ifPresentOrElse(
                asked.toStart::add, () -> asked.failures.put(id, "There is no such site"));
      } catch (RuntimeException e) {
        log.warn("Site {} could not be read", id, e);
        asked.failures.put(id, e.toString());
      }
    }
    asked.toStart.sort(LONGEST_UNCRAWLED_FIRST);
    return asked;
  }

  private Asked due(SeedRequest request) {
    int bound = request.most().orElse(most);
    Asked asked = new Asked();
    PriorityQueue<SiteStatus> longest = new PriorityQueue<>(LONGEST_UNCRAWLED_FIRST.reversed());
    sites.forEach(
        site -> {
          if (!site.site().recrawl().isDue(site, request.scheduledTime())) {
            asked.skipped++;
            return;
          }
          longest.add(site);
          if (longest.size() > bound) {
            longest.remove();
            asked.postponed++;
          }
        });
    asked.toStart.addAll(longest);
    asked.toStart.sort(LONGEST_UNCRAWLED_FIRST);
    return asked;
  }

  /** Returns an outcome for each site, in their order. */
  private List<Outcome> startAll(List<SiteStatus> toStart, SeedRequest request, Instant deadline) {
    List<Outcome> outcomes = new ArrayList<>();
    try (ExecutorService threads =
        Executors.newFixedThreadPool(atOnce, Thread.ofVirtual().factory())) {
      List<Future<Outcome>> starts = new ArrayList<>();
      for (SiteStatus site : toStart) {
        starts.add(threads.submit(() -> start(site, request, deadline)));
      }
      try {
        for (Future<Outcome> start : starts) {
          outcomes.add(start.get());
        }
      } catch (ExecutionException e) {
        threads.shutdownNow();
        if (e.getCause() instanceof Error error) {
          throw error;
        }
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        threads.shutdownNow();
        Thread.currentThread().interrupt();
        throw new IllegalStateException(
            "Interrupted while starting crawl " + request.crawl() + "; it may be asked for again",
            e);
      }
    }
    return outcomes;
  }

  private Outcome start(SiteStatus status, SeedRequest request, Instant deadline) {
    if (!clock.instant().isBefore(deadline)) {
      return new Outcome.Left();
    }
    SiteId id = status.site().id();
    CrawlId crawl = request.crawl();
    try {
      if (!mayStart(status, crawl)) {
        return new Outcome.Skipped();
      }
      CrawlMode mode =
          request
              .mode()
              .orElseGet(() -> status.site().recrawl().modeAt(status, request.scheduledTime()));
      if (!sites.startCrawl(id, crawl, mode, clock.instant(), LEASE)) {
        boolean leased = sites.find(id).filter(now -> mayStart(now, crawl)).isPresent();
        return leased ? new Outcome.Left() : new Outcome.Skipped();
      }
      queue.send(
          roots(status, crawl).stream()
              .map(task -> new Dispatch(task, Priority.HIGH, Duration.ZERO))
              .toList());
      sites.crawlStarted(id, crawl);
      return new Outcome.Started();
    } catch (RuntimeException e) {
      log.warn("Crawl {} of site {} was not started", crawl, id, e);
      return new Outcome.Failed(e.toString());
    }
  }

  private static boolean mayStart(SiteStatus status, CrawlId crawl) {
    if (status.state() != SiteState.ACTIVE) {
      return false;
    }
    int newest = status.crawl().map(last -> last.compareTo(crawl)).orElse(-1);
    return newest < 0 || (newest == 0 && !status.started());
  }

  private List<Task> roots(SiteStatus status, CrawlId crawl) {
    Site site = status.site();
    List<CrawlUrl> roots = site.roots().stream().distinct().toList();
    Set<CrawlUrl> known = status.run().isPresent() ? readBefore(site, roots, crawl) : Set.of();
    List<Task> tasks = new ArrayList<>();
    for (CrawlUrl root : roots) {
      if (known.contains(root)) {
        tasks.add(new Task(site.id(), crawl, root, CrawlDepth.ROOT, 0));
      } else {
        tasks.addAll(
            frontier.claim(
                Discovery.ofLinks(site.id(), crawl, root, CrawlDepth.ROOT, Discovery.Again.ALL),
                List.of(root)));
      }
    }
    return tasks;
  }

  /** Returns the roots that an earlier crawl read as roots: their tasks need no claim. */
  private Set<CrawlUrl> readBefore(Site site, List<CrawlUrl> roots, CrawlId crawl) {
    return frontier.find(site.id(), roots.stream().map(CrawlUrl::hash).toList()).stream()
        .filter(
            page ->
                page.crawl().compareTo(crawl) < 0
                    && page.state() == PageState.DONE
                    && page.depth().equals(CrawlDepth.ROOT)
                    && page.parent().equals(page.url()))
        .map(Page::url)
        .collect(Collectors.toSet());
  }
}
