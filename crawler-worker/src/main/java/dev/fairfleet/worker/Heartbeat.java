package dev.fairfleet.worker;

import dev.fairfleet.lease.Lease;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.TaskQueue;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases of all tasks in hand, and the renewal of those that are getting old. Safe for use by
 * many threads.
 */
final class Heartbeat {
  private final LeasePolicy policy;
  private final TaskQueue queue;
  private final InstantSource clock;
  private final Map<Lease, Instant> renewed = new ConcurrentHashMap<>();

  Heartbeat(LeasePolicy policy, TaskQueue queue, InstantSource clock) {
    this.policy = policy;
    this.queue = queue;
    this.clock = clock;
  }

  /** Begins to look after a lease. */
  void add(Lease lease) {
    renewed.put(lease, lease.receivedAt());
  }

  /**
   * Stops looking after a lease.
   *
   * @return false if nobody looked after it any more, so that whoever calls no longer owns it
   */
  boolean remove(Lease lease) {
    return renewed.remove(lease) != null;
  }

  /** Returns the leases in hand. */
  Set<Lease> inHand() {
    return Set.copyOf(renewed.keySet());
  }

  /** Renews every lease that was not renewed for one beat; to be called more often than that. */
  void beat() {
    Instant now = clock.instant();
    Instant due = now.minus(policy.heartbeat());
    renewed.forEach(
        (lease, last) -> {
          if (!last.isAfter(due) && renewed.replace(lease, last, now)) {
            queue.release(lease, policy.visibility());
          }
        });
  }
}
