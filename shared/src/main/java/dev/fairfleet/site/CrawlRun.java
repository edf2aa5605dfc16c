package dev.fairfleet.site;

import java.util.Optional;

/**
 * One crawl over a site, and how far it is.
 *
 * @param started whether its roots are known to be in the queue
 * @param previous the crawl before it, whether that came to its end or not; nothing if it is the
 *     first
 * @param interrupted whether the site was stopped while it went on
 * @param end what it came to; nothing while it goes on
 */
public record CrawlRun(
    CrawlId id,
    CrawlMode mode,
    boolean started,
    Optional<CrawlId> previous,
    boolean interrupted,
    Optional<CrawlEnd> end) {
  /** Tells whether pages that earlier crawls know are asked for without a link to them. */
  public boolean walksKnownPages() {
    return mode == CrawlMode.FULL && previous.isPresent();
  }
}
