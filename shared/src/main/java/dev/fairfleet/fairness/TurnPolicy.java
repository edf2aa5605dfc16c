package dev.fairfleet.fairness;

import java.time.Duration;

/**
 * Decides what becomes of a received task whose turn has not come.
 *
 * <p>Pure: any thread may share it.
 *
 * @param longestHold how far away its turn may be for the worker to keep it; must lie well within a
 *     lease
 */
public record TurnPolicy(Duration longestHold) {
  /** Twelve seconds: a step of the {@link SlotGrid grid}, and a little. */
  public static final TurnPolicy DEFAULT = new TurnPolicy(Duration.ofSeconds(12));

  /** What becomes of it. */
  public sealed interface Turn {
    /** The worker keeps it, and asks again {@code after} from now. */
    record Hold(Duration after) implements Turn {}

    /** It takes a new slot of its site's line: it is parked until then, or goes to the shelf. */
    record Requeue() implements Turn {}
  }

  /**
   * @throws IllegalArgumentException if the time is negative
   */
  public TurnPolicy {
    if (longestHold.isNegative()) {
      throw new IllegalArgumentException("A task is not held for " + longestHold);
    }
  }

  /**
   * Decides on a task.
   *
   * @param after how far away its turn is, by the gate; not negative
   */
  public Turn decide(Duration after) {
    return after.compareTo(longestHold) <= 0 ? new Turn.Hold(after) : new Turn.Requeue();
  }

  /**
   * Tells whether a task is better off on the shelf than parked, because four fifths of the quota
   * are in flight: SQS stops delivering when all of it is (120,000 tasks of a standard queue, SQS
   * Developer Guide, "Amazon SQS message quotas"), and says nothing.
   *
   * @param quota of the queue, positive
   */
  public static boolean nearsInFlightQuota(long inFlight, long quota) {
    return 5 * inFlight >= 4 * quota;
  }
}
