package dev.fairfleet.seed;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts a crawl on each active site: takes the site's lease, claims its roots, sends them to the
 * high queue, and reports the crawl as started.
 *
 * <p>Every step may be repeated, so the same request leads to the same state however often and
 * however concurrently it is made; one that was killed half-way is completed by the next. A site
 * that cannot be started is reported and never stops the others. Safe for use by many threads.
 */
public final class Seeder {
  /** How long one site's roots may take to reach the queue before another invocation may retry. */
  static final Duration LEASE = Duration.ofSeconds(30);

  /** How far ahead of this clock a scheduled time may lie: clocks differ. */
  static final Duration MOST_AHEAD = Duration.ofMinutes(5);

  private static final Logger log = LoggerFactory.getLogger(Seeder.class);

  private static final Comparator<SiteStatus> LONGEST_UNCRAWLED_FIRST =
      Comparator.comparing(site -> site.crawl().map(CrawlId::value).orElse(""));

  private final SiteStore sites;
  private final Frontier frontier;
  private final TaskQueue queue;
  private final InstantSource clock;

  private enum Outcome {
    STARTED,
    SKIPPED,
    LEFT
  }

  /** Uses the ports without closing any. */
  public Seeder(SiteStore sites, Frontier frontier, TaskQueue queue, InstantSource clock) {
    this.sites = sites;
    this.frontier = frontier;
    this.queue = queue;
    this.clock = clock;
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
    CrawlId crawl = request.crawl();
    Map<SiteId, String> failures = new LinkedHashMap<>();
    int started = 0;
    int skipped = 0;
    int left = 0;
    for (SiteStatus status : asked(request, failures)) {
      if (!clock.instant().isBefore(deadline)) {
        left++;
        continue;
      }
      try {
        switch (start(status, crawl)) {
          case STARTED -> started++;
          case SKIPPED -> skipped++;
          case LEFT -> left++;
        }
      } catch (RuntimeException e) {
        log.warn("Crawl {} of site {} was not started", crawl, status.site().id(), e);
        failures.put(status.site().id(), e.toString());
      }
    }
    return SeedResult.of(crawl, started, skipped, left, failures);
  }

  private List<SiteStatus> asked(SeedRequest request, Map<SiteId, String> failures) {
    List<SiteStatus> asked =
        request.only().map(ids -> find(ids, failures)).orElseGet(() -> sites.all());
    return asked.stream().sorted(LONGEST_UNCRAWLED_FIRST).toList();
  }

  private List<SiteStatus> find(Set<SiteId> ids, Map<SiteId, String> failures) {
    List<SiteStatus> found = new ArrayList<>();
    for (SiteId id : ids) {
      try {
        sites.find(id).ifPresentOrElse(found::add, () -> failures.put(id, "There is no such site"));
      } catch (RuntimeException e) {
        log.warn("Site {} could not be read", id, e);
        failures.put(id, e.toString());
      }
    }
    return found;
  }

  private Outcome start(SiteStatus status, CrawlId crawl) {
    Site site = status.site();
    if (!mayStart(status, crawl)) {
      return Outcome.SKIPPED;
    }
    if (!sites.startCrawl(site.id(), crawl, clock.instant(), LEASE)) {
      boolean leased = sites.find(site.id()).filter(now -> mayStart(now, crawl)).isPresent();
      return leased ? Outcome.LEFT : Outcome.SKIPPED;
    }
    List<Task> roots = new ArrayList<>();
    site.roots().stream()
        .distinct()
        .forEach(
            root ->
                roots.addAll(
                    frontier.claim(
                        Discovery.ofLinks(site.id(), crawl, root, CrawlDepth.ROOT),
                        List.of(root))));
    queue.send(
        roots.stream().map(task -> new Dispatch(task, Priority.HIGH, Duration.ZERO)).toList());
    sites.crawlStarted(site.id(), crawl);
    return Outcome.STARTED;
  }

  private static boolean mayStart(SiteStatus status, CrawlId crawl) {
    if (status.state() != SiteState.ACTIVE) {
      return false;
    }
    int newest = status.crawl().map(last -> last.compareTo(crawl)).orElse(-1);
    return newest < 0 || (newest == 0 && !status.started());
  }
}
