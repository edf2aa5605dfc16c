package dev.fairfleet.sim;

import dev.fairfleet.fairness.Percentile;
import dev.fairfleet.fairness.SlotGrid.Approach;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.sim.SimWorker.Sending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Decides, for a worker, which pages of a site become tasks now, and which wait on the shelf. */
final class Dispatcher {
  private static final long STAY = 900 * World.SECOND;
  private static final long FILLING = 30 * World.SECOND;
  private static final long BARE = 600 * World.SECOND;

  private final SlotWorker worker;
  private final World world;

  Dispatcher(SlotWorker worker) {
    this.worker = worker;
    this.world = worker.world;
  }

  private int windowOf(SimSite site) {
    return world.windows.size(site.limits, worker.pressure(), site.windowSize);
  }

  private List<Duration> reserve(SimSite site, int slots) {
    return slots == 0
        ? List.of()
        : world.reserve(site, world.windows.forSlots(site.limits, worker.pressure()), slots);
  }

  /**
   * Lets links into the window while there is room, shelves the others, and returns what to send.
   */
  List<Sending> admit(SimSite site, List<Integer> links) {
    List<Integer> entered = enter(site, links);
    List<Duration> slots = reserve(site, entered.size());
    Percentile percentile = entered.isEmpty() ? Percentile.LOWEST : world.percentile(site);
    List<Sending> tasks = new ArrayList<>();
    for (int i = 0; i < entered.size(); i++) {
      int page = entered.get(i);
      if (i < slots.size()) {
        if (site.state[page] != SimSite.UNKNOWN) {
          site.generation[page]++;
        }
        site.shelf.clear(page);
        site.state[page] = SimSite.QUEUED;
        tasks.add(task(site, page, slots.get(i), percentile));
      } else {
        site.inside.remove(page);
        shelve(site, page);
      }
    }
    for (int page : links) {
      if (site.state[page] == SimSite.UNKNOWN) {
        shelve(site, page);
      }
    }
    return tasks;
  }

  private List<Integer> enter(SimSite site, List<Integer> pages) {
    List<Integer> entered = new ArrayList<>();
    int size = Math.min(windowOf(site), world.windows.least());
    for (int page : pages) {
      if (site.inside.containsKey(page)) {
        // Claimed by an earlier life of this page; its task may be lost, so it is sent again.
        entered.add(page);
      } else if (site.inside.size() < size && site.state[page] != SimSite.SHELVED) {
        stay(site, page, 0);
        entered.add(page);
      }
    }
    return entered;
  }

  /** Notes that a page is in the window until some time after its slot. */
  void stay(SimSite site, int page, long untilSlot) {
    site.inside.put(page, world.now() + untilSlot + STAY);
  }

  /** Puts a page on the shelf. */
  void shelve(SimSite site, int page) {
    site.state[page] = SimSite.SHELVED;
    site.shelf.set(page);
    site.bareUntil = 0;
  }

  private Sending task(SimSite site, int page, Duration slot, Percentile percentile) {
    Approach approach = world.grid.approach(slot, worker.clock());
    Duration delay =
        world.delays.forNewTask(
            new CrawlDepth(site.depth(page)), percentile, worker.pressure(), world.random);
    if (delay.compareTo(slot) > 0) {
      approach = new Approach(delay, Duration.ZERO);
    }
    return new Sending(
        new SimMessage(
            site,
            page,
            site.generation[page],
            SimWorker.isHigh(site, page),
            World.micros(approach.hold())),
        World.micros(approach.delay()));
  }

  /** Sends pages again whose tasks were lost. */
  void resend(SimSite site, List<Integer> lost) {
    if (lost.isEmpty()) {
      return;
    }
    world.figures.healed += lost.size();
    Percentile percentile = world.percentile(site);
    List<Sending> tasks = new ArrayList<>();
    for (int page : lost) {
      site.generation[page]++;
      stay(site, page, 0);
      tasks.add(task(site, page, Duration.ZERO, percentile));
    }
    worker.send(tasks);
  }

  /** Fills a window up if the policy says so and nobody else does. */
  void fillIfDue(SimSite site) {
    if (world.now() < site.fillingUntil || world.now() < site.bareUntil) {
      return;
    }
    int wanted = world.windows.wanted(windowOf(site), site.inside.size());
    if (wanted > 0) {
      fill(site, wanted);
    }
  }

  private void fill(SimSite site, int most) {
    site.fillingUntil = world.now() + FILLING;
    site.windowSize = windowOf(site);
    List<Integer> pages = site.shelf.stream().limit(most).boxed().toList();
    List<Duration> slots = reserve(site, pages.size());
    Percentile percentile = slots.isEmpty() ? Percentile.LOWEST : world.percentile(site);
    List<Sending> tasks = new ArrayList<>();
    for (int i = 0; i < slots.size(); i++) {
      int page = pages.get(i);
      stay(site, page, World.micros(slots.get(i)));
      site.shelf.clear(page);
      site.state[page] = SimSite.QUEUED;
      tasks.add(task(site, page, slots.get(i), percentile));
    }
    worker.in(
        world.step(),
        () -> {
          worker.send(tasks);
          site.fillingUntil = 0;
          if (pages.isEmpty() && site.shelf.isEmpty()) {
            site.bareUntil = world.now() + BARE;
          }
        });
  }
}
