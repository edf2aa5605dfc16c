package dev.fairfleet.fairness;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a task with a slot becomes visible: at the last tick of a common grid before its
 * slot, so that tasks of many sites become visible together and a receive comes back full. For what
 * is left until its slot, the worker that received it holds it.
 *
 * <p>Pure: any thread may share it.
 *
 * @param step time between two ticks, whole seconds, at least one
 */
public record SlotGrid(Duration step) {
  /** Ten seconds. */
  public static final SlotGrid DEFAULT = new SlotGrid(Duration.ofSeconds(10));

  /**
   * How a task reaches its slot: delay and hold together end when it begins, or less than a second
   * later, because SQS counts delays in whole seconds and nothing is to come before its tick.
   *
   * @param delay before it becomes visible: whole seconds, 0 to 900
   * @param hold from then until its slot, not negative
   */
  public record Approach(Duration delay, Duration hold) {}

  /**
   * @throws IllegalArgumentException if {@code step} is not a positive number of whole seconds
   */
  public SlotGrid {
    if (step.toSeconds() < 1 || !step.equals(Duration.ofSeconds(step.toSeconds()))) {
      throw new IllegalArgumentException("A grid's step has whole seconds, not " + step);
    }
  }

  /**
   * Returns how a task with a slot that begins {@code after} from now reaches it. If that is
   * farther away than SQS can delay, the delay is as long as it can be, and the hold is the rest.
   *
   * @param after not negative
   * @param now by the clock of whoever sends; workers whose clocks differ only fill receives less
   */
  public Approach approach(Duration after, Instant now) {
    Instant slot = now.plus(after);
    long tick = Math.floorDiv(slot.getEpochSecond(), step.toSeconds()) * step.toSeconds();
    Duration untilTick = Duration.between(now, Instant.ofEpochSecond(tick));
    long seconds = untilTick.isNegative() ? 0 : untilTick.plusNanos(999_999_999).toSeconds();
    Duration delay = Duration.ofSeconds(Math.min(seconds, DelayPolicy.MAX_SECONDS));
    Duration hold = after.minus(delay);
    return new Approach(delay, hold.isNegative() ? Duration.ZERO : hold);
  }
}
