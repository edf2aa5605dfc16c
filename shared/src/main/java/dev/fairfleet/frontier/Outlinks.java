package dev.fairfleet.frontier;

import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.List;
import java.util.Optional;

/**
 * The port to where pages lead that may be answered "not modified" in a later crawl, which has no
 * body to read that from (RFC 9110, section 15.4.5).
 *
 * <p>Implementations are safe for use by many threads and processes, and throw their client's
 * unchecked exception if the store cannot be reached.
 */
public interface Outlinks {
  /**
   * Keeps the links of a page, in place of those kept before.
   *
   * @param links all of them, also those that no crawl may follow today
   * @return whether they are kept; false if they are too many, or too long, to be
   */
  boolean keep(SiteId site, CrawlUrl page, List<CrawlUrl> links);

  /** Returns the links of a page as they were kept last, in their order. */
  Optional<List<CrawlUrl>> of(SiteId site, CrawlUrl page);
}
