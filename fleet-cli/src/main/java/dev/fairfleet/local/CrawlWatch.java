package dev.fairfleet.local;

import dev.fairfleet.frontier.Task;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches a crawl until it has ended on every site, or the site was stopped: starts a worker again
 * that died, sends again what the queues have lost, and has the end looked for as soon as every
 * page is in a final state.
 */
public final class CrawlWatch {
  private static final Duration TICK = Duration.ofMillis(250);
  private static final int EMPTY_TICKS = 4;
  private static final int MOST_RESTARTS = 20;
  // A look at the pages of a site takes a worker that long at most, as a rule.
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);

  private final LocalFleet fleet;
  private final Set<SiteId> sites;
  private final long roots;
  private final Consumer<Snapshot> progress;
  private final boolean restartWorkers;
  private final Map<SiteId, Long> lookedAt = new HashMap<>();
  private int restarts;
  private int requeued;

  /**
   * How far a crawl is.
   *
   * @param settled pages in a final state, as the workers reported
   * @param known pages that were found, as the workers reported
   */
  public record Snapshot(long settled, long known, QueueDepth queues) {}

  /**
   * @param sites whose newest crawls are watched
   * @param roots how many pages were known at the start
   * @param restartWorkers whether a worker that ends is started again
   * @param progress told four times a second, by the watching thread
   */
  public CrawlWatch(
      LocalFleet fleet,
      Set<SiteId> sites,
      long roots,
      boolean restartWorkers,
      Consumer<Snapshot> progress) {
    this.fleet = fleet;
    this.sites = Set.copyOf(sites);
    this.roots = roots;
    this.restartWorkers = restartWorkers;
    this.progress = progress;
  }

  /**
   * Returns when the crawl has ended on every site that was not stopped meanwhile.
   *
   * @throws LocalFleetException if workers die again and again
   */
  public void awaitEnd() throws InterruptedException {
    int emptyTicks = 0;
    while (true) {
      Thread.sleep(TICK);
      reviveWorkers();
      QueueDepth depth = fleet.queue().depth();
      long settled = fleet.totals().settled();
      long known = Math.max(settled, fleet.totals().claimed() + roots);
      progress.accept(new Snapshot(settled, known, depth));
      emptyTicks = depth.total() == 0 ? emptyTicks + 1 : 0;
      boolean empty = emptyTicks == EMPTY_TICKS;
      if (empty || settled >= known) {
        List<SiteStatus> goingOn = goingOn();
        if (goingOn.isEmpty()) {
          return;
        }
        if (empty) {
          requeued += fleet.requeueUnfinished(goingOn.stream().map(it -> it.site().id()).toList());
        }
        lookForTheEnd(goingOn);
      }
      emptyTicks %= EMPTY_TICKS;
    }
  }

  private List<SiteStatus> goingOn() {
    return fleet.sites().all().stream()
        .filter(status -> sites.contains(status.site().id()))
        .filter(status -> status.state() == SiteState.ACTIVE)
        .filter(status -> status.run().flatMap(CrawlRun::end).isEmpty())
        .toList();
  }

  private void lookForTheEnd(List<SiteStatus> goingOn) {
    List<Dispatch> looks = new ArrayList<>();
    for (SiteStatus status : goingOn) {
      SiteId id = status.site().id();
      @Nullable Long last = lookedAt.get(id);
      boolean again = last == null || System.nanoTime() - last > BETWEEN_LOOKS.toNanos();
      if (again && status.started() && fleet.unfinished(id).isEmpty()) {
        lookedAt.put(id, System.nanoTime());
        status
            .crawl()
            .map(crawl -> Task.ofEnd(status.site(), crawl))
            .ifPresent(task -> looks.add(new Dispatch(task, Priority.HIGH, Duration.ZERO)));
      }
    }
    fleet.queue().send(looks);
  }

  /** Returns how many tasks had to be sent again because the queues had lost them. */
  public int requeued() {
    return requeued;
  }

  private void reviveWorkers() {
    if (!restartWorkers) {
      return;
    }
    List<WorkerProcess> dead = dead();
    for (int i = restarts; i < dead.size(); i++) {
      if (++restarts > MOST_RESTARTS) {
        throw new LocalFleetException(
            "Workers died "
                + restarts
                + " times. Nothing is lost; the end of the last one's log:\n"
                + dead.getLast().process().logTail(20),
            null);
      }
      fleet.startWorker();
    }
  }

  private List<WorkerProcess> dead() {
    return fleet.workers().stream().filter(worker -> !worker.process().isAlive()).toList();
  }
}
