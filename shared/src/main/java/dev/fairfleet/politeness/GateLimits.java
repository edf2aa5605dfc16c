package dev.fairfleet.politeness;

import dev.fairfleet.site.SiteLimits;
import java.time.Duration;

/**
 * What a gate must keep to.
 *
 * @param requestsPerHour most requests of a site in any trailing hour, at least 1
 * @param burst how many of them may come at once after a pause, 1 to {@code requestsPerHour}
 * @param minDelay least time between two requests to one host; zero means none
 */
public record GateLimits(int requestsPerHour, int burst, Duration minDelay) {
  private static final long HOUR_MICROS = Duration.ofHours(1).toNanos() / 1_000;
  private static final int MOST_BURST = 10;

  /**
   * @throws IllegalArgumentException if a limit is out of range
   */
  public GateLimits {
    if (requestsPerHour < 1 || burst < 1 || burst > requestsPerHour || minDelay.isNegative()) {
      throw new IllegalArgumentException(
          "A gate needs 1 ≤ burst ≤ requests per hour and no negative delay, not burst "
              + burst
              + " of "
              + requestsPerHour
              + " and "
              + minDelay);
    }
  }

  /** Returns a site's limits, with a burst of a tenth of the hour's requests, at most ten. */
  public static GateLimits of(SiteLimits limits) {
    int burst = Math.clamp(limits.requestsPerHour() / 10, 1, MOST_BURST);
    return new GateLimits(limits.requestsPerHour(), burst, limits.minDelay());
  }

  /** Returns these limits with at least the given delay between two requests to one host. */
  public GateLimits withDelayOf(Duration delay) {
    return delay.compareTo(minDelay) <= 0 ? this : new GateLimits(requestsPerHour, burst, delay);
  }

  /**
   * Returns the interval between requests, in microseconds, at which no trailing hour can hold more
   * than {@code requestsPerHour}, the burst included.
   *
   * <p>A generic cell rate with interval I and burst b lets at most b + ⌊3600 s ÷ I⌋ requests into
   * any closed hour. An interval just above 3600 s ÷ (limit − b + 1) makes that the limit exactly.
   */
  public long intervalMicros() {
    return HOUR_MICROS / (requestsPerHour - burst + 1) + 1;
  }

  /** Returns how far ahead of the even pace a site may run, in microseconds. */
  public long toleranceMicros() {
    return (burst - 1) * intervalMicros();
  }

  /** Returns {@link #minDelay} in microseconds. */
  public long minDelayMicros() {
    return minDelay.toNanos() / 1_000;
  }
}
