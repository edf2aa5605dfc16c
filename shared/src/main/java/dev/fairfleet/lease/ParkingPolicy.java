package dev.fairfleet.lease;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides how long a throttled task is put back: the plain form, which asks again after a short
 * random time whatever the limit that held it back.
 *
 * <p>Pure but for the draw.
 *
 * @param shortest not negative
 * @param longest at least {@code shortest}
 */
public record ParkingPolicy(Duration shortest, Duration longest) {
  /**
   * @throws IllegalArgumentException if the times are negative or out of order
   */
  public ParkingPolicy {
    if (shortest.isNegative() || longest.compareTo(shortest) < 0) {
      throw new IllegalArgumentException(
          "A task is parked from 0 ≤ shortest to longest, not " + shortest + " to " + longest);
    }
  }

  /** Returns a time drawn uniformly between both ends, to the millisecond. */
  public Duration forThrottled(RandomGenerator random) {
    long spread = longest.minus(shortest).toMillis();
    return shortest.plusMillis(Math.round(random.nextDouble() * spread));
  }
}
