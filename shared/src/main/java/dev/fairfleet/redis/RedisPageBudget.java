package dev.fairfleet.redis;

import dev.fairfleet.politeness.PageBudget;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The page budgets of a fleet: for each crawl of a site with a limit, a set in Redis of the URL
 * hashes taken up.
 *
 * <p>One key, {@code fleet:{site}:pages:crawl}, forgotten when nothing was asked of it for a week.
 */
public final class RedisPageBudget implements PageBudget {
  private static final Script<String> SCRIPT = Script.ofText("budget.lua");
  private static final String KEPT_MILLIS = Long.toString(Duration.ofDays(7).toMillis());
  // A script holds up all other clients; this many take it well under a millisecond.
  private static final int MOST_URLS_A_CALL = 500;

  private final RedisConnection redis;
  private final String fleet;

  /**
   * Creates a budget.
   *
   * @param fleet first part of every key
   */
  public RedisPageBudget(RedisConnection redis, String fleet) {
    this.redis = redis;
    this.fleet = fleet;
  }

  @Override
  public List<CrawlUrl> admit(SiteId site, CrawlId crawl, List<CrawlUrl> urls, int maxPages) {
    String[] keys = {fleet + ":{" + site + "}:pages:" + crawl};
    List<CrawlUrl> admitted = new ArrayList<>(urls.size());
    for (int from = 0; from < urls.size(); from += MOST_URLS_A_CALL) {
      List<CrawlUrl> some = urls.subList(from, Math.min(from + MOST_URLS_A_CALL, urls.size()));
      String[] args = new String[some.size() + 2];
      args[0] = Integer.toString(maxPages);
      args[1] = KEPT_MILLIS;
      for (int i = 0; i < some.size(); i++) {
        args[i + 2] = some.get(i).hash().value();
      }
      String answer = SCRIPT.run(redis, keys, args);
      for (int i = 0; i < some.size(); i++) {
        if (answer.charAt(i) == '1') {
          admitted.add(some.get(i));
        }
      }
    }
    return admitted;
  }
}
