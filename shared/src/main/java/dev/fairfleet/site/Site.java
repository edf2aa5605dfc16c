package dev.fairfleet.site;

import dev.fairfleet.url.CrawlUrl;
import java.util.List;

/**
 * One crawl subject: where it begins, what belongs to it, how fast it may be asked, and what is
 * read from its pages.
 *
 * @param roots where every crawl begins, at depth 0; at least one, each within {@code scope}
 */
public record Site(
    SiteId id, List<CrawlUrl> roots, Scope scope, SiteLimits limits, ExtractionRules extraction) {
  /**
   * @throws IllegalArgumentException if there is no root, or one lies outside the scope
   */
  public Site {
    roots = List.copyOf(roots);
    if (roots.isEmpty()) {
      throw new IllegalArgumentException("Site " + id + " has no root");
    }
    for (CrawlUrl root : roots) {
      if (!scope.hosts().contains(root.hostKey())) {
        throw new IllegalArgumentException(
            "Root " + root + " of site " + id + " lies outside its hosts " + scope.hosts());
      }
    }
  }
}
