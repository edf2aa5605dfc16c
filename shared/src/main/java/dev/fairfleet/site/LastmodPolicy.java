package dev.fairfleet.site;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * Decides which entries of a sitemap or feed an incremental crawl asks for again, by the times at
 * which they say they changed ({@code lastmod}, sitemaps.org; {@code updated}, RFC 4287).
 *
 * <p>A time that cannot be trusted says nothing, so the page is asked for, and its validators and
 * content hash tell whether it changed. None can be trusted of a sitemap that gives one and the
 * same time to so many entries that it must have stamped them when it was made; nor can one that
 * lies in the future. Pure and immutable: any thread may share it.
 *
 * @param stamped how many entries with one time and no other make a sitemap untrusted
 * @param ahead how far ahead of our clock a time may lie
 */
public record LastmodPolicy(int stamped, Duration ahead) {
  /** Ten entries with one time; a day ahead, because many give a date without a zone. */
  public static final LastmodPolicy DEFAULT = new LastmodPolicy(10, Duration.ofDays(1));

  /**
   * @throws IllegalArgumentException if fewer than two entries would do, or the time is negative
   */
  public LastmodPolicy {
    if (stamped < 2 || ahead.isNegative()) {
      throw new IllegalArgumentException(
          "At least 2 entries with one time, and a time that is not negative; not "
              + stamped
              + " and "
              + ahead);
    }
  }

  /** Tells whether the times of a sitemap can be trusted at all. */
  public boolean isTrusted(Collection<Instant> times) {
    return times.size() < stamped || times.stream().distinct().limit(2).count() > 1;
  }

  /**
   * Tells whether an entry may have changed.
   *
   * @param modified when it says so, if the sitemap can be trusted
   * @param since changes before are known
   */
  public boolean mayHaveChanged(Optional<Instant> modified, Instant since, Instant now) {
    return modified.map(at -> !at.isBefore(since) || at.isAfter(now.plus(ahead))).orElse(true);
  }
}
