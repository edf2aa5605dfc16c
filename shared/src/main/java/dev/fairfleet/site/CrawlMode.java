package dev.fairfleet.site;

/** How much of a site a crawl asks for again. */
public enum CrawlMode {
  /** Every page that is known, and what they lead to. */
  FULL,
  /** The roots, what their sitemaps and feeds say has changed, and what is new. */
  INCREMENTAL
}
