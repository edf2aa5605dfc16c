package dev.fairfleet.sim;

import dev.fairfleet.fairness.Percentile;
import dev.fairfleet.fairness.Pressure;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.politeness.Admission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * A worker that receives a throttled task again and again until its turn has come: {@link
 * Policy#CLASSIC}, and, with one queue, no delays and longer waits, {@link Policy#FIFO}.
 */
final class PlainWorker extends SimWorker {
  private static final int BATCH = 10;
  private static final int LOW_SHARE = 5;
  private static final long GATHER = 20_000;
  private static final long QUIET = 100_000;
  private static final long IDLE_WAIT = World.SECOND;
  private static final long DELETE_LINGER = 200_000;
  private static final ParkingPolicy CLASSIC =
      new ParkingPolicy(Duration.ofSeconds(5), Duration.ofSeconds(10));
  private static final ParkingPolicy FIFO =
      new ParkingPolicy(Duration.ofSeconds(30), Duration.ofSeconds(30));
  private static final ParkingPolicy TROUBLE =
      new ParkingPolicy(Duration.ofSeconds(2), Duration.ofSeconds(5));

  private final boolean fifo;
  private final Map<SimSite, Integer> perServer = new HashMap<>();
  private int free;
  private boolean polling;
  private boolean gathering;
  private long polls;
  private final long[] quietUntil = new long[2];

  PlainWorker(World world, long skew, boolean fifo) {
    super(world, skew, DELETE_LINGER);
    this.fifo = fifo;
  }

  @Override
  void begin() {
    perServer.clear();
    free = world.scenario.slots();
    polling = false;
    gathering = false;
    Arrays.fill(quietUntil, 0);
    pump();
  }

  private void pump() {
    if (polling || free == 0) {
      return;
    }
    if (free >= Math.min(BATCH, world.scenario.slots())) {
      poll();
    } else if (!gathering) {
      gathering = true;
      in(
          GATHER,
          () -> {
            gathering = false;
            if (!polling && free > 0) {
              poll();
            }
          });
    }
  }

  private void poll() {
    polling = true;
    int asked = Math.min(BATCH, free);
    free -= asked;
    if (fifo) {
      receive(false, asked, 20 * World.SECOND, leases -> end(asked - accept(leases)));
      return;
    }
    boolean highFirst = ++polls % LOW_SHARE != 0;
    ask(
        highFirst,
        asked,
        left -> {
          if (left == 0) {
            end(0);
            return;
          }
          ask(
              !highFirst,
              left,
              still -> {
                if (still == asked && isQuiet(true) && isQuiet(false)) {
                  boolean high = (polls % 2 == 0) == highFirst;
                  receive(high, still, IDLE_WAIT, leases -> end(still - accept(leases)));
                } else {
                  end(still);
                }
              });
        });
  }

  private boolean isQuiet(boolean high) {
    return world.now() < quietUntil[high ? 1 : 0];
  }

  private void ask(boolean high, int most, IntConsumer left) {
    if (isQuiet(high)) {
      left.accept(most);
      return;
    }
    receive(
        high,
        most,
        0,
        leases -> {
          if (leases.isEmpty()) {
            quietUntil[high ? 1 : 0] = world.now() + QUIET;
          }
          left.accept(most - accept(leases));
        });
  }

  private int accept(List<SimLease> leases) {
    leases.forEach(this::decide);
    return leases.size();
  }

  private void end(int unused) {
    free += unused;
    polling = false;
    pump();
  }

  private void letGo() {
    free++;
    pump();
  }

  private void decide(SimLease lease) {
    SimMessage message = lease.message;
    SimSite site = message.site;
    if (world.isStale(site, message.page, message.generation)) {
      delete(lease);
      letGo();
      return;
    }
    if (isInHand(site, message.page)) {
      change(lease, World.micros(TROUBLE.forThrottled(world.random)));
      letGo();
      return;
    }
    int inHand = perServer.getOrDefault(site, 0);
    if (inHand >= world.scenario.perServer() || !(world.admit(site) instanceof Admission.Granted)) {
      world.figures.throttled++;
      putBack(lease, (fifo ? FIFO : CLASSIC).forThrottled(world.random));
      letGo();
      return;
    }
    perServer.put(site, inHand + 1);
    world.figures.dwell(world.now() - message.firstVisibleAt);
    renew(lease, () -> isInHand(site, message.page));
    fetch(site, message.page, throttled -> answered(lease, throttled));
  }

  private void putBack(SimLease lease, Duration wait) {
    SimMessage message = lease.message;
    if (!world.leases.nearsRedrive(lease.receives)) {
      change(lease, World.micros(wait));
      return;
    }
    world.figures.renewed++;
    send(List.of(new Sending(message.again(0), World.wholeSeconds(wait))));
    delete(lease);
  }

  private void answered(SimLease lease, boolean throttled) {
    SimMessage message = lease.message;
    SimSite site = message.site;
    if (throttled) {
      world.figures.answered429++;
      world.coolDown(site);
      putBack(lease, Duration.ofSeconds(60));
      leave(site);
      return;
    }
    List<Sending> links = new ArrayList<>();
    Percentile percentile = fifo ? Percentile.LOWEST : world.percentile(site);
    for (int child : world.unclaimed(site, message.page)) {
      if (site.state[child] == SimSite.UNKNOWN) {
        site.state[child] = SimSite.QUEUED;
      } else {
        site.generation[child]++;
      }
      links.add(link(site, child, percentile));
    }
    in(
        world.step(),
        () -> {
          send(links);
          in(
              world.step(),
              () -> {
                world.settle(site, message.page);
                delete(lease);
                leave(site);
              });
        });
  }

  private Sending link(SimSite site, int page, Percentile percentile) {
    SimMessage message =
        new SimMessage(site, page, site.generation[page], !fifo && isHigh(site, page), 0);
    if (fifo) {
      return new Sending(message, 0);
    }
    Duration delay =
        world.delays.forNewTask(
            new CrawlDepth(site.depth(page)), percentile, Pressure.FULL, world.random);
    return new Sending(message, World.micros(delay));
  }

  private void leave(SimSite site) {
    perServer.computeIfPresent(site, (key, count) -> count == 1 ? null : count - 1);
    letGo();
  }
}
