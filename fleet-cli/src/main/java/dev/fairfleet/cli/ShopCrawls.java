package dev.fairfleet.cli;

import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.FleetTotals;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.WorkerProcess;
import dev.fairfleet.local.web.ChangingShop;
import dev.fairfleet.local.web.Traffic;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.worker.metrics.Meter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Crawls of one changing shop by a local fleet, one after the other, and what each of them cost.
 *
 * <p>Workers are started for each crawl and stopped in order after it, so that what they counted is
 * known to the last request; those that are killed take theirs with them. Used by one thread.
 */
final class ShopCrawls {
  private static final Duration TICK = Duration.ofMillis(5);

  private final LocalFleet fleet;
  private final WebServer server;
  private final ChangingShop shop;
  private final int workers;
  private SiteId id;

  /**
   * What one crawl cost and came to.
   *
   * @param begin when it was seeded, by this machine's clock
   * @param finish when its end was noticed
   * @param killed workers that were killed
   * @param requests for pages and sitemaps, robots.txt left out
   * @param pagesWrites of workers, to the table {@code pages}; likewise the others
   */
  record Crawl(
      CrawlId id,
      CrawlMode mode,
      Instant begin,
      Instant finish,
      CrawlEnd end,
      int killed,
      int requests,
      Traffic traffic,
      long pagesWrites,
      long recordsWrites,
      long sitesWrites,
      double dynamoUnits,
      double sqsRequests) {
    Duration took() {
      return Duration.between(begin, finish);
    }
  }

  /** What a worker counts that a crawl is charged with. */
  private record Counts(
      double pages, double records, double sites, double dynamoUnits, double sqsRequests) {
    static Counts of(FleetTotals totals) {
      return new Counts(
          totals.sum(Meter.PAGES_WRITES),
          totals.sum(Meter.RECORDS_WRITES),
          totals.sum(Meter.SITES_WRITES),
          totals.dynamoUnits(),
          totals.sqsRequests());
    }

    Counts since(Counts before) {
      return new Counts(
          pages - before.pages,
          records - before.records,
          sites - before.sites,
          dynamoUnits - before.dynamoUnits,
          sqsRequests - before.sqsRequests);
    }
  }

  /** Something that is done to the fleet while a crawl goes on. */
  interface Disturbance {
    /** Nothing. */
    Disturbance NONE = crawls -> 0;

    /** Does it, and returns how many workers were killed. */
    int during(ShopCrawls crawls) throws InterruptedException;
  }

  ShopCrawls(LocalFleet fleet, WebServer server, ChangingShop shop, int workers) {
    this.fleet = fleet;
    this.server = server;
    this.shop = shop;
    this.workers = workers;
    this.id = put(SiteLimits.UNLIMITED, RecrawlPolicy.DEFAULT);
  }

  /** Sets a page limit and when the site is crawled again, and returns the site's id. */
  SiteId put(int maxPages, RecrawlPolicy recrawl) {
    SiteLimits limits = new SiteLimits(1_000_000_000, Duration.ZERO, 100, maxPages);
    id = FakeWebSites.put(fleet.sites(), server, shop, limits, recrawl);
    return id;
  }

  /** Returns the site's id. */
  SiteId id() {
    return id;
  }

  /** Crawls the shop as it is, and returns when the crawl has ended. */
  Crawl crawl(String title, Disturbance disturbance) throws InterruptedException {
    Counts counted = Counts.of(fleet.totals());
    Traffic traffic = server.log().traffic(shop.host());
    int requests = requests();
    for (int i = 0; i < workers; i++) {
      fleet.startWorker();
    }
    for (WorkerProcess worker : alive()) {
      worker.awaitReady();
    }
    Instant begin = Instant.now();
    CrawlId crawl = fleet.seed(begin, List.of(id));
    int killed;
    try (Progress progress = new Progress(title, System::nanoTime, () -> "")) {
      killed = disturbance.during(this);
      new CrawlWatch(fleet, Set.of(id), 1, false, progress::show).awaitEnd();
    }
    Instant finish = Instant.now();
    fleet.stopWorkers();
    Counts cost = Counts.of(fleet.totals()).since(counted);
    CrawlRun run = run(crawl);
    return new Crawl(
        crawl,
        run.mode(),
        begin,
        finish,
        run.end().orElseThrow(),
        killed,
        requests() - requests,
        server.log().traffic(shop.host()).since(traffic),
        Math.round(cost.pages()),
        Math.round(cost.records()),
        Math.round(cost.sites()),
        cost.dynamoUnits(),
        cost.sqsRequests());
  }

