package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.cli.RecordHistory.Period;
import dev.fairfleet.cli.ShopCrawls.Crawl;
import dev.fairfleet.cli.ShopCrawls.Disturbance;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.web.ChangingShop;
import dev.fairfleet.local.web.ChangingShop.Difference;
import dev.fairfleet.local.web.ChangingShopPlan;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A shop that changes between crawls whose workers are killed: what the records tell of it. */
@Command(
    name = "deletions",
    mixinStandardHelpOptions = true,
    description =
        "Crawls a shop that changes, kills workers meanwhile, and compares what the records say changed, went and came back with what did.",
    footer = {"", "Example: fairfleet drill deletions --pages 2000 --kills 3"})
final class DeletionsDrillCommand implements Callable<Integer> {
  @Option(names = "--pages", description = "Pages of the shop. Default: ${DEFAULT-VALUE}")
  private int pages = 2_000;

  @Option(names = "--kills", description = "Kills in each crawl. Default: ${DEFAULT-VALUE}")
  private int kills = 3;

  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 2;

  @Option(
      names = "--slots",
      description = "Pages that a worker has in hand at once. Default: ${DEFAULT-VALUE}")
  private int slots = 8;

  @Option(
      names = "--seed",
      description = "Seed of the shop and of the moments. Default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  private static final Duration LATENCY = Duration.ofMillis(5);
  private static final Duration TICK = Duration.ofMillis(100);
  private static final int QUIET_TICKS = 20;
  private static final double FAILING = 0.6;
  private static final double MOVED = 0.01;
  private static final double OFFERS = 0.02;
  private static final int LAST_VERSION = 2;

  @Override
  public Integer call() throws InterruptedException {
    if (pages < 50 || kills < 0 || workers < 1 || slots < 1) {
      throw new UsageException(
          "A drill needs at least 50 pages, no negative number of kills, and at least one worker and slot.");
    }
    Optional.ofNullable(json).ifPresent(JsonFile::requireWritable);
    ChangingShop shop = shop("changing", seed, pages);
    List<ChangingShop> troubled =
        List.of(
            shop("stopped", seed + 1, pages / 4),
            shop("cut", seed + 2, pages / 4),
            shop("failing", seed + 3, pages / 4));
    List<ChangingShop> web = new ArrayList<>(troubled);
    web.add(shop);
    List<DrillReport> reports = new ArrayList<>();
    try (TemporaryDir folder = TemporaryDir.create("drill");
        DataDir dir = DataDir.open(folder.path());
        WebServer server = WebServer.start(web, WebOptions.defaults().withLatency(LATENCY));
        LocalFleet fleet = LocalFleet.start(dir, settings(slots))) {
      Thread hook = Shutdown.add(fleet::close);
      try {
        add(
            reports,
            changes(new ShopCrawls(fleet, server, shop, workers), kills, new Random(seed * 31)));
        add(reports, stopped(new ShopCrawls(fleet, server, troubled.get(0), workers)));
        add(reports, cut(new ShopCrawls(fleet, server, troubled.get(1), workers)));
        add(reports, failing(new ShopCrawls(fleet, server, troubled.get(2), workers)));
      } finally {
        Shutdown.remove(hook);
      }
    }
    boolean ok = reports.stream().allMatch(DrillReport::ok);
    System.out.println(
        ok
            ? "The records tell the true difference, and nothing was deleted on doubtful evidence."
            : "WRONG, see above.");
    if (json != null) {
      ObjectNode node = JsonFile.object();
      node.put("ok", ok);
      node.put("pages", pages);
      node.put("kills", kills);
      ArrayNode array = node.putArray("reports");
      reports.forEach(report -> array.add(report.json()));
      JsonFile.write(json, node);
    }
    return ok ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  private static void add(List<DrillReport> reports, DrillReport report) {
    reports.add(report);
    System.out.println(report.text());
  }

  /** Returns a shop with everything that happens to one. */
  static ChangingShop shop(String name, long seed, int pages) {
    return new ChangingShop(
        name,
        ChangingShopPlan.usual(seed, pages).withMoved(MOVED).withOffers(OFFERS),
        InstantSource.system());
  }

  /** Returns settings of workers whose tasks come back soon when they are killed. */
  static Map<String, String> settings(int slots) {
    Map<String, String> settings = new HashMap<>(ShopCrawls.settings(slots));
    settings.put("FAIRFLEET_LEASE_VISIBILITY", "4s");
    settings.put("FAIRFLEET_RETRY_MAXATTEMPTS", "2");
    settings.put("FAIRFLEET_RETRY_BASE", "1s");
    settings.put("FAIRFLEET_RETRY_CAP", "1s");
    // A shop most of whose pages answer 500 is to be crawled to its end.
    settings.put("FAIRFLEET_BREAKER_FAILURES", "0");
    return settings;
  }

  /** Crawls versions 0 to 2 with kills, and holds each difference against what the records tell. */
  static DrillReport changes(ShopCrawls crawls, int kills, RandomGenerator random)
      throws InterruptedException {
    ChangingShop shop = crawls.shop();
    DrillReport report =
        new DrillReport("a shop of " + shop.paths().count() + " pages, with kills");
    List<Period> periods = new ArrayList<>();
    for (int version = 0; version <= LAST_VERSION; version++) {
      if (version > 0) {
        shop.publish(version);
      }
      Instant since = Instant.now();
      String name = "crawl " + (version + 1);
      int requests = shop.paths(version).size();
      Crawl crawl = crawls.crawl(name, ShopCrawls.kills(kills, requests, random));
      periods.add(new Period(crawl.begin(), crawl.finish()));
      report
          .equal(name + ": kills", kills, crawl.killed())
          .equal(name + ": complete", "yes", complete(crawl.end()));
      if (version > 0) {
        compare(
            report,
            name,
            shop.difference(version - 1, version),
            RecordHistory.told(crawls.changesSince(since), since));
      }
      report.shown(name + ": answers", crawl.traffic().text());
      report.shown(name + ": seconds to its end", crawl.took().toMillis() / 1e3, "%.1f");
    }
    return report.none(
        "records with a wrong field, time or number",
        RecordHistory.faults(RecordHistory.of(shop, LAST_VERSION), crawls.records(), periods));
  }

  private static void compare(
      DrillReport report, String name, Difference expected, Difference actual) {
    compare(report, name + ": added", expected.added(), actual.added());
    compare(report, name + ": changed", expected.changed(), actual.changed());
    compare(report, name + ": removed", expected.removed(), actual.removed());
    compare(report, name + ": returned", expected.returned(), actual.returned());
  }

  private static void compare(
      DrillReport report, String what, SortedSet<String> expected, SortedSet<String> actual) {
    SortedSet<String> missing = new TreeSet<>(expected);
    missing.removeAll(actual);
    SortedSet<String> wrong = new TreeSet<>(actual);
    wrong.removeAll(expected);
    List<String> faults = new ArrayList<>();
    missing.forEach(sku -> faults.add(what + " lacks " + sku));
    wrong.forEach(sku -> faults.add(what + " names " + sku + " wrongly"));
    report
        .equal(what, expected.size(), actual.size())
        .none(what + ", other things than expected", faults);
  }

  private static String complete(CrawlEnd end) {
    return end.complete() ? "yes" : "no: " + end.remark();
  }

  /** What makes the second of three crawls doubtful. */
  private record Doubt(
      String title, Consumer<ShopCrawls> begin, Disturbance meanwhile, Consumer<ShopCrawls> end) {}

  /** A crawl during which the site is stopped and resumed. */
  static DrillReport stopped(ShopCrawls crawls) throws InterruptedException {
    return doubtful(
        crawls,
        new Doubt(
            "stopped half-way, and resumed",
            before -> {},
            DeletionsDrillCommand::stopAndResume,
            after -> {}));
  }

  private static int stopAndResume(ShopCrawls crawls) throws InterruptedException {
    int half = crawls.requests() + (int) crawls.shop().paths().count() / 2;
    if (!crawls.awaitRequests(half)) {
      throw new IllegalStateException("The crawl ended before it could be stopped.");
    }
    LocalFleet fleet = crawls.fleet();
    fleet.sites().setState(crawls.id(), SiteState.STOPPED, "stopped by a drill", Instant.now());
    awaitQuiet(crawls);
    fleet.sites().setState(crawls.id(), SiteState.ACTIVE, "", Instant.now());
    int sent = fleet.requeueUnfinished(List.of(crawls.id()));
    System.err.println("fairfleet: resumed with " + sent + " pages sent again.");
    return 0;
  }

  /** Waits until no request came for two seconds. */
  private static void awaitQuiet(ShopCrawls crawls) throws InterruptedException {
    int requests = crawls.requests();
    for (int quiet = 0; quiet < QUIET_TICKS; quiet++) {
      Thread.sleep(TICK);
      if (crawls.requests() != requests) {
        requests = crawls.requests();
        quiet = 0;
      }
    }
  }

  /** A crawl that a page limit cuts. */
  static DrillReport cut(ShopCrawls crawls) throws InterruptedException {
    int half = (int) crawls.shop().paths().count() / 2;
    return doubtful(
        crawls,
        new Doubt(
            "cut by a page limit of " + half,
            before -> before.put(half, RecrawlPolicy.DEFAULT),
            Disturbance.NONE,
            after -> after.put(SiteLimits.UNLIMITED, RecrawlPolicy.DEFAULT)));
  }

  /** A crawl in which most pages answer 500. */
  static DrillReport failing(ShopCrawls crawls) throws InterruptedException {
    return doubtful(
        crawls,
        new Doubt(
            "most pages answer 500",
            before -> before.shop().fail(FAILING),
            Disturbance.NONE,
            after -> after.shop().fail(0)));
  }

  /**
   * Crawls version 0, then version 1 in doubtful circumstances, which must delete nothing, then
   * version 1 again, which must delete what the second crawl did not.
   */
  private static DrillReport doubtful(ShopCrawls crawls, Doubt doubt) throws InterruptedException {
    ChangingShop shop = crawls.shop();
    DrillReport report =
        new DrillReport("a shop of " + shop.paths().count() + " pages: " + doubt.title());
    Crawl first = crawls.crawl("crawl 1", Disturbance.NONE);
    report.equal("crawl 1: complete", "yes", complete(first.end()));
    shop.publish(1);

    doubt.begin().accept(crawls);
    Crawl second = crawls.crawl("crawl 2", doubt.meanwhile());
    doubt.end().accept(crawls);
    report
        .equal("crawl 2: complete", false, second.end().complete())
        .shown("crawl 2: why not", second.end().remark())
        .shown("crawl 2: answers", second.traffic().text())
        .equal("crawl 2: tombstones, as the crawl counted them", 0L, second.end().tombstones())
        .equal("crawl 2: records with a tombstone", 0, deleted(crawls).size());

    Crawl third = crawls.crawl("crawl 3", Disturbance.NONE);
    report.equal("crawl 3: complete", "yes", complete(third.end()));
    compare(report, "crawl 3: removed", shop.difference(0, 1).removed(), deleted(crawls));
    return report;
  }

  private static SortedSet<String> deleted(ShopCrawls crawls) {
    SortedSet<String> deleted = new TreeSet<>();
    crawls
        .records()
        .forEach(
            (sku, stored) -> {
              if (stored.tombstone().isPresent()) {
                deleted.add(sku);
              }
            });
    return deleted;
  }
}
