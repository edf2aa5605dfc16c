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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills a site's window up from its shelf, the shallowest first, and then from the pages that
 * earlier crawls know; one worker of the fleet at a time. A stopped site's window is left as it is.
 * Safe for use by many threads; throws what a store or the queue throws, and what is half done then
 * is found by the {@link Sweep}.
 */
final class Refill {
  private static final Logger log = LoggerFactory.getLogger(Refill.class);

  /**
   * How long a task may be inside a window before it is sent. A page that entered and was not taken
   * from the shelf, or was taken and not sent, because somebody died, keeps its place for so long.
   */
  static final Duration ON_ITS_WAY = Duration.ofMinutes(2);

  private final Frontier frontier;
  private final KnownPages known;
  private final SiteWindow windows;
  private final SlotSending sending;
  private final Meters meters;

  /** Uses the ports without closing any. */
  Refill(
      Frontier frontier, KnownPages known, SiteWindow windows, SlotSending sending, Meters meters) {
    this.frontier = frontier;
    this.known = known;
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

  /** Tells whether tasks of a site may be sent, because it is not stopped. */
  boolean sends(Site site) {
    return known.isActive(site);
  }

  /** Fills the window up, if it still needs that and nobody else does so. */
  void run(Site site, CrawlId crawl) {
    boolean again = sends(site);
    while (again && windows.beginFill(site.id())) {
      // Whoever saw a need meanwhile was turned away, so it is for us to look once more.
      again = fill(site, crawl) && isNeeded(site, view(site));
    }
  }

  private SiteWindow.View view(Site site) {
    return windows.leave(site.id(), List.of());
  }

  /** Fills up once, and returns whether it is worth while to try once more. */
  private boolean fill(Site site, CrawlId crawl) {
    SiteWindow.View view = view(site);
    int size = sending.windowSize(site, view.size());
    int wanted = wanted(size, view);
    if (wanted == 0) {
      return windows.filled(site.id(), size, view.bare());
    }
    List<Page> shelf = frontier.shelf(site.id(), crawl, wanted);
    boolean again = !shelf.isEmpty() && takeOut(site, size, shelf) > 0;
    boolean bare = shelf.size() < wanted;
    if (bare) {
      String position = windows.position(site.id(), crawl);
      KnownPages.Found found = known.next(site, crawl, position, wanted - shelf.size());
      if (!found.pages().isEmpty()) {
        sendKnown(site, size, found.pages());
        again = true;
      }
      if (!found.position().equals(position)) {
        windows.walkedTo(site.id(), crawl, found.position());
      }
      bare = found.isEnd();
    }
    boolean turnedAway = windows.filled(site.id(), size, bare);
    return again || turnedAway;
  }

  /**
   * Sends known pages, which needs no write. Those for which there is no room or no slot after all
   * go to the shelf, because the walk does not come by again.
   */
  private void sendKnown(Site site, int size, List<Page> pages) {
    Set<UrlHash> entered = windows.enter(site.id(), hashes(pages), size, ON_ITS_WAY);
    List<Page> inside = pages.stream().filter(it -> entered.contains(it.url().hash())).toList();
    Map<CrawlUrl, Duration> slots =
        inside.isEmpty()
            ? Map.of()
            : sending.reserve(site, inside.stream().map(Page::url).toList());
    List<Page> left = pages.stream().filter(it -> !slots.containsKey(it.url())).toList();
    left.forEach(page -> frontier.shelve(page.task()));
    if (!left.isEmpty()) {
      windows.shelved(site.id(), hashes(left));
      meters.add(Meter.PAGE_SHELVED, left.size());
    }
    List<Task> tasks =
        inside.stream().filter(it -> slots.containsKey(it.url())).map(Page::task).toList();
    meters.add(Meter.PAGE_RECALLED, pages.size());
    sending.send(site, tasks, slots);
  }

  private static List<UrlHash> hashes(List<Page> pages) {
    return pages.stream().map(page -> page.url().hash()).toList();
  }

  private int takeOut(Site site, int size, List<Page> pages) {
    Set<UrlHash> entered = windows.enter(site.id(), hashes(pages), size, ON_ITS_WAY);
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

  /** Puts pages whose tasks were lost on the shelf, from where they are sent again. */
  SiteWindow.View shelve(Site site, List<Page> lost) {
    List<UrlHash> shelved = new ArrayList<>();
    for (Page page : lost) {
      if (frontier.shelve(page.task())) {
        shelved.add(page.url().hash());
      }
    }
    if (!shelved.isEmpty()) {
      meters.add(Meter.PAGE_RESENT, shelved.size());
      log.warn("{} lost {} of its tasks, which will be sent again", site.id(), shelved.size());
    }
    return windows.shelved(site.id(), shelved);
  }
}
