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
 * @param generation how often the URL was sent again in this crawl because an earlier task may have
 *     been lost; a task of an older generation is stale
 * @param parent the URL on which it was found first in this crawl; a root's parent is itself
 * @param attempts failed fetches in this crawl
 * @param reason why it ended as it did, or why the last attempt failed or it waits; empty when
 *     there is nothing to say
 * @param validators what to send to learn whether the page changed since it was last fetched
 * @param contentHash of what was read last, see {@link Settlement#contentHash}
 * @param outlinks of where it led last, see {@link Settlement#outlinks}
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
    Validators validators,
    String contentHash,
    String outlinks,
    Optional<Instant> modified,
    Optional<Fetch> lastFetch,
    Optional<Instant> settledAt) {

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
