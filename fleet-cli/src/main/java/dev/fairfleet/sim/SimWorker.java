package dev.fairfleet.sim;

import dev.fairfleet.lease.LeasePolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A worker in virtual time: what is the same whatever the policy. */
abstract class SimWorker {
  private static final int BATCH = 10;
  private static final long CALL = 15_000;
  private static final long CHANGE_LINGER = 200_000;
  private static final double SIGMA = 0.5;
  private static final long BEFORE_START = 30 * World.SECOND;
  private static final Instant START = Instant.ofEpochSecond(1_800_000_000);

  final World world;
  private final long skew;
  private final long deleteLinger;
  private int life;
  private boolean alive;
  private List<Batch> batches = List.of();
  private final Set<Work> inWork = new HashSet<>();

  private record Work(SimSite site, int page) {}

  /** A message and the delay, in microseconds, with which it is sent. */
  record Sending(SimMessage message, long delay) {}

  /** Deletes or changes of visibility that wait for company. */
  private static final class Batch {
    final List<Runnable> entries = new ArrayList<>();
    boolean planned;
  }

  SimWorker(World world, long skew, long deleteLinger) {
    this.world = world;
    this.skew = skew;
    this.deleteLinger = deleteLinger;
  }

  /** Begins to work, with nothing in hand. */
  final void start() {
    alive = true;
    batches = List.of(new Batch(), new Batch(), new Batch(), new Batch());
    begin();
  }

  abstract void begin();

  final boolean isAlive() {
    return alive;
  }

  /** Dies with all it has in hand; another one takes its place half a minute later. */
  final void kill() {
    alive = false;
    life++;
    inWork.forEach(work -> world.endRequest(work.site(), work.page()));
    inWork.clear();
    in(BEFORE_START, this::start);
  }

  /** Plans something that happens if this worker is alive by then. */
  final void in(long delay, Runnable what) {
    int planned = life;
    world.timeline.in(
        delay,
        () -> {
          if (life == planned) {
            what.run();
          }
        });
  }

  /** Returns the time as this worker's clock tells it. */
  final Instant clock() {
    return START.plusNanos((world.now() + skew) * 1_000);
  }

  final void receive(boolean high, int max, long wait, Consumer<List<SimLease>> receiver) {
    world.figures.receiveRequests++;
    int planned = life;
    in(
        CALL,
        () ->
            world
                .queue(high)
                .receive(
                    max,
                    wait,
                    leases -> {
                      // Who died meanwhile has the messages and never knows.
                      if (life == planned) {
                        world.figures.receives += leases.size();
                        world.figures.emptyReceives += leases.isEmpty() ? 1 : 0;
                        receiver.accept(leases);
                      }
                    }));
  }

  /** Sends messages in batches of one queue each. */
  final void send(List<Sending> sendings) {
    int high = 0;
    for (Sending sending : sendings) {
      world.send(sending.message(), sending.delay());
      high += sending.message().high ? 1 : 0;
    }
    world.figures.sendRequests += requests(high) + requests(sendings.size() - high);
  }

  private static int requests(int entries) {
    return (entries + BATCH - 1) / BATCH;
  }

  final void delete(SimLease lease) {
    boolean high = lease.message.high;
    add(
        batches.get(high ? 0 : 1),
        () -> world.queue(high).delete(lease),
        deleteLinger,
        () -> world.figures.deleteRequests++);
  }

  final void change(SimLease lease, long time) {
    boolean high = lease.message.high;
    long until = world.now() + time;
    if (until - lease.receivedAt > World.micros(LeasePolicy.MAX_INVISIBLE)) {
      world.refused++;
    }
    add(
        batches.get(high ? 2 : 3),
        () -> world.queue(high).change(lease, Math.max(0, until - world.now())),
        CHANGE_LINGER,
        () -> world.figures.changeRequests++);
  }

  /** Renews a lease now and then, as long as {@code held} says so. */
  final void renew(SimLease lease, BooleanSupplier held) {
    in(
        World.micros(world.leases.heartbeat()),
        () -> {
          if (held.getAsBoolean() && lease.isNewest()) {
            change(lease, World.micros(world.leases.visibility()));
            renew(lease, held);
          }
        });
  }

  private void add(Batch batch, Runnable entry, long linger, Runnable counted) {
    batch.entries.add(entry);
    if (batch.entries.size() == BATCH) {
      flush(batch, counted);
    } else if (!batch.planned) {
      batch.planned = true;
      in(
          linger,
          () -> {
            batch.planned = false;
            flush(batch, counted);
          });
    }
  }

  private static void flush(Batch batch, Runnable counted) {
    if (!batch.entries.isEmpty()) {
      counted.run();
      batch.entries.forEach(Runnable::run);
      batch.entries.clear();
    }
  }

  final boolean isInHand(SimSite site, int page) {
    return inWork.contains(new Work(site, page));
  }

  /**
   * Asks for a page; {@code answered} is told, when its service time is over, whether the site
   * answered 429.
   */
  final void fetch(SimSite site, int page, Consumer<Boolean> answered) {
    Work work = new Work(site, page);
    inWork.add(work);
    boolean throttled = world.request(site, page);
    double mean = World.micros(world.scenario.service());
    double time = mean * Math.exp(SIGMA * world.random.nextGaussian() - SIGMA * SIGMA / 2);
    in(
        throttled ? (long) (time / 10) : (long) time,
        () -> {
          world.endRequest(site, page);
          inWork.remove(work);
          answered.accept(throttled);
        });
  }

  static boolean isHigh(SimSite site, int page) {
    return site.depth(page) <= 1;
  }
}
