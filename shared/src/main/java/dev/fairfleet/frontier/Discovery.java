package dev.fairfleet.frontier;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.Map;

/**
 * How some URLs were found.
 *
 * @param parent the page on which they were found; a root was found on itself
 * @param depth theirs, not the parent's
 * @param kind what they were found as
 * @param hops redirects in a row that led to them, or indexes above a sitemap; 0 for a link
 * @param again those of them that are to be crawled although an earlier crawl read them; of the
 *     others it is enough that it did
 * @param modified when the site says they changed last, of those of which it says so
 */
public record Discovery(
    SiteId site,
    CrawlId crawl,
    CrawlUrl parent,
    CrawlDepth depth,
    PageKind kind,
    int hops,
    Again again,
    Map<CrawlUrl, Instant> modified) {
  /** Which of the URLs that an earlier crawl read are to be crawled again. */
  @FunctionalInterface
  public interface Again {
    /** All of them: nobody else sees to pages that are known. */
    Again ALL = url -> true;

    /** None: they are asked for as known pages, or not at all. */
    Again NONE = url -> false;

    /** Tells whether this one is. */
    boolean includes(CrawlUrl url);
  }

  /**
   * @throws IllegalArgumentException if {@code hops} is negative
   */
  public Discovery {
    modified = Map.copyOf(modified);
    if (hops < 0) {
      throw new IllegalArgumentException("There are no " + hops + " hops");
    }
  }

  /** Returns that of links of an ordinary page, or of a root. */
  public static Discovery ofLinks(
      SiteId site, CrawlId crawl, CrawlUrl parent, CrawlDepth depth, Again again) {
    return new Discovery(site, crawl, parent, depth, PageKind.PAGE, 0, again, Map.of());
  }

  /** Returns that of links which are all to be crawled. */
  public static Discovery ofLinks(SiteId site, CrawlId crawl, CrawlUrl parent, CrawlDepth depth) {
    return ofLinks(site, crawl, parent, depth, Again.ALL);
  }

  /** Returns the same with another choice of the known pages that are crawled again. */
  public Discovery withAgain(Again again) {
    return new Discovery(site, crawl, parent, depth, kind, hops, again, modified);
  }

  /**
   * Tells whether {@code link} can be new at all: a page's link to itself never is, but a root,
   * found on itself, is.
   */
  public boolean canFind(CrawlUrl link) {
    return !link.equals(parent) || depth.equals(CrawlDepth.ROOT);
  }
}
