package dev.fairfleet.worker;

import dev.fairfleet.fairness.TurnPolicy;
import dev.fairfleet.queue.TaskQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether so many tasks are in flight that SQS will soon fall silent. Asks the queues at most once
 * in a while, and only if somebody wants to know. Safe for use by many threads.
 */
final class InFlightWatch {
  private static final Logger log = LoggerFactory.getLogger(InFlightWatch.class);
  private static final Duration FRESH = Duration.ofSeconds(30);

  private final TaskQueue queue;
  private final long quota;
  private final InstantSource clock;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile Instant freshUntil = Instant.MIN;
  private volatile boolean near;

  /**
   * @param quota tasks of both queues in flight at which one may fall silent
   */
  InFlightWatch(TaskQueue queue, long quota, InstantSource clock) {
    this.queue = queue;
    this.quota = quota;
    this.clock = clock;
  }

  /** Tells whether the quota is near; false if the queues cannot say. */
  boolean nearsQuota() {
    Instant now = clock.instant();
    // While one asks, the others go by what is known.
    if (!now.isBefore(freshUntil) && asking.tryLock()) {
      try {
        freshUntil = now.plus(FRESH);
        near = ask();
      } finally {
        asking.unlock();
      }
    }
    return near;
  }

  private boolean ask() {
    try {
      long inFlight = queue.depth().inFlight();
      boolean nears = TurnPolicy.nearsInFlightQuota(inFlight, quota);
      if (nears && !near) {
        log.warn(
            "{} tasks are in flight, and SQS falls silent at {}; parked tasks go to the shelf",
            inFlight,
            quota);
      }
      return nears;
    } catch (RuntimeException e) {
      log.warn("Cannot tell how many tasks are in flight: {}", e.toString());
      return false;
    }
  }
}
