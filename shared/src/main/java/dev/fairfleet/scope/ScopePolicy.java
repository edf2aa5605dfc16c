package dev.fairfleet.scope;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;

/**
 * Decides whether a URL belongs to a crawl, and names the rule that decided: the first of {@link
 * ScopeRule} that objects.
 *
 * <p>Pure: the answer depends on the arguments alone, so any thread may share it.
 */
public final class ScopePolicy {
  /**
   * Returns whether {@code url}, found at {@code depth}, may be crawled as part of {@code site}.
   *
   * @param now wall clock of the asking worker; only its year counts, in UTC
   */
  public ScopeDecision decide(Site site, CrawlUrl url, CrawlDepth depth, Instant now) {
    Candidate candidate = new Candidate(url, depth, now);
    for (ScopeRule rule : ScopeRule.values()) {
      String objection = rule.objection(site, candidate);
      if (objection != null) {
        return new ScopeDecision.Refused(rule.label() + ": " + objection);
      }
    }
    return ScopeDecision.ADMITTED;
  }
}
