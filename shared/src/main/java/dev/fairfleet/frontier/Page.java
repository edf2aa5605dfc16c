package dev.fairfleet.frontier;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.Optional;

/**
 * What the frontier knows of one URL.
 *
 * @param kind what it was found as
 * @param hops redirects in a row that led to it, or indexes above a sitemap
 * @param generation that of its newest task; a task of an older generation is stale. It rises when
 *     the URL is sent again because an earlier task may have been lost, and when a crawl claims a
 *     page that an earlier one knows; 0 for a new page, and for one that nobody claimed in its
 *     crawl
 * @param parent the URL on which it was found first in this crawl; a root's parent is itself
 * @param attempts failed fetches in this crawl
 * @param reason why it ended as it did, or why the last attempt failed or it waits; empty when
 *     there is nothing to say
 * @param remembered what was read last
 * @param gone crawls in a row in which it answered 404 or 410; a crawl in which it failed or was
 *     skipped does not count
 * @param modified when the site's sitemap said, as the page was claimed, that it changed last
 * @param settledAt when it reached a final state, in any crawl
 */
public record Page(
    SiteId site,
    CrawlId crawl,
    CrawlUrl url,
    CrawlUrl parent,
    CrawlDepth depth,
    PageKind kind,
    int hops,
    PageState state,
    int generation,
    int attempts,
    String reason,
    Remembered remembered,
    int gone,
    Optional<Instant> modified,
    Optional<Fetch> lastFetch,
    Optional<Instant> settledAt) {

  /**
   * Returns the page as it is to {@code crawl}, which is later than its own and has not claimed it:
   * queued, and never failed. Nobody needs to write that down, because the crawl of the item says
   * it as well.
   */
  public Page recalled(CrawlId crawl) {
    return new Page(
        site,
        crawl,
        url,
        parent,
        depth,
        kind,
        hops,
        PageState.QUEUED,
        0,
        0,
        "",
        remembered,
        gone,
        modified,
        lastFetch,
        settledAt);
  }

  /** Returns the task that a worker who works on the page as it is would hold. */
  public Task task() {
    return new Task(site, crawl, url, depth, generation);
  }

  /** Tells whether {@code task} should no longer be worked on: it is settled or was sent again. */
  public boolean makesStale(Task task) {
    int crawls = crawl.compareTo(task.crawl());
    return crawls > 0 || (crawls == 0 && (state.isFinal() || generation > task.generation()));
  }
}
