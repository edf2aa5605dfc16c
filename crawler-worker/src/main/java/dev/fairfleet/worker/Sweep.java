package dev.fairfleet.worker;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.UrlHash;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A look at every site whose crawl goes on, by one worker of the fleet at a time: fills windows
 * that nobody filled, puts on the shelf what was lost, because a worker died at the wrong moment or
 * somebody purged a queue, so that it is sent again, and has the end of a crawl looked for where
 * nothing is under way any more. What it does may be repeated.
 */
final class Sweep {
  /*
   * A task that is inside its window for too long was lost with its message. Where a window is empty
   * and its shelf bare, either the crawl has ended, or everything was lost, windows too: only the
   * pages can tell, and reading them all is a task of its own, see Ending.
   */
  private static final Logger log = LoggerFactory.getLogger(Sweep.class);

  /** How long a worker may take to receive and to do the task that looks for the end of a crawl. */
  private static final Duration END_LEASE = Duration.ofMinutes(5);

  private final SiteStore sites;
  private final Frontier frontier;
  private final SiteWindow windows;
  private final Refill refill;
  private final TaskQueue queue;
  private final Duration every;
  private final InstantSource clock;

  /**
   * Uses the ports without closing any.
   *
   * @param every least time between two sweeps of a fleet; a window that is empty for as long, with
   *     a bare shelf, has the end of its crawl looked for
   */
  Sweep(
      SiteStore sites,
      Frontier frontier,
      SiteWindow windows,
      Refill refill,
      TaskQueue queue,
      Duration every,
      InstantSource clock) {
    this.sites = sites;
    this.frontier = frontier;
    this.windows = windows;
    this.refill = refill;
    this.queue = queue;
    this.every = every;
    this.clock = clock;
  }

  /**
   * Sweeps, unless some worker did so just now; a site that fails does not stop the others. Ends
   * early when its thread is interrupted.
   */
  void run() {
    if (!windows.beginSweep(every)) {
      return;
    }
    sites.forEach(
        status -> {
          if (status.state() == SiteState.ACTIVE && !Thread.currentThread().isInterrupted()) {
            status.run().filter(Sweep::goesOn).ifPresent(run -> tryToLook(status.site(), run));
          }
        });
  }

  private void tryToLook(Site site, CrawlRun run) {
    try {
      look(site, run);
    } catch (RuntimeException e) {
      log.warn(
          "The window of {} could not be looked after, and will be in a while: {}",
          site.id(),
          e.toString());
    }
  }

  private static boolean goesOn(CrawlRun run) {
    return run.started() && run.end().isEmpty();
  }

  private void look(Site site, CrawlRun run) {
    SiteWindow.Inspection found = windows.inspect(site.id());
    SiteWindow.View view =
        found.overdue().isEmpty() ? found.view() : recover(site, run.id(), found.overdue());
    if (refill.isNeeded(site, view)) {
      refill.run(site, run.id());
    } else if (view.bare()
        && view.inside() == 0
        && found.emptyFor().compareTo(every) >= 0
        && sites.beginEnd(site.id(), run.id(), clock.instant(), END_LEASE)) {
      queue.send(List.of(new Dispatch(Task.ofEnd(site, run.id()), Priority.HIGH, Duration.ZERO)));
    }
  }

  /** Sees to tasks that stayed inside for too long, most of which are lost. */
  private SiteWindow.View recover(Site site, CrawlId crawl, List<UrlHash> overdue) {
    List<UrlHash> out = new ArrayList<>(overdue);
    List<Page> queued = new ArrayList<>();
    for (Page page : frontier.find(site.id(), overdue)) {
      if (mayBeLost(page, crawl)) {
        queued.add(page.crawl().equals(crawl) ? page : page.recalled(crawl));
        out.remove(page.url().hash());
      }
    }
    if (!out.isEmpty()) {
      windows.leave(site.id(), out);
    }
    return refill.shelve(site, queued);
  }

  /** Known pages enter a window, too, and are not written down before they are settled. */
  private static boolean mayBeLost(Page page, CrawlId crawl) {
    int crawls = page.crawl().compareTo(crawl);
    return crawls < 0 || (crawls == 0 && page.state() == PageState.QUEUED);
  }
}
