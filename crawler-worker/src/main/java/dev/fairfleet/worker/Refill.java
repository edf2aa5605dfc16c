package dev.fairfleet.worker;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Fills a site's window up from its shelf, the shallowest first; one worker of the fleet at a time.
 * Safe for use by many threads; throws what a store or the queue throws, and what is half done then
 * is found by the {@link Sweep}.
 */
final class Refill {
  /**
   * How long a task may be inside a window before it is sent. A page that entered and was not taken
   * from the shelf, or was taken and not sent, because somebody died, keeps its place for so long.
   */
  static final Duration ON_ITS_WAY = Duration.ofMinutes(2);

  private final Frontier frontier;
  private final SiteWindow windows;
  private final SlotSending sending;
  private final Meters meters;

  /** Uses the ports without closing any. */
  Refill(Frontier frontier, SiteWindow windows, SlotSending sending, Meters meters) {
    this.frontier = frontier;
    this.windows = windows;
    this.sending = sending;
    this.meters = meters;
  }

  /** Tells whether a window lacks tasks, and there may be some on the shelf. */
  boolean isNeeded(Site site, SiteWindow.View view) {
    return wanted(sending.windowSize(site, view.size()), view) > 0;
  }

  private int wanted(int size, SiteWindow.View view) {
    return view.bare() ? 0 : sending.wanted(size, view.inside());
  }

  /** Fills the window up, if it still needs that and nobody else does so. */
  void run(Site site, CrawlId crawl) {
    boolean again = true;
    while (again && windows.beginFill(site.id())) {
      // Whoever saw a need meanwhile was turned away, so it is for us to look once more.
      again = fill(site, crawl) && isNeeded(site, view(site));
    }
  }

  private SiteWindow.View view(Site site) {
    return windows.leave(site.id(), List.of());
  }

  /** Fills up once, and returns whether anything was sent. */
  private boolean fill(Site site, CrawlId crawl) {
    SiteWindow.View view = view(site);
    int size = sending.windowSize(site, view.size());
    int wanted = wanted(size, view);
    List<Page> pages = wanted == 0 ? List.of() : frontier.shelf(site.id(), crawl, wanted);
    int sent = pages.isEmpty() ? 0 : takeOut(site, size, pages);
    windows.filled(site.id(), size, view.bare() || pages.size() < wanted);
    return sent > 0;
  }

  private int takeOut(Site site, int size, List<Page> pages) {
    List<UrlHash> hashes = pages.stream().map(page -> page.url().hash()).toList();
    Set<UrlHash> entered = windows.enter(site.id(), hashes, size, ON_ITS_WAY);
    List<Page> inside = pages.stream().filter(it -> entered.contains(it.url().hash())).toList();
    if (inside.isEmpty()) {
      return 0;
    }
    Map<CrawlUrl, Duration> slots = sending.reserve(site, inside.stream().map(Page::url).toList());
    List<UrlHash> outOfReach =
        inside.stream()
            .map(Page::url)
            .filter(url -> !slots.containsKey(url))
            .map(CrawlUrl::hash)
            .toList();
    if (!outOfReach.isEmpty()) {
      windows.shelved(site.id(), outOfReach);
    }
    List<Task> tasks =
        frontier.unshelve(inside.stream().filter(it -> slots.containsKey(it.url())).toList());
    meters.add(Meter.PAGE_UNSHELVED, tasks.size());
    sending.send(site, tasks, slots);
    return tasks.size();
  }
}
