package dev.fairfleet.local;

import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.site.SiteId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Watches a crawl until every page is in a final state: starts a worker again that died, and sends
 * again what the queues have lost.
 */
public final class CrawlWatch {
  private static final Duration TICK = Duration.ofMillis(250);
  private static final int EMPTY_TICKS = 4;
  private static final int MOST_RESTARTS = 20;

  private final LocalFleet fleet;
  private final Set<SiteId> sites;
  private final long roots;
  private final Consumer<Snapshot> progress;
  private final boolean restartWorkers;
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
   * Returns when every page of the sites is in a final state.
   *
   * @throws LocalFleetException if workers die again and again
   */
  public void awaitEnd() throws InterruptedException {
    int emptyTicks = 0;
    long checkedAt = -1;
    while (true) {
      Thread.sleep(TICK);
      reviveWorkers();
      QueueDepth depth = fleet.queue().depth();
      long settled = fleet.totals().settled();
      long known = Math.max(settled, fleet.totals().claimed() + roots);
      progress.accept(new Snapshot(settled, known, depth));
      emptyTicks = depth.total() == 0 ? emptyTicks + 1 : 0;
      boolean allSettled = settled >= known && settled != checkedAt;
      if (allSettled || emptyTicks >= EMPTY_TICKS) {
        checkedAt = settled;
        if (isFinished()) {
          return;
        }
        if (emptyTicks >= EMPTY_TICKS) {
          requeued += fleet.requeueUnfinished(sites);
          emptyTicks = 0;
        }
      }
    }
  }

  /** Returns how many tasks had to be sent again because the queues had lost them. */
  public int requeued() {
    return requeued;
  }

  private boolean isFinished() {
    return sites.stream().allMatch(site -> fleet.unfinished(site).isEmpty());
  }

  private void reviveWorkers() {
    if (!restartWorkers) {
      return;
    }
    List<WorkerProcess> dead = new ArrayList<>();
    for (WorkerProcess worker : fleet.workers()) {
      if (!worker.process().isAlive()) {
        dead.add(worker);
      }
    }
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
}
