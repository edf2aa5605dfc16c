package dev.fairfleet.worker;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Sites as this worker last saw them, at most ten seconds ago. Safe for use by many threads; throws
 * what the store throws.
 */
final class SiteCache {
  private static final Duration FRESH = Duration.ofSeconds(10);
  private static final int MOST_SITES = 10_000;

  private final LoadingCache<SiteId, Optional<SiteStatus>> sites;

  SiteCache(SiteStore store) {
    this(store, Ticker.systemTicker());
  }

  /** Goes by a clock that a test sets. */
  SiteCache(SiteStore store, Ticker ticker) {
    this.sites =
        Caffeine.newBuilder()
            .maximumSize(MOST_SITES)
            .expireAfterWrite(FRESH)
            .ticker(ticker)
            .build(store::find);
  }

  /** Returns the site, or nothing if there is none of that id. */
  Optional<SiteStatus> find(SiteId id) {
    return sites.get(id);
  }

  /**
   * Returns a site's newest crawl if it is {@code crawl}; one that has just begun is not mistaken
   * for one that is over.
   */
  Optional<CrawlRun> run(SiteId id, CrawlId crawl) {
    Optional<CrawlId> newest = find(id).flatMap(SiteStatus::crawl);
    if (newest.filter(it -> it.compareTo(crawl) >= 0).isEmpty()) {
      sites.invalidate(id);
    }
    return find(id).flatMap(status -> status.runOf(crawl));
  }

  /** Sees to it that the site is looked up anew, because it is known to have changed. */
  void forget(SiteId id) {
    sites.invalidate(id);
  }
}
