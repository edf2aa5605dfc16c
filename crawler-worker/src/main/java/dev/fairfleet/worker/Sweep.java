package dev.fairfleet.worker;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.UrlHash;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A look at every site whose crawl goes on, by one worker of the fleet a minute: fills windows that
 * nobody filled, and puts on the shelf what was lost, because a worker died at the wrong moment or
 * somebody purged a queue, so that it is sent again. What it does may be repeated.
 */
final class Sweep {
  /*
   * Two signs of loss. A task that is inside its window for too long was lost with its message. And
   * where a window is empty for long, nothing of the site is in SQS, so every page that the frontier
   * calls queued was lost; that also finds what was lost together with the window. If then no page
   * is unfinished, the crawl is, and is not looked at again.
   */
  private static final Logger log = LoggerFactory.getLogger(Sweep.class);
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final SiteStore sites;
  private final Frontier frontier;
  private final SiteWindow windows;
  private final Refill refill;
  private final Meters meters;

  /** Uses the ports without closing any. */
  Sweep(SiteStore sites, Frontier frontier, SiteWindow windows, Refill refill, Meters meters) {
    this.sites = sites;
    this.frontier = frontier;
    this.windows = windows;
    this.refill = refill;
    this.meters = meters;
  }

  /**
   * Sweeps, unless some worker did so just now; a site that fails does not stop the others. Ends
   * early when its thread is interrupted.
   */
  void run() {
    if (!windows.beginSweep()) {
      return;
    }
    for (SiteStatus status : sites.all()) {
      if (Thread.currentThread().isInterrupted()) {
        return;
      }
      if (status.state() == SiteState.ACTIVE && status.started()) {
        try {
          status.crawl().ifPresent(crawl -> look(status.site(), crawl));
        } catch (RuntimeException e) {
          log.warn(
              "The window of {} could not be looked after, and will be in a minute: {}",
              status.site().id(),
              e.toString());
        }
      }
    }
  }

  private void look(Site site, CrawlId crawl) {
    SiteWindow.Inspection found = windows.inspect(site.id());
    if (found.finished().filter(crawl::equals).isPresent()) {
      return;
    }
    SiteWindow.View view =
        found.overdue().isEmpty() ? found.view() : recover(site, crawl, found.overdue());
    if (refill.isNeeded(site, view)) {
      refill.run(site, crawl);
    } else if (found.emptyFor().compareTo(PATIENCE) >= 0) {
      findTheEnd(site, crawl);
    }
  }

  /** Sees to tasks that stayed inside for too long, most of which are lost. */
  private SiteWindow.View recover(Site site, CrawlId crawl, List<UrlHash> overdue) {
    List<UrlHash> out = new ArrayList<>(overdue);
    List<Page> queued = new ArrayList<>();
    for (Page page : frontier.find(site.id(), overdue)) {
      if (page.crawl().equals(crawl) && page.state() == PageState.QUEUED) {
        queued.add(page);
        out.remove(page.url().hash());
      }
    }
    if (!out.isEmpty()) {
      windows.leave(site.id(), out);
    }
    return shelve(site, queued);
  }

  /** Puts pages whose tasks were lost on the shelf, from where they are sent again. */
  private SiteWindow.View shelve(Site site, List<Page> lost) {
    List<UrlHash> shelved = new ArrayList<>();
    for (Page page : lost) {
      if (frontier.shelve(taskOf(page))) {
        shelved.add(page.url().hash());
      }
    }
    if (!shelved.isEmpty()) {
      meters.add(Meter.PAGE_RESENT, shelved.size());
      log.warn("{} lost {} of its tasks, which will be sent again", site.id(), shelved.size());
    }
    return windows.shelved(site.id(), shelved);
  }

  private static Task taskOf(Page page) {
    return new Task(page.site(), page.crawl(), page.url(), page.depth(), page.generation());
  }

  private void findTheEnd(Site site, CrawlId crawl) {
    List<Page> queued = new ArrayList<>();
    AtomicBoolean unfinished = new AtomicBoolean();
    frontier.forEachPage(
        site.id(),
        page -> {
          if (page.crawl().equals(crawl) && !page.state().isFinal()) {
            unfinished.set(true);
            if (page.state() == PageState.QUEUED) {
              queued.add(page);
            }
          }
        });
    if (unfinished.get()) {
      if (refill.isNeeded(site, shelve(site, queued))) {
        refill.run(site, crawl);
      }
    } else {
      windows.finished(site.id(), crawl);
    }
  }
}
