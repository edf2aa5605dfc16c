package dev.fairfleet.lease;

import java.time.Instant;

/**
 * The right to work on one received task, until another worker may receive it.
 *
 * <p>What proves the right to the queue (SQS: the receipt handle) stays inside the implementation.
 * Safe for use by many threads.
 */
public interface Lease {
  /** Returns when the task was received, by this worker's clock. */
  Instant receivedAt();

  /** Returns how often the task was delivered so far, this time included; 1 at first. */
  int receiveCount();
}
