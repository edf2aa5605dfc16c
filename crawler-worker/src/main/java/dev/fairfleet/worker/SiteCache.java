package dev.fairfleet.worker;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
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
    this.sites =
        Caffeine.newBuilder().maximumSize(MOST_SITES).expireAfterWrite(FRESH).build(store::find);
  }

  /** Returns the site, or nothing if there is none of that id. */
  Optional<SiteStatus> find(SiteId id) {
    return sites.get(id);
  }
}
