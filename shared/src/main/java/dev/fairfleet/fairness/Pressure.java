package dev.fairfleet.fairness;

import java.time.Duration;

/**
 * How much the tasks in SQS stand in each other's way, as a worker sees it by their dwell times.
 *
 * @param value 0 (each is received as soon as it can be: the fleet is idle) to 1
 */
public record Pressure(double value) {
  /** Nobody waits. */
  public static final Pressure NONE = new Pressure(0);

  /** Everybody waits. */
  public static final Pressure FULL = new Pressure(1);

  private static final Duration SHORTEST_HALF_LIFE = Duration.ofSeconds(4);
  private static final Duration LONGEST_HALF_LIFE = Duration.ofSeconds(20);

  /** The dwell time from which on the pressure is full. */
  public static final Duration FULL_FROM = Duration.ofSeconds(20);

  /**
   * @throws IllegalArgumentException if {@code value} is not between 0 and 1
   */
  public Pressure {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("Pressure lies between 0 and 1, not " + value);
    }
  }

  /**
   * Returns the pressure after a receive: the mean of dwell times over {@link #FULL_FROM}, in which
   * what was seen longer ago counts less. Who has watched for a short time forgets quickly what he
   * began with (half in 4 s); who has watched for long is not misled by one receive (half in 20 s).
   *
   * @param dwell mean dwell time of the tasks received; zero if there were none
   * @param since time since the receive before
   * @param watched time since the first
   */
  public Pressure after(Duration dwell, Duration since, Duration watched) {
    double seen = Math.clamp((double) dwell.toMillis() / FULL_FROM.toMillis(), 0, 1);
    long halfLife =
        Math.clamp(
            watched.toMillis() / 2, SHORTEST_HALF_LIFE.toMillis(), LONGEST_HALF_LIFE.toMillis());
    double old = Math.pow(2, -Math.max(0, since.toMillis()) / (double) halfLife);
    return new Pressure(Math.clamp(value * old + seen * (1 - old), 0, 1));
  }
}
