package dev.fairfleet.queue;

import dev.fairfleet.fairness.SlotGrid;
import dev.fairfleet.frontier.Task;
import java.time.Duration;

/**
 * A task on its way into a queue.
 *
 * @param delay before it can be received, whole seconds, 0 to 900
 * @param hold from then until its slot, for which the worker that receives it holds it; zero for a
 *     task without a slot
 */
public record Dispatch(Task task, Priority priority, Duration delay, Duration hold) {
  /**
   * @throws IllegalArgumentException if SQS would refuse the delay, or the hold is negative
   */
  public Dispatch {
    if (delay.isNegative()
        || delay.toSeconds() > 900
        || !delay.equals(Duration.ofSeconds(delay.toSeconds()))) {
      throw new IllegalArgumentException("A delay has whole seconds from 0 to 900, not " + delay);
    }
    if (hold.isNegative()) {
      throw new IllegalArgumentException("A task is not held for " + hold);
    }
  }

  /** A task without a slot: whoever receives it asks for its turn at once. */
  public Dispatch(Task task, Priority priority, Duration delay) {
    this(task, priority, delay, Duration.ZERO);
  }

  /** A task with a slot. */
  public Dispatch(Task task, Priority priority, SlotGrid.Approach approach) {
    this(task, priority, approach.delay(), approach.hold());
  }
}
