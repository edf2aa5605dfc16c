package dev.fairfleet.memory;

import dev.fairfleet.politeness.PageBudget;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Page budgets for the workers of one process; nothing is ever forgotten. */
public final class InMemoryPageBudget implements PageBudget {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<SiteCrawl, Set<UrlHash>> taken = new HashMap<>();

  private record SiteCrawl(SiteId site, CrawlId crawl) {}

  @Override
  public List<CrawlUrl> admit(SiteId site, CrawlId crawl, List<CrawlUrl> urls, int maxPages) {
    lock.lock();
    try {
      Set<UrlHash> pages =
          taken.computeIfAbsent(new SiteCrawl(site, crawl), key -> new HashSet<>());
      List<CrawlUrl> admitted = new ArrayList<>(urls.size());
      for (CrawlUrl url : urls) {
        if (pages.contains(url.hash()) || (pages.size() < maxPages && pages.add(url.hash()))) {
          admitted.add(url);
        }
      }
      return admitted;
    } finally {
      lock.unlock();
    }
  }
}
