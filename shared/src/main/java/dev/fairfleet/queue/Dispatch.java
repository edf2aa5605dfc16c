package dev.fairfleet.queue;

import dev.fairfleet.frontier.Task;
import java.time.Duration;

/**
 * A task on its way into a queue.
 *
 * @param delay before it can be received, whole seconds, 0 to 900
 */
public record Dispatch(Task task, Priority priority, Duration delay) {
  /**
   * @throws IllegalArgumentException if SQS would refuse the delay
   */
  public Dispatch {
    if (delay.isNegative()
        || delay.toSeconds() > 900
        || !delay.equals(Duration.ofSeconds(delay.toSeconds()))) {
      throw new IllegalArgumentException("A delay has whole seconds from 0 to 900, not " + delay);
    }
  }
}
