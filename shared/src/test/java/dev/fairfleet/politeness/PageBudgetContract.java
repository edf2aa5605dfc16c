package dev.fairfleet.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every page budget must do. */
public abstract class PageBudgetContract {
  private static final CrawlId CRAWL = CrawlId.scheduledFor(Instant.EPOCH);
  private static final CrawlId NEXT_CRAWL = CrawlId.scheduledFor(Instant.EPOCH.plusSeconds(1));

  private final SiteId site = new SiteId("site-" + UUID.randomUUID());

  /** Returns the budget under test; it may hold other sites. */
  protected abstract PageBudget budget();

  private static List<CrawlUrl> pages(int from, int to) {
    List<CrawlUrl> urls = new ArrayList<>();
    for (int i = from; i < to; i++) {
      urls.add(CrawlUrl.of("http://a.test/" + i));
    }
    return urls;
  }

  @Test
  void admit_noUrls_returnsNone() {
    assertThat(budget().admit(site, CRAWL, List.of(), 3)).isEmpty();
  }

  @Test
  void admit_belowLimit_returnsAllInOrder() {
    assertThat(budget().admit(site, CRAWL, pages(0, 3), 3)).isEqualTo(pages(0, 3));
  }

  @Test
  void admit_aboveLimit_returnsTheFirst() {
    assertThat(budget().admit(site, CRAWL, pages(0, 5), 3)).isEqualTo(pages(0, 3));
    assertThat(budget().admit(site, CRAWL, pages(5, 8), 3)).isEmpty();
  }

  @Test
  void admit_takenUpBefore_returnsItAgainAndCountsItOnce() {
    budget().admit(site, CRAWL, pages(0, 2), 3);

    assertThat(budget().admit(site, CRAWL, pages(0, 5), 3)).isEqualTo(pages(0, 3));
    assertThat(budget().admit(site, CRAWL, pages(1, 4), 3)).isEqualTo(pages(1, 3));
  }

  @Test
  void admit_sameUrlTwiceInOneCall_countsItOnce() {
    List<CrawlUrl> urls = List.of(pages(0, 1).getFirst(), pages(0, 1).getFirst());

    assertThat(budget().admit(site, CRAWL, urls, 1)).isEqualTo(urls);
  }

  @Test
  void admit_otherCrawlOrSite_hasItsOwnBudget() {
    budget().admit(site, CRAWL, pages(0, 3), 3);

    assertThat(budget().admit(site, NEXT_CRAWL, pages(3, 6), 3)).isEqualTo(pages(3, 6));
    assertThat(budget().admit(new SiteId(site + ".2"), CRAWL, pages(3, 6), 3))
        .isEqualTo(pages(3, 6));
  }

  @Test
  void admit_thousandsOfUrls_keepsToTheLimit() {
    assertThat(budget().admit(site, CRAWL, pages(0, 2_500), 1_700)).isEqualTo(pages(0, 1_700));
  }

  @Test
  void admit_manyThreadsAtOnce_takesUpExactlyTheLimit() throws Exception {
    int admitted = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> asked = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        List<CrawlUrl> some = pages(10 * i, 10 * i + 10);
        asked.add(threads.submit(() -> budget().admit(site, CRAWL, some, 57).size()));
      }
      for (Future<Integer> count : asked) {
        admitted += count.get();
      }
    }
    assertThat(admitted).isEqualTo(57);
  }
}
