package dev.fairfleet.site;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The port to all sites, and to the lease that starts each crawl once.
 *
 * <p>Implementations are safe for use by many threads. A store that cannot be reached throws its
 * client's unchecked exception; nothing was changed then, or {@link #startCrawl} tells so when
 * asked again.
 */
public interface SiteStore {
  /** Adds the site, or replaces what it is; its crawl and its state stay. */
  void put(Site site);

  /**
   * Puts many sites, a lot faster than one by one. A caller that dies half-way has put some.
   *
   * @param done told how many more are put now and then, by any thread
   */
  void putAll(Collection<Site> sites, IntConsumer done);

  /** Returns the site, its state and its crawl, or nothing if there is no such site. */
  Optional<SiteStatus> find(SiteId id);

  /** Hands every site to {@code each}, in no particular order. */
  void forEach(Consumer<SiteStatus> each);

  /**
   * Takes the right to start {@code crawl} on a site: at most one caller at a time gets it.
   *
   * <p>It is granted when the site is active and its crawl is older than {@code crawl}, or when it
   * is {@code crawl} but whoever took it did not report {@link #crawlStarted} before the lease
   * ended. The crawl before it, if it has not ended, never will.
   *
   * @param now the caller's wall clock
   * @param lease how long the caller may take to send the roots
   */
  boolean startCrawl(SiteId id, CrawlId crawl, CrawlMode mode, Instant now, Duration lease);

  /** Reports that the roots of {@code crawl} are in the queue; nobody else will start it. */
  void crawlStarted(SiteId id, CrawlId crawl);

  /**
   * Takes the right to have the end of a crawl looked for: at most one caller at a time gets it.
   *
   * <p>It is granted when {@code crawl} is the site's newest and has not ended, and whoever took it
   * before did so longer ago than the lease.
   *
   * @param now the caller's wall clock
   */
  boolean beginEnd(SiteId id, CrawlId crawl, Instant now, Duration lease);

  /**
   * Reports what a crawl came to. Has no effect unless it is the site's newest and has not ended.
   */
  void crawlEnded(SiteId id, CrawlId crawl, CrawlEnd end);

  /**
   * Stops or resumes a site; a crawl that goes on at a stop was {@link CrawlRun#interrupted} from
   * then on. Has no effect on a site that is in that state already.
   *
   * @param reason shown to people
   * @return false if it was in that state already, so that the first reason stays
   * @throws java.util.NoSuchElementException if there is no such site
   */
  boolean setState(SiteId id, SiteState state, String reason, Instant now);

  /** Removes a site, but none of its pages and records; has no effect if there is none. */
  void remove(SiteId id);

  /** Returns all sites as a list; for fleets small enough to hold in memory. */
  default List<SiteStatus> all() {
    List<SiteStatus> all = new ArrayList<>();
    forEach(all::add);
    return all;
  }
}
