package dev.fairfleet.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Looks after windows: fills those with room, and sends again what was lost. */
final class Sweep {
  private static final long PATIENCE = 600 * World.SECOND;

  private final SlotWorker worker;
  private final World world;

  private Sweep(SlotWorker worker) {
    this.worker = worker;
    this.world = worker.world;
  }

  /** Looks at every site; one worker does so once a minute. */
  static void run(SlotWorker worker) {
    Sweep sweep = new Sweep(worker);
    worker.world.sites.stream().filter(site -> !site.isFinished()).forEach(sweep::lookAt);
  }

  private void lookAt(SimSite site) {
    List<Integer> overdue = overdue(site);
    site.inside.keySet().removeAll(overdue);
    resend(site, overdue.stream());
    if (!site.inside.isEmpty() || !site.shelf.isEmpty()) {
      site.emptySince = -1;
    } else if (site.emptySince < 0) {
      site.emptySince = world.now();
    } else if (world.now() - site.emptySince >= PATIENCE) {
      resend(site, IntStream.range(0, site.pages).boxed());
    }
    worker.dispatcher().fillIfDue(site);
  }

  private List<Integer> overdue(SimSite site) {
    List<Integer> overdue = new ArrayList<>();
    site.inside.forEach(
        (page, until) -> {
          if (until <= world.now()) {
            overdue.add(page);
          }
        });
    return overdue;
  }

  /** Sends those pages again that the frontier has as queued. */
  private void resend(SimSite site, Stream<Integer> pages) {
    worker
        .dispatcher()
        .resend(site, pages.filter(page -> site.state[page] == SimSite.QUEUED).toList());
  }
}
