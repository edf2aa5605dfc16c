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
 * The leases of all tasks in hand, and the renewal of those that are getting old. Whoever removes a
 * lease has the last word on when its task is visible again. Safe for use by many threads.
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

  /** Returns how many leases are in hand. */
  int size() {
    return renewed.size();
  }

  /** Returns the leases in hand. */
  Set<Lease> inHand() {
    return Set.copyOf(renewed.keySet());
  }

  /** Renews every lease that was not renewed for one beat; to be called more often than that. */
  void beat() {
    Instant now = clock.instant();
    Instant due = now.minus(policy.heartbeat());
    renewed.forEach((lease, last) -> renewIfDue(lease, due, now));
  }

  private void renewIfDue(Lease lease, Instant due, Instant now) {
    renewed.computeIfPresent(
        lease,
        (key, last) -> {
          if (last.isAfter(due)) {
            return last;
          }
          // In here, so that it never comes after what whoever removes the lease decides.
          queue.release(lease, policy.visibility());
          return now;
        });
  }
}
