package dev.fairfleet.worker;

import dev.fairfleet.url.HostKey;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How many pages of each host this worker has in hand. Safe for use by many threads; holds only
 * hosts with a page in hand.
 */
final class PerServerLimit {
  private final int most;
  private final ConcurrentHashMap<HostKey, Integer> inHand = new ConcurrentHashMap<>();

  /**
   * @param most pages of one host, at least 1
   */
  PerServerLimit(int most) {
    this.most = most;
  }

  /** Takes a place, or returns false if the host has as many pages in hand as it may. */
  boolean tryAcquire(HostKey host) {
    boolean[] taken = new boolean[1];
    inHand.compute(
        host,
        (key, count) -> {
          int pages = count == null ? 0 : count;
          taken[0] = pages < most;
          return taken[0] ? pages + 1 : count;
        });
    return taken[0];
  }

  /** Gives a place back. */
  void release(HostKey host) {
    inHand.computeIfPresent(host, (key, count) -> count == 1 ? null : count - 1);
  }
}
