package dev.fairfleet.worker.parse;

import java.util.List;

/**
 * What a sitemap or feed holds, as the file has it: in its order, with repetitions, of any host.
 *
 * @param children other sitemaps, which an index names
 * @param entries pages
 * @param oddity every loss, in words, as {@code sitemap: 2 entries without a URL}; empty if there
 *     is none
 */
public record Sitemap(
    Kind kind, List<SitemapEntry> children, List<SitemapEntry> entries, String oddity) {
  /** The form of a file. */
  public enum Kind {
    /** A list of sitemaps (sitemaps.org, "Using Sitemap index files"). */
    INDEX,
    /** A list of pages. */
    URLS,
    /** RSS, RDF or Atom. */
    FEED,
    /** One URL a line. */
    TEXT,
    /** Nothing of that sort. */
    NONE
  }

  public Sitemap {
    children = List.copyOf(children);
    entries = List.copyOf(entries);
  }
}
