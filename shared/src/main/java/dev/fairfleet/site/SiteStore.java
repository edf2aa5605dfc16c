package dev.fairfleet.site;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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

  /** Returns the site, its state and its crawl, or nothing if there is no such site. */
  Optional<SiteStatus> find(SiteId id);

  /** Hands every site to {@code each}, in no particular order. */
  void forEach(Consumer<SiteStatus> each);

  /**
   * Takes the right to start {@code crawl} on a site: at most one caller at a time gets it.
   *
   * <p>It is granted when the site is active and its crawl is older than {@code crawl}, or when it
   * is {@code crawl} but whoever took it did not report {@link #crawlStarted} before the lease
   * ended.
   *
   * @param now the caller's wall clock
   * @param lease how long the caller may take to send the roots
   */
  boolean startCrawl(SiteId id, CrawlId crawl, Instant now, Duration lease);

  /** Reports that the roots of {@code crawl} are in the queue; nobody else will start it. */
  void crawlStarted(SiteId id, CrawlId crawl);

  /**
   * Stops or resumes a site; {@code reason} is shown to people.
   *
   * @throws java.util.NoSuchElementException if there is no such site
   */
  void setState(SiteId id, SiteState state, String reason);

  /** Returns all sites as a list; for fleets small enough to hold in memory. */
  default List<SiteStatus> all() {
    List<SiteStatus> all = new ArrayList<>();
    forEach(all::add);
    return all;
  }
}
