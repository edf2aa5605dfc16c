package dev.fairfleet.memory;

import dev.fairfleet.frontier.Outlinks;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Outlinks in memory, for tests; keeps any number. Thread-safe. */
public final class InMemoryOutlinks implements Outlinks {
  private record Key(SiteId site, CrawlUrl page) {}

  private final Map<Key, List<CrawlUrl>> kept = new ConcurrentHashMap<>();

  @Override
  public boolean keep(SiteId site, CrawlUrl page, List<CrawlUrl> links) {
    kept.put(new Key(site, page), List.copyOf(links));
    return true;
  }

  @Override
  public Optional<List<CrawlUrl>> of(SiteId site, CrawlUrl page) {
    return Optional.ofNullable(kept.get(new Key(site, page)));
  }

  /** Forgets where the pages of a site lead. */
  void removeAll(SiteId site) {
    kept.keySet().removeIf(key -> key.site().equals(site));
  }
}
