package dev.fairfleet.queue;

/**
 * How many tasks are in the queues, approximately, as SQS tells.
 *
 * @param visible that could be received now
 * @param inFlight leased or parked
 * @param delayed that wait for their first visibility
 */
public record QueueDepth(long visible, long inFlight, long delayed) {
  /** Returns the sum of both. */
  public QueueDepth plus(QueueDepth other) {
    return new QueueDepth(
        visible + other.visible, inFlight + other.inFlight, delayed + other.delayed);
  }

  /** Returns all tasks. */
  public long total() {
    return visible + inFlight + delayed;
  }
}
