package dev.fairfleet.seed;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of the sites of one {@link SeedRequest}. The five counts add up to the sites asked
 * for, or to all sites of the fleet.
 *
 * @param started sites whose roots are in the queue now
 * @param skipped sites with nothing to do: stopped, not due, started before, or on a newer crawl
 * @param left sites that another invocation is starting right now, or that this one had no time
 *     for; the same request again finishes them
 * @param postponed due sites beyond the most that one run starts; those that waited longer were
 *     started, and the next scheduled run starts more
 * @param failed sites that could not be started; the same request again tries them again
 * @param reasons why, for the first {@link #MAX_REASONS} of the failed sites, in the order tried
 */
public record SeedResult(
    CrawlId crawl,
    int started,
    int skipped,
    int left,
    int postponed,
    int failed,
    Map<SiteId, String> reasons) {
  /** Most reasons that a result holds; the log has all. */
  public static final int MAX_REASONS = 50;

  public SeedResult {
    reasons = Collections.unmodifiableMap(new LinkedHashMap<>(reasons));
  }

  /** Returns the result with all failures counted, and the first of them explained. */
  static SeedResult of(
      CrawlId crawl,
      int started,
      int skipped,
      int left,
      int postponed,
      Map<SiteId, String> failures) {
    Map<SiteId, String> reasons = new LinkedHashMap<>();
    failures.entrySet().stream()
        .limit(MAX_REASONS)
        .forEach(failure -> reasons.put(failure.getKey(), failure.getValue()));
    return new SeedResult(crawl, started, skipped, left, postponed, failures.size(), reasons);
  }

  /** Tells whether no site is left or failed; those that were postponed are the next run's. */
  public boolean isComplete() {
    return left == 0 && failed == 0;
  }
}
