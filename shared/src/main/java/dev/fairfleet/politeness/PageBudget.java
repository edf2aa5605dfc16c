package dev.fairfleet.politeness;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.List;

/**
 * The port to the count of pages that a crawl of a site has taken up, for sites with such a limit.
 *
 * <p>A URL counts once, however often it is asked for. Implementations are safe for use by many
 * threads and processes. One that is away throws its client's unchecked exception; the caller lets
 * go of its task, and whoever receives it next asks again.
 */
public interface PageBudget {
  /**
   * Returns those of {@code urls} that the crawl may take up, in their order: each that was taken
   * up before, and new ones while there are fewer than {@code maxPages}.
   */
  List<CrawlUrl> admit(SiteId site, CrawlId crawl, List<CrawlUrl> urls, int maxPages);
}
