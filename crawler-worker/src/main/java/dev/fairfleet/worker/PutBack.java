package dev.fairfleet.worker;

import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The ways in which a task goes back to its queue without being done. Safe for use by many threads.
 *
 * <p>A task that was delivered so often that the queue would soon take it for poison is sent
 * afresh: send, then delete, so that a crash between both leaves two tasks and never none.
 */
final class PutBack {
  private static final ParkingPolicy GATE_AWAY =
      new ParkingPolicy(Duration.ofSeconds(30), Duration.ofMinutes(1));
  private static final ParkingPolicy TROUBLE =
      new ParkingPolicy(Duration.ofSeconds(2), Duration.ofSeconds(5));
  private static final Duration LONGEST_DELAY = Duration.ofMinutes(15);

  private final TaskQueue queue;
  private final ParkingPolicy parking;
  private final LeasePolicy lease;
  private final Meters meters;
  private final RandomGenerator random;

  PutBack(
      TaskQueue queue,
      ParkingPolicy parking,
      LeasePolicy lease,
      Meters meters,
      RandomGenerator random) {
    this.queue = queue;
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

  /** Puts back a task because a store or the queue is in trouble. */
  void later(Delivery delivery) {
    queue.release(delivery.lease(), TROUBLE.forThrottled(random));
  }

  /** Puts back a task for a time, or for as long as SQS can. */
  void after(Delivery delivery, Duration wait) {
    if (!lease.nearsRedrive(delivery.lease().receiveCount())) {
      queue.release(delivery.lease(), wait);
      return;
    }
    meters.add(Meter.TASK_RENEWED);
    Duration delay = wait.compareTo(LONGEST_DELAY) < 0 ? wait : LONGEST_DELAY;
    queue.send(
        List.of(
            new Dispatch(
                delivery.task(), delivery.priority(), Duration.ofSeconds(delay.toSeconds()))));
    queue.delete(delivery.lease());
  }
}
