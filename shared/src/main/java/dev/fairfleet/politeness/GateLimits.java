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
  // An hour, and a second for requests that are on their way for different times.
  private static final long HOUR_MICROS = Duration.ofHours(1).plusSeconds(1).toNanos() / 1_000;
  private static final int MOST_BURST = 10;
  private static final Duration ON_THE_WAY = Duration.ofMillis(50);

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

  /**
   * Returns a site's limits, with a burst of a tenth of the hour's requests, at most ten. To its
   * delay 50 ms are added, because of two requests the second may be quicker on its way.
   */
  public static GateLimits of(SiteLimits limits) {
    int burst = Math.clamp(limits.requestsPerHour() / 10, 1, MOST_BURST);
    Duration delay = limits.minDelay();
    return new GateLimits(
        limits.requestsPerHour(), burst, delay.isZero() ? delay : delay.plus(ON_THE_WAY));
  }

  /** Returns these limits with at least the given delay between two requests to one host. */
  public GateLimits withDelayOf(Duration delay) {
    return delay.compareTo(minDelay) <= 0 ? this : new GateLimits(requestsPerHour, burst, delay);
  }

  /**
   * Returns these limits with at least a host's {@code Crawl-delay} between two requests to it, and
   * the same 50 ms; zero changes nothing.
   */
  public GateLimits withCrawlDelay(Duration delay) {
    return delay.isZero() ? this : withDelayOf(delay.plus(ON_THE_WAY));
  }

  /**
   * Returns the interval between requests, in microseconds, at which no trailing hour can hold more
   * than {@code requestsPerHour}, the burst included.
   *
   * <p>A generic cell rate with interval I and burst b lets at most b + ⌊3600 s ÷ I⌋ requests into
   * any closed hour. An interval just above 3601 s ÷ (limit − b + 1) makes that the limit exactly,
   * even if the first request is a second longer on its way than the last.
   */
  public long intervalMicros() {
    return HOUR_MICROS / (requestsPerHour - burst + 1) + 1;
  }

  /** Returns how far ahead of the even pace a site may run, in microseconds. */
  public long toleranceMicros() {
    return (burst - 1) * intervalMicros();
  }

  /** Returns how many requests in a second these limits allow one host in the long run. */
  public double perSecond() {
    return 1e6 / Math.max(intervalMicros(), minDelayMicros());
  }

  /** Returns {@link #minDelay} in microseconds. */
  public long minDelayMicros() {
    return minDelay.toNanos() / 1_000;
  }
}
