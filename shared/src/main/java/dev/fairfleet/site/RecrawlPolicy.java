package dev.fairfleet.site;

import java.time.Duration;
import java.time.Instant;

/**
 * Decides when a site is crawled again, and how much of it.
 *
 * <p>Pure and immutable: any thread may share it.
 *
 * @param mode of an ordinary crawl
 * @param every least time from the scheduled time of one crawl to that of the next
 * @param fullEvery least time between two full crawls of a site whose ordinary crawls are
 *     incremental; only a full one tells what is gone without a word
 * @param lateness how much earlier than the last crawl a change may be dated that it has not seen:
 *     a sitemap may be written hours after the page
 */
public record RecrawlPolicy(CrawlMode mode, Duration every, Duration fullEvery, Duration lateness) {
  /** A full crawl a day, or one a week if the others are incremental; six hours of lateness. */
  public static final RecrawlPolicy DEFAULT =
      new RecrawlPolicy(
          CrawlMode.FULL, Duration.ofDays(1), Duration.ofDays(7), Duration.ofHours(6));

  /**
   * @throws IllegalArgumentException if a time between crawls is not positive, or the lateness is
   *     negative
   */
  public RecrawlPolicy {
    require(every.isPositive(), "recrawl every", "positive", every);
    require(fullEvery.isPositive(), "recrawl fullEvery", "positive", fullEvery);
    require(!lateness.isNegative(), "recrawl lateness", "not negative", lateness);
  }

  private static void require(boolean holds, String name, String allowed, Duration value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + allowed + ", not " + value);
    }
  }

  /**
   * Tells whether a site should be crawled at {@code scheduled}: it is active, no crawl of it goes
   * on, and the last one was scheduled long enough ago. A crawl that nobody reported as started
   * does not go on: whoever was to start it died half-way, and nobody would look for its end.
   *
   * @param scheduled for when the crawl would be scheduled
   */
  public boolean isDue(SiteStatus site, Instant scheduled) {
    return site.state() == SiteState.ACTIVE
        && site.run().map(last -> isOver(last, scheduled)).orElse(true);
  }

  private boolean isOver(CrawlRun last, Instant scheduled) {
    Instant before = last.id().scheduledTime();
    return last.started()
        ? last.end().isPresent() && !before.plus(every).isAfter(scheduled)
        : !before.isAfter(scheduled);
  }

  /** Returns the mode of the crawl that begins at {@code scheduled}. */
  public CrawlMode modeAt(SiteStatus site, Instant scheduled) {
    boolean fullIsDue =
        site.lastFull()
            .map(last -> !last.scheduledTime().plus(fullEvery).isAfter(scheduled))
            .orElse(true);
    return fullIsDue ? CrawlMode.FULL : mode;
  }

  /**
   * Returns from when on a change counts as not seen, for an incremental crawl.
   *
   * @param last the last crawl that came to its end
   */
  public Instant changedSince(CrawlId last) {
    return last.scheduledTime().minus(lateness);
  }
}
