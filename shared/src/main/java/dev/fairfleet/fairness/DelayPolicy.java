package dev.fairfleet.fairness;

import dev.fairfleet.frontier.CrawlDepth;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides how long a new task waits before it can be received, so that the tasks of others pass it.
 *
 * <p>The deeper the page, the more its site was served lately, and the more pressure, the longer.
 * Pure but for the draws.
 *
 * @param scale factor on the table's delays, not negative: 1 takes them as written, less suits a
 *     fleet whose hour is shorter, 0 switches delays off
 */
public record DelayPolicy(DelayTable table, double scale) {
  /** The longest delay that SQS accepts (API reference, SendMessage, DelaySeconds). */
  public static final int MAX_SECONDS = 900;

  /**
   * @throws IllegalArgumentException if {@code scale} is negative or no number
   */
  public DelayPolicy {
    if (!(scale >= 0 && scale < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "The scale of delays is not negative, as " + scale + " is");
    }
  }

  /**
   * Returns the delay of a new task: whole seconds, drawn uniformly from the table's range and
   * scaled by the pressure, between 0 and {@link #MAX_SECONDS} after that. Delays exist to let
   * others pass; where nobody waits there is none.
   */
  public Duration forNewTask(
      CrawlDepth depth, Percentile served, Pressure fleet, RandomGenerator random) {
    DelayTable.Cell cell = table.cell(depth, served);
    double drawn =
        cell.minSeconds() + random.nextDouble() * (cell.maxSeconds() - cell.minSeconds());
    return Duration.ofSeconds(
        Math.clamp(Math.round(drawn * scale * fleet.value()), 0, MAX_SECONDS));
  }
}
