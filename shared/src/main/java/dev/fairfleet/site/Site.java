package dev.fairfleet.site;

import dev.fairfleet.url.CrawlUrl;
import java.util.List;

/**
 * One crawl subject: where it begins, what belongs to it, how fast it may be asked, and what is
 * read from its pages.
 *
 * @param roots where every crawl begins, at depth 0; at least one, each on a host of {@code scope}
 * @param links which links of its pages are followed
 * @param sitemaps where else its URLs are found; each on a host of {@code scope}
 * @param recrawl when it is crawled again, and how much of it
 */
public record Site(
    SiteId id,
    List<CrawlUrl> roots,
    Scope scope,
    SiteLimits limits,
    ExtractionRules extraction,
    LinkPolicy links,
    SitemapPolicy sitemaps,
    RecrawlPolicy recrawl) {
  /**
   * @throws IllegalArgumentException if there is no root, or a root or sitemap lies on no host of
   *     the scope
   */
  public Site {
    roots = List.copyOf(roots);
    if (roots.isEmpty()) {
      throw new IllegalArgumentException("Site " + id + " has no root");
    }
    roots.forEach(root -> requireWithin(scope, "Root", root, id));
    sitemaps.listed().forEach(sitemap -> requireWithin(scope, "Sitemap", sitemap, id));
  }

  /** With the usual choice of links, the sitemaps that robots.txt names, and a crawl a day. */
  public Site(
      SiteId id, List<CrawlUrl> roots, Scope scope, SiteLimits limits, ExtractionRules extraction) {
    this(
        id,
        roots,
        scope,
        limits,
        extraction,
        LinkPolicy.DEFAULT,
        SitemapPolicy.DEFAULT,
        RecrawlPolicy.DEFAULT);
  }

  private static void requireWithin(Scope scope, String what, CrawlUrl url, SiteId id) {
    if (!scope.contains(url.hostKey())) {
      throw new IllegalArgumentException(
          what + " " + url + " of site " + id + " lies outside its hosts " + scope.hosts());
    }
  }
}
