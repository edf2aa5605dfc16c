package dev.fairfleet.site;

import dev.fairfleet.url.CrawlUrl;
import java.util.List;

/**
 * Where a site's sitemaps and feeds are looked for.
 *
 * @param fromRobots whether the {@code Sitemap} lines of robots.txt are read
 * @param listed sitemaps and feeds to read besides, each within the site's hosts
 */
public record SitemapPolicy(boolean fromRobots, List<CrawlUrl> listed) {
  /** What robots.txt names, and no other. */
  public static final SitemapPolicy DEFAULT = new SitemapPolicy(true, List.of());

  public SitemapPolicy {
    listed = List.copyOf(listed);
  }
}
