package dev.fairfleet.scope;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;

/**
 * Decides whether a URL belongs to a crawl, and names the rule that decided.
 *
 * <p>Pure: the answer depends on the arguments alone, so any thread may share it.
 */
public final class ScopePolicy {
  /**
   * Returns whether {@code url}, found at {@code depth}, may be crawled as part of {@code site}.
   */
  public ScopeDecision decide(Site site, CrawlUrl url, CrawlDepth depth) {
    if (!site.scope().hosts().contains(url.hostKey())) {
      return new ScopeDecision.Refused("host: " + url.hostKey() + " is none of the site's hosts");
    }
    if (depth.value() > site.limits().maxDepth()) {
      return new ScopeDecision.Refused(
          "depth: " + depth + " is beyond the site's limit of " + site.limits().maxDepth());
    }
    return ScopeDecision.ADMITTED;
  }
}
