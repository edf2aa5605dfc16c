package dev.fairfleet.dynamodb;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Which page claimed which URL, as far as this process has seen: it answers most links without a
 * request.
 *
 * <p>Within a crawl the claimer of a URL never changes, so an entry is true for ever; it is only
 * asked whether <em>another</em> page than the asking one is the claimer. A URL that the asking
 * page claimed itself may have been lost between claim and send, which only the table can tell.
 *
 * <p>Bounded; an entry takes about 150 bytes. Thread-safe.
 */
final class SeenCache {
  /** The 128 bits of a URL hash. */
  private record Key(long high, long low) {
    static Key of(CrawlUrl url) {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(url.hash().value()));
      return new Key(bytes.getLong(), bytes.getLong());
    }
  }

  /**
   * A claim.
   *
   * @param parent hash code of the claimer's URL; a page that shares it with the claimer is taken
   *     for the claimer, which costs a request and is otherwise harmless
   */
  private record Seen(SiteId site, CrawlId crawl, int parent) {}

  private final Cache<Key, Seen> claims;

  /**
   * @param entries most URLs to remember; 0 remembers none
   */
  SeenCache(long entries) {
    claims = Caffeine.newBuilder().maximumSize(entries).executor(Runnable::run).build();
  }

  /**
   * Remembers that {@code parent} claimed {@code url} in {@code crawl}. Of two sites that share a
   * URL, the later one is remembered.
   */
  void remember(SiteId site, CrawlId crawl, String parent, CrawlUrl url) {
    claims.put(Key.of(url), new Seen(site, crawl, parent.hashCode()));
  }

  /** Tells whether another page than {@code parent} claimed {@code url}, in this crawl or later. */
  boolean claimedByAnother(SiteId site, CrawlId crawl, CrawlUrl parent, CrawlUrl url) {
    @Nullable Seen seen = claims.getIfPresent(Key.of(url));
    if (seen == null || !seen.site().equals(site)) {
      return false;
    }
    int crawls = seen.crawl().compareTo(crawl);
    return crawls > 0 || (crawls == 0 && seen.parent() != parent.toString().hashCode());
  }
}
