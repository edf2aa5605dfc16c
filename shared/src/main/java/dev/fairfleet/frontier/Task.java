package dev.fairfleet.frontier;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;

/**
 * One URL to be worked on, or the end of a crawl to be looked for, as it travels through SQS.
 *
 * @param generation that of the page item when the task was sent, see {@link Page#generation}
 */
public record Task(
    SiteId site, CrawlId crawl, CrawlUrl url, CrawlDepth depth, int generation, TaskKind kind) {
  /**
   * @throws IllegalArgumentException if the generation is negative
   */
  public Task {
    if (generation < 0) {
      throw new IllegalArgumentException("A generation is not negative, as " + generation + " is");
    }
  }

  /** A page to be fetched. */
  public Task(SiteId site, CrawlId crawl, CrawlUrl url, CrawlDepth depth, int generation) {
    this(site, crawl, url, depth, generation, TaskKind.PAGE);
  }

  /** Returns the task to see whether a crawl has ended. */
  public static Task ofEnd(Site site, CrawlId crawl) {
    return new Task(site.id(), crawl, site.roots().getFirst(), CrawlDepth.ROOT, 0, TaskKind.END);
  }
}
