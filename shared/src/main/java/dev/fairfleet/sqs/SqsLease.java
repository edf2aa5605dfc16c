package dev.fairfleet.sqs;

import dev.fairfleet.lease.Lease;
import dev.fairfleet.queue.Priority;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/** A lease on a message: the one place of its receipt handle. */
final class SqsLease implements Lease {
  private final Priority priority;
  private final String what;
  private final String receiptHandle;
  private final Instant receivedAt;
  private final int receiveCount;
  private final AtomicBoolean deleted = new AtomicBoolean();
  private final AtomicBoolean changeWaits = new AtomicBoolean();
  private volatile int visibleAfterSeconds;

  /**
   * Creates a lease.
   *
   * @param what names the message in a log line
   */
  SqsLease(
      Priority priority, String what, String receiptHandle, Instant receivedAt, int receiveCount) {
    this.priority = priority;
    this.what = what;
    this.receiptHandle = receiptHandle;
    this.receivedAt = receivedAt;
    this.receiveCount = receiveCount;
  }

  @Override
  public Instant receivedAt() {
    return receivedAt;
  }

  @Override
  public int receiveCount() {
    return receiveCount;
  }

  Priority priority() {
    return priority;
  }

  String receiptHandle() {
    return receiptHandle;
  }

  /** Ends the lease; false if it was ended before. */
  boolean delete() {
    return deleted.compareAndSet(false, true);
  }

  boolean isDeleted() {
    return deleted.get();
  }

  /**
   * Notes after how long the message is to be visible, in seconds.
   *
   * @return whether a change must be batched; one that still waits carries the newest value
   */
  boolean change(int seconds) {
    visibleAfterSeconds = seconds;
    return !changeWaits.getAndSet(true);
  }

  /** Returns the newest value noted, for the request that carries it. */
  int takeChange() {
    changeWaits.set(false);
    return visibleAfterSeconds;
  }

  @Override
  public String toString() {
    return what;
  }
}
