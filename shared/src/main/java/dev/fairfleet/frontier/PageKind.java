package dev.fairfleet.frontier;

/** What a URL was found as, which decides how its body is read. */
public enum PageKind {
  /** A page of the site. */
  PAGE,
  /** A sitemap, or an index of sitemaps (sitemaps.org), named by robots.txt or by the site. */
  SITEMAP
}
