package dev.fairfleet.frontier;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;

/**
 * One URL to be worked on, as it travels through SQS.
 *
 * @param generation that of the page item when the task was sent, see {@link Page#generation}
 */
public record Task(SiteId site, CrawlId crawl, CrawlUrl url, CrawlDepth depth, int generation) {
  /**
   * @throws IllegalArgumentException if the generation is negative
   */
  public Task {
    if (generation < 0) {
      throw new IllegalArgumentException("A generation is not negative, as " + generation + " is");
    }
  }
}
