package dev.fairfleet.site;

import java.time.Instant;

/**
 * What a crawl came to, counted from its pages when it ended.
 *
 * @param at when that was found
 * @param done pages that were read, or are as they were
 * @param gone pages that answered 404 or 410
 * @param failed pages that were given up
 * @param skipped pages that a rule kept from being crawled or read
 * @param tombstones records that were marked as deleted at its end
 * @param complete whether what it did not see counts as deleted
 * @param remark why not; empty if it is complete
 */
public record CrawlEnd(
    Instant at,
    long done,
    long gone,
    long failed,
    long skipped,
    long tombstones,
    boolean complete,
    String remark) {
  /** Returns all pages of the crawl. */
  public long pages() {
    return done + gone + failed + skipped;
  }
}