  private CrawlRun run(CrawlId crawl) {
    Optional<SiteStatus> status = fleet.sites().find(id);
    return status
        .flatMap(it -> it.runOf(crawl))
        .filter(it -> it.end().isPresent())
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "Crawl " + crawl + " of " + id + " has not ended: " + status));
  }

  /** Returns requests for anything but robots.txt so far. */
  int requests() {
    return server.log().requests(shop.host()) - server.log().requests(shop.host(), "/robots.txt");
  }

  private List<WorkerProcess> alive() {
    return fleet.workers().stream().filter(worker -> worker.process().isAlive()).toList();
  }

  private boolean hasEnded() {
    return fleet.sites().find(id).flatMap(SiteStatus::run).flatMap(CrawlRun::end).isPresent();
  }

  /**
   * Returns what kills workers at random moments of a crawl: when so many requests were made,
   * whoever made them. One that is killed is replaced.
   *
   * @param kills how many
   * @param pages about how many requests the crawl makes
   */
  static Disturbance kills(int kills, int pages, RandomGenerator random) {
    return crawls -> {
      int before = crawls.requests();
      int[] moments = random.ints(kills, 1, Math.max(2, pages)).sorted().toArray();
      int killed = 0;
      for (int moment : moments) {
        if (!crawls.awaitRequests(before + moment)) {
          break;
        }
        List<WorkerProcess> alive = crawls.alive();
        if (!alive.isEmpty()) {
          alive.get(random.nextInt(alive.size())).kill();
          killed++;
        }
        crawls.fleet.startWorker().awaitReady();
      }
      return killed;
    };
  }

  /** Waits for so many requests; returns false if the crawl ended before. */
  boolean awaitRequests(int least) throws InterruptedException {
    int ticks = 0;
    while (requests() < least) {
      Thread.sleep(TICK);
      if (++ticks % 100 == 0 && hasEnded()) {
        return false;
      }
    }
    return true;
  }

  /** Returns all records by SKU. */
  SortedMap<String, StoredRecord> records() {
    SortedMap<String, StoredRecord> records = new TreeMap<>();
    fleet.records().forEach(id, stored -> records.put(stored.record().naturalKey(), stored));
    return records;
  }

  /** Returns the records that were written at a time or later, as an export of changes has them. */
  List<StoredRecord> changesSince(Instant time) {
    List<StoredRecord> changes = new ArrayList<>();
    String from = fleet.records().since(time);
    boolean end = false;
    while (!end) {
      var step = fleet.records().changes(id, from, 100);
      changes.addAll(step.records());
      from = step.next();
      end = step.end();
    }
    return changes.stream().filter(it -> !it.writtenAt().isBefore(time)).toList();
  }

  LocalFleet fleet() {
    return fleet;
  }

  ChangingShop shop() {
    return shop;
  }

  /** Returns settings of workers for crawls in a hurry. */
  static Map<String, String> settings(int slots) {
    return Map.of(
        "FAIRFLEET_FETCH_ALLOWLOOPBACK", "true",
        "FAIRFLEET_WORKER_SLOTS", Integer.toString(slots),
        "FAIRFLEET_WORKER_PERSERVER", Integer.toString(slots),
        "FAIRFLEET_SCHEDULING_DELAYSCALE", "0",
        "FAIRFLEET_SCHEDULING_SWEEP", "1s",
        // What the open poll of a worker that ended takes waits for its lease.
        "FAIRFLEET_QUEUE_IDLEWAIT", "1s",
        "FAIRFLEET_LEASE_VISIBILITY", "15s");
  }
}
