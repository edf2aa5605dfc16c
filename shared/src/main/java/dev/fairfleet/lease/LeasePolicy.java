package dev.fairfleet.lease;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides how long a received task is invisible to others, and when to send it afresh.
 *
 * <p>Pure: any thread may share it.
 *
 * @param visibility how long a lease lasts when nobody extends it (SQS: the visibility timeout)
 * @param maxReceiveCount deliveries after which the queue's redrive policy moves a task to the
 *     dead-letter queue
 */
public record LeasePolicy(Duration visibility, int maxReceiveCount) {
  /**
   * The longest time a task can stay invisible, counted from its receive (SQS API reference,
   * ChangeMessageVisibility).
   */
  public static final Duration MAX_INVISIBLE = Duration.ofHours(12);

  // Covers the way to SQS and clocks that differ.
  private static final Duration MARGIN = Duration.ofSeconds(30);
  private static final int SPARE_RECEIVES = 5;

  /**
   * @throws IllegalArgumentException if the visibility is not between 1 s and 12 h, or the receive
   *     count leaves no room for a re-send
   */
  public LeasePolicy {
    if (visibility.compareTo(Duration.ofSeconds(1)) < 0
        || visibility.compareTo(MAX_INVISIBLE) > 0) {
      throw new IllegalArgumentException(
          "A visibility timeout lies between 1 s and 12 h, not " + visibility);
    }
    if (maxReceiveCount <= SPARE_RECEIVES) {
      throw new IllegalArgumentException(
          "maxReceiveCount must be above " + SPARE_RECEIVES + ", not " + maxReceiveCount);
    }
  }

  /** Returns how often a task that takes long renews its lease: three times a lease. */
  public Duration heartbeat() {
    return visibility.dividedBy(3);
  }

  /**
   * Returns how long a task may be made invisible from {@code now}: what is asked, but not beyond
   * 12 hours from its receive, less a margin; never negative.
   */
  public Duration clamp(Duration asked, Instant receivedAt, Instant now) {
    Duration left = Duration.between(now, receivedAt.plus(MAX_INVISIBLE).minus(MARGIN));
    Duration shorter = asked.compareTo(left) <= 0 ? asked : left;
    return shorter.isNegative() ? Duration.ZERO : shorter;
  }

  /**
   * Tells whether a healthy task was delivered so often that it must be sent afresh before the
   * queue takes it for poison. Being put back for politeness counts as a delivery, and is no
   * failure.
   */
  public boolean nearsRedrive(int receiveCount) {
    return receiveCount >= maxReceiveCount - SPARE_RECEIVES;
  }
}
