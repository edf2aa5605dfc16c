package dev.fairfleet.dynamodb;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.nio.ByteBuffer;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Which URLs are not new to a crawl, as far as this process has seen: it answers most links without
 * a request.
 *
 * <p>Within a crawl the claimer of a URL never changes, so that another page than the asking one
 * claimed it is true for ever. A URL that the asking page claimed itself may have been lost between
 * claim and send, which only the table can tell. A page that an earlier crawl read is not new for
 * the rest of the crawl, either, to whoever does not want it again.
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

  private sealed interface Seen {
    SiteId site();

    /** Tells whether {@code url} is not new to a discovery of this site. */
    boolean spares(Discovery found, CrawlUrl url);
  }

  /**
   * A claim.
   *
   * @param parent hash code of the claimer's URL; a page that shares it with the claimer is taken
   *     for the claimer, which costs a request and is otherwise harmless
   */
  private record Claimed(SiteId site, CrawlId crawl, int parent) implements Seen {
    @Override
    public boolean spares(Discovery found, CrawlUrl url) {
      int crawls = crawl.compareTo(found.crawl());
      return crawls > 0 || (crawls == 0 && parent != found.parent().toString().hashCode());
    }
  }

  /** A page that a crawl before {@code crawl} read. */
  private record Known(SiteId site, CrawlId crawl) implements Seen {
    @Override
    public boolean spares(Discovery found, CrawlUrl url) {
      return crawl.equals(found.crawl()) && !found.again().includes(url);
    }
  }

  private final Cache<Key, Seen> urls;

  /**
   * @param entries most URLs to remember; 0 remembers none
   */
  SeenCache(long entries) {
    urls = Caffeine.newBuilder().maximumSize(entries).executor(Runnable::run).build();
  }

  /**
   * Remembers that {@code parent} claimed {@code url} in {@code crawl}. Of two sites that share a
   * URL, the later one is remembered.
   */
  void claimed(SiteId site, CrawlId crawl, String parent, CrawlUrl url) {
    urls.put(Key.of(url), new Claimed(site, crawl, parent.hashCode()));
  }

  /** Remembers that {@code url} was read before {@code crawl}. */
  void known(SiteId site, CrawlId crawl, CrawlUrl url) {
    urls.put(Key.of(url), new Known(site, crawl));
  }

  /** Tells whether {@code url} is certainly not new to a discovery. */
  boolean spares(Discovery found, CrawlUrl url) {
    @Nullable Seen seen = urls.getIfPresent(Key.of(url));
    return seen != null && seen.site().equals(found.site()) && seen.spares(found, url);
  }
}
