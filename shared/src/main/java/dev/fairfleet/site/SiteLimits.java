package dev.fairfleet.site;

import java.time.Duration;

/**
 * How much of a site may be crawled, and how fast.
 *
 * @param requestsPerHour most requests in any trailing hour, at least 1
 * @param minDelay least time between two requests to one host; zero means no least time
 * @param maxDepth deepest page that is crawled; links on it are not followed
 * @param maxPages most pages of one crawl; {@link #UNLIMITED} for no limit
 * @param traps which URLs are taken for traps
 */
public record SiteLimits(
    int requestsPerHour, Duration minDelay, int maxDepth, int maxPages, TrapLimits traps) {
  /** No limit on the number of pages. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** One request a second, 3,600 an hour, any depth below 100, any number of pages. */
  public static final SiteLimits POLITE =
      new SiteLimits(3_600, Duration.ofSeconds(1), 100, UNLIMITED);

  /**
   * @throws IllegalArgumentException if a limit is below its least value; the message names it
   */
  public SiteLimits {
    require(requestsPerHour >= 1, "requestsPerHour", "at least 1", requestsPerHour);
    require(!minDelay.isNegative(), "minDelay", "not negative", minDelay);
    require(maxDepth >= 0, "maxDepth", "at least 0", maxDepth);
    require(maxPages >= 1, "maxPages", "at least 1", maxPages);
  }

  /** These limits, and {@link TrapLimits#DEFAULT}. */
  public SiteLimits(int requestsPerHour, Duration minDelay, int maxDepth, int maxPages) {
    this(requestsPerHour, minDelay, maxDepth, maxPages, TrapLimits.DEFAULT);
  }

  private static void require(boolean holds, String name, String allowed, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + allowed + ", not " + value);
    }
  }

  /** Tells whether {@link #maxPages} is a limit at all. */
  public boolean hasPageLimit() {
    return maxPages != UNLIMITED;
  }
}
