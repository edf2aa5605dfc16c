package dev.fairfleet.retry;

import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.UrlHash;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The port to how many failures of each site there were in a row, counted for the whole fleet.
 *
 * <p>A site that answered within {@link #REMEMBERED} may have a page that fails again and again;
 * that is the page's trouble, so each page of it counts once until the site answers. Of a site that
 * did not answer, each failure counts. Implementations are safe for use by many threads and
 * processes, and their clock is the only one; each method is one atomic step. What a spoilt store
 * says is taken for not said. A store that cannot be reached throws its client's unchecked
 * exception.
 */
public interface SiteHealth {
  /** How long an answer is remembered, and the row since its last failure. */
  Duration REMEMBERED = Duration.ofDays(1);

  /**
   * Counts a failure.
   *
   * @param since when the site was last resumed, {@link Instant#EPOCH} if it never was stopped;
   *     failures and answers before do not count, and neither does this one if somebody told of a
   *     later time
   * @param page that failed; nothing if it was no page but what all pages need, such as robots.txt:
   *     that counts every time
   * @return failures in a row, this one included if it counts
   */
  int failed(SiteId site, Instant since, Optional<UrlHash> page);

  /** Ends the row, because the site answered. */
  void answered(SiteId site, Instant since);
}
