package dev.fairfleet.worker;

import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.robots.Robots;

/**
 * What the gate must keep to for a host: the limits of its site, and its {@code Crawl-delay} where
 * that is longer, as far as this worker knows it. Safe for use by many threads.
 */
final class HostLimits {
  private final Robots robots;

  HostLimits(Robots robots) {
    this.robots = robots;
  }

  /** Returns the limits for the host of a URL; never blocks. */
  GateLimits of(Site site, CrawlUrl url) {
    return GateLimits.of(site.limits()).withCrawlDelay(robots.crawlDelay(url));
  }

  /** Returns the limits for the host of a site's first root, which stands for all of its hosts. */
  GateLimits of(Site site) {
    return of(site, site.roots().getFirst());
  }
}
