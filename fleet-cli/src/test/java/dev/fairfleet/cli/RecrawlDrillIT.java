package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.web.ChangingShop;
import dev.fairfleet.local.web.ChangingShopPlan;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.record.StoredRecord;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drill, small, and what it says of sites that answer in another way. */
final class RecrawlDrillIT {
  private static final int PAGES = 150;
  private static final ChangingShopPlan STILL = ChangingShopPlan.unchanging(4, PAGES);

  @TempDir private Path folder = Path.of("");

  /** Something to do with a fleet, and a shop that nobody crawled yet. */
  private interface Work {
    void with(ShopCrawls crawls) throws InterruptedException;
  }

  private void crawl(ChangingShopPlan plan, Work work) throws InterruptedException {
    ChangingShop shop = new ChangingShop("shop", plan, InstantSource.system());
    try (DataDir dir = DataDir.open(folder);
        WebServer server = WebServer.start(List.of(shop), WebOptions.defaults());
        LocalFleet fleet = LocalFleet.start(dir, ShopCrawls.settings(8))) {
      work.with(new ShopCrawls(fleet, server, shop, 1));
    }
  }

  @Test
  void drill_unchangedThenOnePercentChanged_costsWhatItPromises() throws InterruptedException {
    crawl(
        STILL.withChanges(0.01, 0, 0).withSitemap(ChangingShopPlan.Sitemap.TRUE_DATES),
        crawls -> {
          DrillReport report = RecrawlDrillCommand.run(crawls, true);
          assertThat(report.ok()).as(report.text()).isTrue();
        });
  }

  @Test
  void crawl_incrementalBySitemapThatIsAlwaysNow_findsTheChangesAllTheSame()
      throws InterruptedException {
    crawl(
        STILL.withChanges(0.05, 0, 0).withSitemap(ChangingShopPlan.Sitemap.ALWAYS_NOW),
        crawls -> {
          crawls.crawl("crawl 1", ShopCrawls.Disturbance.NONE);
          Map<String, StoredRecord> before = crawls.records();
          crawls.shop().publish(1);
          RecrawlDrillCommand.putIncremental(crawls);
          crawls.crawl("crawl 2", ShopCrawls.Disturbance.NONE);
          Map<String, StoredRecord> after = crawls.records();
          assertThat(after)
              .allSatisfy(
                  (sku, stored) ->
                      assertThat(stored.record().fields())
                          .isEqualTo(crawls.shop().truth(1).get(sku)));
          assertThat(after.values())
              .filteredOn(stored -> !stored.equals(before.get(stored.record().naturalKey())))
              .extracting(stored -> stored.record().naturalKey())
              .containsExactlyInAnyOrderElementsOf(crawls.shop().difference(0, 1).changed());
        });
  }
}
