package dev.fairfleet.site;

import java.time.Instant;
import java.util.Optional;

/**
 * A site and where it stands.
 *
 * @param reason why the site is in its state; empty when nobody gave one
 * @param since when it came to be in its state; nothing if it always was, or was set by a version
 *     that did not keep it
 * @param run its newest crawl; nothing before the first
 * @param lastEnded the newest crawl that came to its end
 * @param lastFull the newest full crawl that came to its end, complete or not
 */
public record SiteStatus(
    Site site,
    SiteState state,
    String reason,
    Optional<Instant> since,
    Optional<CrawlRun> run,
    Optional<CrawlId> lastEnded,
    Optional<CrawlId> lastFull) {
  /** Returns the status of a site that is new. */
  public static SiteStatus ofNew(Site site) {
    return new SiteStatus(
        site,
        SiteState.ACTIVE,
        "",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns the id of its newest crawl. */
  public Optional<CrawlId> crawl() {
    return run.map(CrawlRun::id);
  }

  /** Tells whether the roots of its newest crawl are known to be in the queue. */
  public boolean started() {
    return run.map(CrawlRun::started).orElse(false);
  }

  /** Returns the newest crawl if it is {@code crawl}. */
  public Optional<CrawlRun> runOf(CrawlId crawl) {
    return run.filter(newest -> newest.id().equals(crawl));
  }
}
