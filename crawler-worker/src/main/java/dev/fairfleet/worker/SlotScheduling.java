package dev.fairfleet.worker;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Slots and windows: a link is sent when its site's window has room, and becomes visible just
 * before the slot that it took when it was sent; the others, and all of a site that is stopped,
 * wait on the shelf, from where they come out as the window drains. A task whose turn is far takes
 * a new slot.
 */
final class SlotScheduling implements Scheduling {
  /*
   * Window, frontier and queue are three stores; whoever dies between two of them leaves a page that
   * is inside the window, and perhaps queued in the frontier, without a message. It stays inside for
   * too long, and the sweep puts it on the shelf again.
   *
   * A page goes into the window before it is claimed or taken from the shelf, so that no two workers
   * fill the same room; who turns out not to be new leaves again.
   */
  private static final Logger log = LoggerFactory.getLogger(SlotScheduling.class);

  private final Frontier frontier;
  private final TaskQueue queue;
  private final PutBack putBack;
  private final SiteWindow windows;
  private final SlotSending sending;
  private final Refill refill;
  private final InFlightWatch inFlight;
  private final Executor hands;
  private final Meters meters;

  /**
   * Uses the ports without closing any.
   *
   * @param hands runs what nobody waits for
   */
  SlotScheduling(
      Frontier frontier,
      TaskQueue queue,
      PutBack putBack,
      SiteWindow windows,
      SlotSending sending,
      Refill refill,
      InFlightWatch inFlight,
      Executor hands,
      Meters meters) {
    this.frontier = frontier;
    this.queue = queue;
    this.putBack = putBack;
    this.windows = windows;
    this.sending = sending;
    this.refill = refill;
    this.inFlight = inFlight;
    this.hands = hands;
    this.meters = meters;
  }

  @Override
  public void follow(Discovery found, Site site, List<CrawlUrl> links) {
    List<CrawlUrl> fresh = frontier.unclaimed(found, links);
    if (fresh.isEmpty()) {
      return;
    }
    List<UrlHash> hashes = fresh.stream().map(CrawlUrl::hash).toList();
    Set<UrlHash> entered =
        refill.sends(site)
            ? windows.enter(site.id(), hashes, sending.windowSize(site, 0), Refill.ON_ITS_WAY)
            : Set.of();
    Map<CrawlUrl, Duration> slots =
        sending.reserve(site, fresh.stream().filter(url -> entered.contains(url.hash())).toList());
    List<Task> tasks = frontier.claim(found, fresh, Set.copyOf(slots.keySet()));
    meters.add(Meter.PAGE_CLAIMED, tasks.size() + fresh.size() - slots.size());
    meters.add(Meter.PAGE_SHELVED, fresh.size() - slots.size());
    // Also those that an earlier life of this page had sent, whose tasks the claim made stale.
    Set<UrlHash> unsent = new LinkedHashSet<>(hashes);
    tasks.forEach(task -> unsent.remove(task.url().hash()));
    if (!unsent.isEmpty()) {
      windows.shelved(site.id(), List.copyOf(unsent));
    }
    sending.send(site, tasks, slots);
  }

  @Override
  public void deferred(Delivery delivery, Site site) {
    Optional<Duration> slot =
        inFlight.nearsQuota()
            ? Optional.empty()
            : sending.reserveAnother(site, delivery.task().url());
    if (slot.isEmpty()) {
      shelve(delivery);
      return;
    }
    meters.add(Meter.TASK_PARKED);
    again(delivery, putBack.jittered(slot.get()));
  }

  private void shelve(Delivery delivery) {
    Task task = delivery.task();
    if (frontier.shelve(task)) {
      meters.add(Meter.PAGE_SHELVED);
      windows.shelved(task.site(), List.of(task.url().hash()));
    }
    queue.delete(delivery.lease());
  }

  @Override
  public void rests(Delivery delivery, Site site, Duration rest) {
    deferred(delivery, site);
  }

  @Override
  public void again(Delivery delivery, Duration wait) {
    Task task = delivery.task();
    windows.stay(task.site(), List.of(task.url().hash()), wait.plus(SlotSending.STAY));
    putBack.after(delivery, wait);
  }

  @Override
  public void dropped(SiteId site, List<Task> tasks) {
    SiteWindow.View unused =
        windows.leave(site, tasks.stream().map(task -> task.url().hash()).toList());
  }

  @Override
  public void settled(Task task, Site site) {
    SiteWindow.View view = windows.leave(task.site(), List.of(task.url().hash()));
    if (refill.isNeeded(site, view)) {
      hands.execute(() -> refill(site, task.crawl()));
    }
  }

  private void refill(Site site, CrawlId crawl) {
    try {
      refill.run(site, crawl);
    } catch (RuntimeException e) {
      log.warn(
          "The window of {} could not be filled up, and will be a little later: {}",
          site.id(),
          e.toString());
    }
  }
}
