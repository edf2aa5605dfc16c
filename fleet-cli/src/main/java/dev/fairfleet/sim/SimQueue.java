package dev.fairfleet.sim;

import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.sim.SimMessage.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A standard SQS queue: delays, leases, receives of up to ten, long polls that wake, loose order,
 * duplicates, late deliveries, redrive, the in-flight quota and fair queues.
 *
 * <p>Modelled after the SQS Developer Guide: a message keeps its place in line until it was
 * received three times without being deleted, and then goes to the back ("Available CloudWatch
 * metrics for Amazon SQS", ApproximateAgeOfOldestMessage); at the in-flight quota a receive waits
 * and returns empty without an error ("Amazon SQS message quotas"); a delete or change of
 * visibility counts only with the newest receipt (API reference, DeleteMessage); now and then a
 * copy of a message is delivered that a delete did not reach ("At-least-once delivery").
 */
final class SimQueue {
  private static final int TO_THE_BACK_FROM = 3;
  private static final long LOOSE = World.SECOND;
  private static final long WAKE = 2_000;
  private static final long LATE = 60 * World.SECOND;
  private static final long COPY_WITHIN = 5 * World.SECOND;

  private final Timeline timeline;
  private final RandomGenerator random;
  private final Scenario.Faults faults;
  private final LeasePolicy leases;
  private final FairLine line;
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();
  private boolean wakePlanned;
  private long order;
  private int purges;

  private int visible;
  private int inFlight;
  private int delayed;
  private long copies;
  private long deadLetters;

  private static final class Waiter {
    final int max;
    final Consumer<List<SimLease>> receiver;
    boolean served;

    Waiter(int max, Consumer<List<SimLease>> receiver) {
      this.max = max;
      this.receiver = receiver;
    }
  }

  /**
   * @param leases the queue's visibility timeout and redrive policy
   * @param fair whether senders name the site as message group
   */
  SimQueue(
      Timeline timeline,
      RandomGenerator random,
      Scenario.Faults faults,
      LeasePolicy leases,
      boolean fair) {
    this.timeline = timeline;
    this.random = random;
    this.faults = faults;
    this.leases = leases;
    this.line = new FairLine(fair);
  }

  int visible() {
    return visible;
  }

  int inFlight() {
    return inFlight;
  }

  int delayed() {
    return delayed;
  }

  /** Returns how often SQS delivered a copy by mistake. */
  long copies() {
    return copies;
  }

  /** Returns how many messages were received too often. */
  long deadLetters() {
    return deadLetters;
  }

  /** Sends a message that becomes visible after {@code delay}. */
  void send(SimMessage message, long delay) {
    delayed++;
    message.site.inSqs++;
    message.firstVisibleAt = timeline.now() + delay;
    message.purges = purges;
    long late = happens(faults.late()) ? random.nextLong(LATE) : 0;
    timeline.in(
        delay + late,
        () -> {
          if (!isPurged(message)) {
            delayed--;
            appear(message);
          }
        });
  }

  private boolean happens(double share) {
    return share > 0 && random.nextDouble() < share;
  }

  private boolean isPurged(SimMessage message) {
    return message.purges != purges;
  }

  private void appear(SimMessage message) {
    long from = message.receives < TO_THE_BACK_FROM ? message.firstVisibleAt : timeline.now();
    message.place = from + random.nextLong(LOOSE);
    message.order = ++order;
    message.state = State.VISIBLE;
    visible++;
    line.join(message, timeline.now());
    planWake();
  }

  private void planWake() {
    if (!waiters.isEmpty() && !wakePlanned && visible > 0) {
      wakePlanned = true;
      timeline.in(WAKE, this::wake);
    }
  }

  private void wake() {
    wakePlanned = false;
    while (!waiters.isEmpty()) {
      Waiter waiter = waiters.remove();
      List<SimLease> taken = take(waiter.max);
      if (taken.isEmpty()) {
        waiters.addFirst(waiter);
        return;
      }
      waiter.served = true;
      waiter.receiver.accept(taken);
    }
  }

  /**
   * Receives.
   *
   * @param wait for the first message; zero for a short poll
   */
  void receive(int max, long wait, Consumer<List<SimLease>> receiver) {
    List<SimLease> taken = take(max);
    if (!taken.isEmpty() || wait == 0) {
      receiver.accept(taken);
      return;
    }
    Waiter waiter = new Waiter(max, receiver);
    waiters.add(waiter);
    timeline.in(
        wait,
        () -> {
          if (!waiter.served) {
            waiters.remove(waiter);
            receiver.accept(List.of());
          }
        });
  }

  private List<SimLease> take(int max) {
    List<SimLease> taken = new ArrayList<>();
    while (taken.size() < max && inFlight < faults.inFlightQuota()) {
      SimMessage message = nextVisible();
      if (message == null) {
        break;
      }
      visible--;
      if (message.receives == leases.maxReceiveCount()) {
        deadLetters++;
        remove(message);
        continue;
      }
      message.receives++;
      message.state = State.IN_FLIGHT;
      inFlight++;
      line.takeOff(message, timeline.now());
      SimLease lease = new SimLease(message, timeline.now());
      hide(lease, World.micros(leases.visibility()));
      taken.add(lease);
      if (happens(faults.duplicates())) {
        copy(message);
      }
    }
    return taken;
  }

  /** Returns the next one that was not deleted while it stood in line. */
  private @Nullable SimMessage nextVisible() {
    SimMessage message = line.next(timeline.now());
    while (message != null && message.state == State.GONE) {
      message = line.next(timeline.now());
    }
    return message;
  }

  private void copy(SimMessage message) {
    copies++;
    SimMessage copy = message.again(message.hold);
    copy.copy = true;
    copy.receives = message.receives - 1;
    copy.firstVisibleAt = message.firstVisibleAt;
    copy.purges = purges;
    timeline.in(
        random.nextLong(COPY_WITHIN),
        () -> {
          if (!isPurged(copy)) {
            appear(copy);
          }
        });
  }

  /** Makes a received message invisible for a time from now. */
  private void hide(SimLease lease, long time) {
    SimMessage message = lease.message;
    int hides = ++message.hides;
    timeline.in(
        time,
        () -> {
          if (holds(lease) && message.hides == hides) {
            land(lease);
            appear(message);
          }
        });
  }

  private boolean holds(SimLease lease) {
    return lease.isNewest() && lease.message.state == State.IN_FLIGHT && !isPurged(lease.message);
  }

  private void land(SimLease lease) {
    inFlight--;
    line.land(lease.message, timeline.now() - lease.receivedAt, timeline.now());
    planWake();
  }

  /** Makes a message invisible for {@code time} from now, if the lease still holds. */
  void change(SimLease lease, long time) {
    if (holds(lease)) {
      hide(lease, time);
    }
  }

  /** Deletes a message, unless it was received again since. */
  void delete(SimLease lease) {
    SimMessage message = lease.message;
    if (holds(lease)) {
      land(lease);
      remove(message);
    } else if (lease.isNewest() && message.state == State.VISIBLE && !isPurged(message)) {
      visible--;
      remove(message);
    }
  }

  private static void remove(SimMessage message) {
    message.state = State.GONE;
    if (!message.copy) {
      message.site.inSqs--;
    }
  }

  /** Loses every message, as a purge does. */
  void purge() {
    purges++;
    line.clear();
    visible = 0;
    inFlight = 0;
    delayed = 0;
  }
}
