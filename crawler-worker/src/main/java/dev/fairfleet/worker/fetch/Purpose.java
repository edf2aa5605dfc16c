package dev.fairfleet.worker.fetch;

/** What a fetch is for, which decides how many bytes of which types are read. */
public enum Purpose {
  /** A page of the crawl. */
  PAGE,
  /** A sitemap, or a feed that is read as one. */
  SITEMAP,
  /** A robots.txt. */
  ROBOTS
}
