package dev.fairfleet.worker;

import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.Lease;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The ways in which a task goes back to its queue without being done; one that was given back
 * already stays as it is. Safe for use by many threads.
 *
 * <p>A task that was delivered so often that the queue would soon take it for poison is sent
 * afresh, one generation later: send, raise the page's generation, delete. So whoever dies between
 * two of these leaves two tasks and never none, and the older one is dropped when it comes again.
 */
final class PutBack {
  private static final ParkingPolicy GATE_AWAY =
      new ParkingPolicy(Duration.ofSeconds(30), Duration.ofMinutes(1));
  private static final ParkingPolicy TROUBLE =
      new ParkingPolicy(Duration.ofSeconds(2), Duration.ofSeconds(5));
  private static final ParkingPolicy JITTER =
      new ParkingPolicy(Duration.ZERO, Duration.ofSeconds(2));
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

  private final TaskQueue queue;
  private final Frontier frontier;
  private final Heartbeat heartbeat;
  private final ParkingPolicy parking;
  private final LeasePolicy lease;
  private final Meters meters;
  private final RandomGenerator random;

  PutBack(
      TaskQueue queue,
      Frontier frontier,
      Heartbeat heartbeat,
      ParkingPolicy parking,
      LeasePolicy lease,
      Meters meters,
      RandomGenerator random) {
    this.queue = queue;
    this.frontier = frontier;
    this.heartbeat = heartbeat;
    this.parking = parking;
    this.lease = lease;
    this.meters = meters;
    this.random = random;
  }

  /** Puts back a task that a limit holds back. */
  void throttled(Delivery delivery) {
    after(delivery, parking.forThrottled(random));
  }

  /** Puts back a task because the gate cannot be asked. */
  void gateUnavailable(Delivery delivery) {
    after(delivery, GATE_AWAY.forThrottled(random));
  }

  /**
   * Puts back a task because a store or the queue is in trouble.
   *
   * @return false if it was given back, or ended, before
   */
  boolean later(Delivery delivery) {
    return release(delivery.lease(), TROUBLE.forThrottled(random));
  }

  /**
   * Gives a task back, visible at once.
   *
   * @return false if it was given back, or ended, before
   */
  boolean atOnce(Lease lease) {
    return release(lease, Duration.ZERO);
  }

  private boolean release(Lease lease, Duration after) {
    boolean owned = heartbeat.remove(lease);
    if (owned) {
      queue.release(lease, after);
    }
    return owned;
  }

  /** Returns a time a little longer, so that tasks with one slot do not come back at one moment. */
  Duration jittered(Duration wait) {
    return wait.plus(JITTER.forThrottled(random));
  }

  /**
   * Puts back a task for a time, or for as long as SQS can.
   *
   * @throws RuntimeException if a store or the queue failed; the delivery is still the caller's
   */
  void after(Delivery delivery, Duration wait) {
    if (lease.nearsRedrive(delivery.lease().receiveCount())) {
      sendAfresh(delivery, wait);
    } else {
      boolean unused = release(delivery.lease(), wait);
    }
  }

  private void sendAfresh(Delivery delivery, Duration wait) {
    Task task = delivery.task();
    Page page = frontier.read(List.of(task)).get(task);
    if (page != null && !page.makesStale(task)) {
      meters.add(Meter.TASK_RENEWED);
      Task fresh = ofGeneration(task, task.generation() + 1);
      send(fresh, delivery.priority(), wait);
      // If somebody else raised it meanwhile, both his task and ours are stale now.
      frontier
          .renew(page)
          .filter(newest -> newest.generation() > fresh.generation())
          .ifPresent(newest -> send(newest, delivery.priority(), wait));
    }
    queue.delete(delivery.lease());
  }

  private static Task ofGeneration(Task task, int generation) {
    return new Task(task.site(), task.crawl(), task.url(), task.depth(), generation);
  }

  private void send(Task task, Priority priority, Duration wait) {
    Duration delay = wait.compareTo(LONGEST_DELAY) < 0 ? wait : LONGEST_DELAY;
    queue.send(List.of(new Dispatch(task, priority, Duration.ofSeconds(delay.toSeconds()))));
  }
}
