package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.web.ChangingShop;
import dev.fairfleet.local.web.ChangingShopPlan;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.SiteLimits;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Two crawls of a shop that does not change in between: what the second one costs. */
@Command(
    name = "recrawl",
    mixinStandardHelpOptions = true,
    description =
        "Crawls an unchanged shop twice, and shows what the second crawl asked, fetched and wrote.",
    footer = {
      "",
      "Example: fairfleet drill recrawl --pages 10000",
      "Example: fairfleet drill recrawl --pages 10000 --incremental"
    })
final class RecrawlDrillCommand implements Callable<Integer> {
  @Option(names = "--pages", description = "Pages of the shop. Default: ${DEFAULT-VALUE}")
  private int pages = 10_000;

  @Option(
      names = "--incremental",
      description =
          "Let 1 %% of the products change after that, and crawl incrementally by the shop's sitemap.")
  private boolean incremental;

  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 1;

  @Option(
      names = "--slots",
      description = "Pages that a worker has in hand at once. Default: ${DEFAULT-VALUE}")
  private int slots = 16;

  @Option(names = "--seed", description = "Seed of the shop. Default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  private static final double MOST_BYTES = 0.02;
  private static final double CHANGED = 0.01;

  @Override
  public Integer call() throws InterruptedException {
    if (pages < 2 || workers < 1 || slots < 1) {
      throw new UsageException("A drill needs at least two pages, one worker and one slot.");
    }
    Optional.ofNullable(json).ifPresent(JsonFile::requireWritable);
    ChangingShopPlan plan = ChangingShopPlan.unchanging(seed, pages).withChanges(CHANGED, 0, 0);
    ChangingShop shop =
        new ChangingShop(
            "shop",
            incremental ? plan.withSitemap(ChangingShopPlan.Sitemap.TRUE_DATES) : plan,
            InstantSource.system());
    DrillReport report;
    try (TemporaryDir folder = TemporaryDir.create("drill");
        DataDir dir = DataDir.open(folder.path());
        WebServer server = WebServer.start(List.of(shop), WebOptions.defaults());
        LocalFleet fleet = LocalFleet.start(dir, ShopCrawls.settings(slots))) {
      Thread hook = Shutdown.add(fleet::close);
      try {
        report = run(new ShopCrawls(fleet, server, shop, workers), incremental);
      } finally {
        Shutdown.remove(hook);
      }
    }
    System.out.print(report.text());
    System.out.println(
        report.ok()
            ? "A crawl of what did not change costs next to nothing."
            : "WRONG, see above.");
    if (json != null) {
      ObjectNode node = report.json();
      node.put("pages", pages);
      JsonFile.write(json, node);
    }
    return report.ok() ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  /** Crawls a shop in version 0 twice, and then incrementally in version 1 if that is asked for. */
  static DrillReport run(ShopCrawls crawls, boolean incremental) throws InterruptedException {
    ChangingShop shop = crawls.shop();
    long pages = shop.paths().count();
    long sitemaps = shop.sitemaps();
    DrillReport report = new DrillReport("a shop of " + pages + " pages");
    ShopCrawls.Crawl first = crawls.crawl("crawl 1", ShopCrawls.Disturbance.NONE);
    Map<String, StoredRecord> before = crawls.records();
    report
        .equal("crawl 1: requests", pages + sitemaps, (long) first.requests())
        .equal("crawl 1: pages read", pages + sitemaps, first.end().done())
        .equal("crawl 1: records", shop.truth(0).size(), before.size());
    costs(report, "crawl 1", first);

    ShopCrawls.Crawl second = crawls.crawl("crawl 2", ShopCrawls.Disturbance.NONE);
    report
        .equal("crawl 2: requests", pages + sitemaps, (long) second.requests())
        .equal("crawl 2: answers 304", pages, second.traffic().answers(304))
        .equal("crawl 2: writes to records", 0L, second.recordsWrites())
        .equal("crawl 2: writes to pages", pages + sitemaps, second.pagesWrites())
        .below(
            "crawl 2: bytes of bodies, % of crawl 1",
            100 * MOST_BYTES, 100.0 * second.traffic().bytes() / first.traffic().bytes(), "%.2f")
        .none("crawl 2: records that are not as they were", differences(before, crawls.records()))
        .equal("crawl 2: tombstones", 0L, second.end().tombstones());
    costs(report, "crawl 2", second);
    return incremental ? incremental(crawls, report, before) : report;
  }

  private static DrillReport incremental(
      ShopCrawls crawls, DrillReport report, Map<String, StoredRecord> before)
      throws InterruptedException {
    ChangingShop shop = crawls.shop();
    putIncremental(crawls);
    shop.publish(1);
    int changed = shop.difference(0, 1).changed().size();
    ShopCrawls.Crawl third = crawls.crawl("crawl 3", ShopCrawls.Disturbance.NONE);
    long written =
        crawls.records().entrySet().stream()
            .filter(entry -> !entry.getValue().equals(before.get(entry.getKey())))
            .count();
    report
        .equal("crawl 3: mode", CrawlMode.INCREMENTAL, third.mode())
        .equal(
            "crawl 3: requests: root, sitemaps, changed",
            1 + shop.sitemaps() + changed,
            third.requests())
        .equal("crawl 3: records written", (long) changed, written)
        .none(
            "crawl 3: records that are not what the shop shows",
            faults(shop.truth(1), crawls.records()))
        .equal("crawl 3: tombstones", 0L, third.end().tombstones());
    costs(report, "crawl 3", third);
    return report;
  }

  /** Lets the crawls from now on be incremental. */
  static void putIncremental(ShopCrawls crawls) {
    RecrawlPolicy usual = RecrawlPolicy.DEFAULT;
    crawls.put(
        SiteLimits.UNLIMITED,
        new RecrawlPolicy(
            CrawlMode.INCREMENTAL, usual.every(), usual.fullEvery(), usual.lateness()));
  }

  private static void costs(DrillReport report, String name, ShopCrawls.Crawl crawl) {
    double pages = crawl.requests();
    report
        .shown(name + ": answers", crawl.traffic().text())
        .shown(name + ": MB of bodies", crawl.traffic().bytes() / 1e6, "%.2f")
        .shown(
            name + ": writes to pages, records, sites",
            crawl.pagesWrites() + ", " + crawl.recordsWrites() + ", " + crawl.sitesWrites())
        .shown(name + ": DynamoDB units per request", crawl.dynamoUnits() / pages, "%.2f")
        .shown(name + ": SQS requests per request", crawl.sqsRequests() / pages, "%.2f")
        .shown(name + ": seconds to its end", crawl.took().toMillis() / 1e3, "%.1f");
  }

  private static List<String> differences(
      Map<String, StoredRecord> before, Map<String, StoredRecord> after) {
    List<String> differences = new ArrayList<>();
    after.forEach(
        (sku, stored) -> {
          if (!stored.equals(before.get(sku))) {
            differences.add(sku + " was " + before.get(sku) + ", and is " + stored);
          }
        });
    before.keySet().stream()
        .filter(sku -> !after.containsKey(sku))
        .forEach(sku -> differences.add(sku + " is lost"));
    return differences;
  }

  private static List<String> faults(
      Map<String, Map<String, String>> truth, Map<String, StoredRecord> records) {
    List<String> faults = new ArrayList<>();
    truth.forEach(
        (sku, fields) -> {
          StoredRecord stored = records.get(sku);
          if (stored == null || !stored.record().fields().equals(fields)) {
            faults.add(sku + " is " + stored + ", but the shop shows " + fields);
          }
        });
    return faults;
  }
}
