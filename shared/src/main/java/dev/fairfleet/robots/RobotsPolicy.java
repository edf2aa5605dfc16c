package dev.fairfleet.robots;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a robots.txt is believed, when it is asked for again, and how long a {@code Crawl-delay}
 * may be.
 *
 * @param fresh how long after it was had it is asked for again; at most {@link #BELIEVED}
 * @param retry how long after a first failure it is asked for again; doubled by each further one
 * @param retryMost longest that this grows to; also how long a file counts that we may not read
 * @param longestDelay longest {@code Crawl-delay} that is kept to; a site that asks for a longer
 *     one is not fetched
 */
public record RobotsPolicy(
    Duration fresh, Duration retry, Duration retryMost, Duration longestDelay) {
  /** How long a file is believed that cannot be had again (RFC 9309, section 2.4). */
  public static final Duration BELIEVED = Duration.ofHours(24);

  /** Asked for again after half a day, so that there is half a day to fail in. */
  public static final RobotsPolicy DEFAULT =
      new RobotsPolicy(
          Duration.ofHours(12), Duration.ofSeconds(5), Duration.ofMinutes(30), Duration.ofHours(1));

  private static final int MOST_DOUBLINGS = 30;

  /**
   * @throws IllegalArgumentException if a time is out of range
   */
  public RobotsPolicy {
    if (!fresh.isPositive() || fresh.compareTo(BELIEVED) > 0) {
      throw new IllegalArgumentException(
          "robots.fresh must be positive and at most 24 h, not " + fresh);
    }
    if (!retry.isPositive()
        || retry.compareTo(retryMost) > 0
        || retryMost.compareTo(BELIEVED) > 0) {
      throw new IllegalArgumentException(
          "robots.retry must be positive and at most robots.retryMost, and that at most 24 h, not "
              + retry
              + " and "
              + retryMost);
    }
    if (longestDelay.isNegative()) {
      throw new IllegalArgumentException(
          "robots.longestDelay must not be negative, but is " + longestDelay);
    }
  }

  /** Returns how long after {@code file} was had it is asked for again. */
  public Duration askAgainAfter(RobotsFile file) {
    return file instanceof RobotsFile.Forbidden ? retryMost : fresh;
  }

  /**
   * Returns how long after a failure it is asked for again.
   *
   * @param failures in a row, this one included
   * @param asked what the server asked us to wait (RFC 9110, section 10.2.3), which is kept to up
   *     to {@link #BELIEVED}
   */
  public Duration retryAfter(int failures, Optional<Duration> asked) {
    int doublings = Math.clamp(failures - 1L, 0, MOST_DOUBLINGS);
    Duration wait = shorter(retry.multipliedBy(1L << doublings), retryMost);
    return asked
        .map(longer -> shorter(longer, BELIEVED))
        .filter(longer -> longer.compareTo(wait) > 0)
        .orElse(wait);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
