package dev.fairfleet.sim;

import dev.fairfleet.fairness.Pressure;
import dev.fairfleet.fairness.TurnPolicy;
import dev.fairfleet.fairness.TurnPolicy.Turn;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.queue.PollPolicy;
import dev.fairfleet.queue.Priority;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A worker of {@link Policy#RESERVED}. */
final class SlotWorker extends SimWorker {
  private static final long LONG_POLL = 20 * World.SECOND;
  private static final long DELETE_LINGER = 10 * World.SECOND;
  private static final long LOOK = 30 * World.SECOND;
  private static final int HOLD_BESIDE_SLOTS = 10;
  private static final ParkingPolicy JITTER =
      new ParkingPolicy(Duration.ZERO, Duration.ofSeconds(2));
  private static final ParkingPolicy TROUBLE =
      new ParkingPolicy(Duration.ofSeconds(2), Duration.ofSeconds(5));

  private final Dispatcher dispatcher = new Dispatcher(this);
  private final Map<SimSite, Integer> perServer = new HashMap<>();
  private final Map<SimSite, Line> lines = new LinkedHashMap<>();
  private final Set<Long> held = new HashSet<>();
  private int free;
  private int busy;
  private boolean highUnderWay;
  private boolean lowUnderWay;
  private boolean highWasFull;
  private int highsInARow;
  private long freeSince;
  private long highDwell;
  private long lowDwell;
  private long lowAt;
  private long highAt;
  private boolean waking;
  private boolean nearsQuota;
  private long nextLook;
  private Pressure pressure = Pressure.FULL;
  private long beganAt;
  private long lastReceive;

  /** Tasks of one site whose turn has come, in the order in which it came. */
  private static final class Line {
    final ArrayDeque<SimLease> waiting = new ArrayDeque<>();
    long notBefore;
  }

  SlotWorker(World world, long skew) {
    super(world, skew, DELETE_LINGER);
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  Pressure pressure() {
    return pressure;
  }

  /** Returns how many tasks have a fetch slot, or want one and nothing else. */
  private int active() {
    int active = busy;
    for (Line line : lines.values()) {
      if (world.now() >= line.notBefore) {
        active += Math.min(line.waiting.size(), world.scenario.perServer());
      }
    }
    return active;
  }

  private int places() {
    return 2 * world.scenario.slots() + HOLD_BESIDE_SLOTS;
  }

  @Override
  void begin() {
    perServer.clear();
    lines.clear();
    held.clear();
    free = places();
    busy = 0;
    highUnderWay = false;
    lowUnderWay = false;
    highWasFull = false;
    highsInARow = 0;
    lowAt = world.now();
    highAt = world.now();
    freeSince = world.now();
    waking = false;
    nextLook = 0;
    pressure = Pressure.FULL;
    beganAt = world.now();
    lastReceive = world.now();
    poll();
  }

  private void poll() {
    while (true) {
      var next =
          world.polls.next(
              new PollPolicy.Facts(
                  Math.min(free, world.scenario.slots() + HOLD_BESIDE_SLOTS - active()),
                  places(),
                  World.duration(world.now() - freeSince),
                  highUnderWay,
                  lowUnderWay,
                  highWasFull,
                  highsInARow,
                  World.duration(highDwell + world.now() - highAt),
                  World.duration(lowDwell + world.now() - lowAt)));
      if (next.isEmpty()) {
        break;
      }
      receive(next.get());
    }
    if (free > 0 && !waking && !(highUnderWay && lowUnderWay)) {
      waking = true;
      in(
          World.micros(world.polls.gather()),
          () -> {
            waking = false;
            poll();
          });
    }
  }

  private void receive(PollPolicy.Poll poll) {
    boolean high = poll.priority() == Priority.HIGH;
    free -= poll.max();
    freeSince = world.now();
    if (high) {
      highUnderWay = true;
      highsInARow++;
    } else {
      lowUnderWay = true;
      highsInARow = 0;
    }
    receive(
        high,
        poll.max(),
        LONG_POLL,
        leases -> {
          if (high) {
            highUnderWay = false;
            highWasFull = leases.size() == poll.max();
          } else {
            lowUnderWay = false;
          }
          long dwell =
              leases.isEmpty()
                  ? 0
                  : leases.stream().mapToLong(SimLease::dwell).sum() / leases.size();
          if (high) {
            highDwell = dwell;
            highAt = world.now();
          } else {
            lowDwell = dwell;
            lowAt = world.now();
          }
          pressure =
              pressure.after(
                  World.duration(dwell),
                  World.duration(world.now() - lastReceive),
                  World.duration(world.now() - beganAt));
          lastReceive = world.now();
          release(poll.max() - leases.size());
          leases.forEach(this::consider);
          poll();
        });
  }

  /** Gives places back. */
  private void release(int places) {
    if (free == 0 && places > 0) {
      freeSince = world.now();
    }
    free += places;
  }

  private static long key(SimLease lease) {
    return ((long) lease.message.site.index << 32) | lease.message.page;
  }

  private void consider(SimLease lease) {
    SimMessage message = lease.message;
    if (world.isStale(message.site, message.page, message.generation)) {
      delete(lease);
      release(1);
      return;
    }
    if (!held.add(key(lease))) {
      change(lease, World.micros(TROUBLE.forThrottled(world.random)));
      release(1);
      return;
    }
    long hold = lease.receives == 1 ? message.hold - lease.dwell() : 0;
    if (hold > 0) {
      in(hold, () -> ready(lease));
    } else {
      ready(lease);
    }
    renew(lease, () -> held.contains(key(lease)));
  }

  private void ready(SimLease lease) {
    lines.computeIfAbsent(lease.message.site, site -> new Line()).waiting.add(lease);
    startReady();
  }

  /** Starts what may start, one page after the other of each site in turn. */
  private void startReady() {
    for (SimSite site : List.copyOf(lines.keySet())) {
      if (busy == world.scenario.slots()) {
        return;
      }
      startOf(site);
    }
  }

  private void startOf(SimSite site) {
    Line line = lines.get(site);
    while (line != null
        && !line.waiting.isEmpty()
        && world.now() >= line.notBefore
        && busy < world.scenario.slots()
        && perServer.getOrDefault(site, 0) < world.scenario.perServer()) {
      start(line, line.waiting.remove());
    }
    if (line != null && line.waiting.isEmpty()) {
      lines.remove(site);
    }
  }

  private void start(Line line, SimLease lease) {
    SimMessage message = lease.message;
    SimSite site = message.site;
    switch (world.admit(site)) {
      case Admission.Granted granted -> {
        busy++;
        perServer.merge(site, 1, Integer::sum);
        world.figures.dwell(world.now() - message.firstVisibleAt - message.hold);
        fetch(site, message.page, throttled -> answered(lease, throttled));
      }
      case Admission.Deferred deferred -> {
        switch (world.turns.decide(deferred.after())) {
          case Turn.Hold hold -> {
            line.waiting.addFirst(lease);
            line.notBefore = world.now() + World.micros(hold.after());
            in(World.micros(hold.after()), () -> startOf(site));
          }
          case Turn.Requeue requeue -> requeue(lease);
        }
      }
      case Admission.Unavailable unavailable ->
          throw new IllegalStateException("The simulated gate is always there");
    }
  }

  /**
   * Parks a task until a new slot, or puts it on the shelf if that is too far away, or if too much
   * is in flight.
   */
  private void requeue(SimLease lease) {
    SimMessage message = lease.message;
    SimSite site = message.site;
    world.figures.throttled++;
    List<Duration> slot = nearsQuota() ? List.of() : world.reserve(site, site.limits, 1);
    if (slot.isEmpty()) {
      world.figures.shelvedAgain++;
      site.generation[message.page]++;
      dispatcher.shelve(site, message.page);
      site.inside.remove(message.page);
      delete(lease);
    } else {
      park(lease, slot.getFirst().plus(JITTER.forThrottled(world.random)));
    }
    held.remove(key(lease));
    release(1);
    poll();
  }

  /** Goes by a look at the queues every half a minute. */
  private boolean nearsQuota() {
    if (world.now() >= nextLook) {
      nextLook = world.now() + LOOK;
      nearsQuota =
          TurnPolicy.nearsInFlightQuota(world.inFlight(), world.scenario.faults().inFlightQuota());
    }
    return nearsQuota;
  }

  private void park(SimLease lease, Duration until) {
    SimMessage message = lease.message;
    dispatcher.stay(message.site, message.page, World.micros(until));
    if (world.leases.nearsRedrive(lease.receives)) {
      world.figures.renewed++;
      send(List.of(new Sending(message.again(0), World.wholeSeconds(until))));
      delete(lease);
    } else {
      change(lease, World.micros(until));
    }
  }

  private void answered(SimLease lease, boolean throttled) {
    SimMessage message = lease.message;
    SimSite site = message.site;
    if (throttled) {
      world.figures.answered429++;
      world.coolDown(site);
      leaveSlot(site);
      requeue(lease);
      startReady();
      return;
    }
    List<Sending> links = dispatcher.admit(site, world.unclaimed(site, message.page));
    in(
        world.step(),
        () -> {
          send(links);
          in(world.step(), () -> commit(lease));
        });
  }

  private void commit(SimLease lease) {
    SimMessage message = lease.message;
    SimSite site = message.site;
    world.settle(site, message.page);
    site.inside.remove(message.page);
    delete(lease);
    held.remove(key(lease));
    leaveSlot(site);
    release(1);
    dispatcher.fillIfDue(site);
    startReady();
    poll();
  }

  private void leaveSlot(SimSite site) {
    busy--;
    perServer.computeIfPresent(site, (key, count) -> count == 1 ? null : count - 1);
  }
}
