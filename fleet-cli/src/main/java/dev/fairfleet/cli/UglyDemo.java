package dev.fairfleet.cli;

import dev.fairfleet.frontier.Page;
import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.WorkerProcess;
import dev.fairfleet.local.web.RequestLog;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.local.web.ugly.Crawled;
import dev.fairfleet.local.web.ugly.End;
import dev.fairfleet.local.web.ugly.UglyHost;
import dev.fairfleet.local.web.ugly.UglySite;
import dev.fairfleet.local.web.ugly.UglyWeb;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Crawls the ugly web, or some hosts of it, and holds each host's end beside what is right. */
final class UglyDemo {
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration QUIET = Duration.ofSeconds(4);
  private static final Duration LEAST = Duration.ofSeconds(10);
  private static final Duration MOST = Duration.ofSeconds(150);
  private static final int SHOWN = 3;

  /** Short time-outs and few attempts, so that it does not take long to see how each host ends. */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("FAIRFLEET_FETCH_ALLOWLOOPBACK", "true"),
          Map.entry("FAIRFLEET_FETCH_CONNECTTIMEOUT", "2s"),
          Map.entry("FAIRFLEET_FETCH_IDLETIMEOUT", "2s"),
          Map.entry("FAIRFLEET_FETCH_DEADLINE", "5s"),
          Map.entry("FAIRFLEET_RETRY_MAXATTEMPTS", "2"),
          Map.entry("FAIRFLEET_RETRY_BASE", "1s"),
          Map.entry("FAIRFLEET_RETRY_CAP", "2s"),
          Map.entry("FAIRFLEET_ROBOTS_RETRY", "2s"),
          Map.entry("FAIRFLEET_ROBOTS_RETRYMOST", "4s"),
          Map.entry("FAIRFLEET_WORKER_SLOTS", "48"),
          Map.entry("FAIRFLEET_WORKER_PERSERVER", "4"),
          Map.entry("FAIRFLEET_SCHEDULING_DELAYSCALE", "0"));

  private final List<UglyHost> hosts;

  private UglyDemo(List<UglyHost> hosts) {
    this.hosts = hosts;
  }

  /**
   * Returns a demo of some hosts.
   *
   * @param names none for all
   * @throws UsageException if there is no host of a name
   */
  static UglyDemo of(List<String> names) {
    List<UglyHost> all = UglyWeb.hosts();
    if (names.isEmpty()) {
      return new UglyDemo(all);
    }
    Set<String> unknown = new TreeSet<>(names);
    all.forEach(host -> unknown.remove(host.name()));
    if (!unknown.isEmpty()) {
      throw new UsageException(
          "The ugly web has no host "
              + String.join(", ", unknown)
              + ". fairfleet demo --ugly --list shows all.");
    }
    return new UglyDemo(all.stream().filter(host -> names.contains(host.name())).toList());
  }

  /** Returns a table of the hosts. */
  String list() {
    TextTable table = TextTable.ofText("host", "what it does", "expected");
    hosts.forEach(host -> table.row(host.name(), host.does(), UglyReport.expected(host)));
    return table.toString();
  }

  /** Crawls the hosts with a fleet of its own. */
  UglyReport run(int workers) throws InterruptedException {
    InstantSource clock = InstantSource.system();
    List<UglySite> web = hosts.stream().map(host -> host.serve(clock)).toList();
    try (TemporaryDir folder = TemporaryDir.create("demo");
        DataDir dir = DataDir.open(folder.path());
        WebServer server = WebServer.start(web, WebOptions.defaults());
        LocalFleet fleet = LocalFleet.start(dir, SETTINGS)) {
      Thread hook = Shutdown.add(fleet::close);
      try {
        for (int i = 0; i < workers; i++) {
          fleet.startWorker();
        }
        for (WorkerProcess worker : fleet.workers()) {
          worker.awaitReady();
        }
        Map<SiteId, UglySite> sites = add(fleet, server.port(), web);
        Duration took = crawl(fleet, server, sites);
        fleet.stopWorkers();
        return new UglyReport(
            sites.entrySet().stream()
                .map(it -> row(fleet, server, it.getKey(), it.getValue()))
                .toList(),
            workers,
            took);
      } finally {
        Shutdown.remove(hook);
      }
    }
  }

  /** Adds a site for each ugly one, and returns them in their order. */
  static Map<SiteId, UglySite> add(LocalFleet fleet, int port, List<UglySite> web) {
    Map<SiteId, UglySite> sites = new LinkedHashMap<>();
    for (UglySite ugly : web) {
      String name = ugly.host().replace(".localhost", "");
      CrawlUrl root =
          CrawlUrl.of(
              ugly.kind().root(port).replace(ugly.kind().name() + ".localhost", ugly.host()));
      Set<HostKey> scope = new HashSet<>(Set.of(root.hostKey()));
      // An address that is no URL to us needs no refusing either.
      ugly.kind().alsoInScope(port).stream()
          .map(CrawlUrl::parse)
          .flatMap(Optional::stream)
          .forEach(url -> scope.add(url.hostKey()));
      SiteId id = new SiteId(name);
      fleet
          .sites()
          .put(
              new Site(
                  id,
                  List.of(root),
                  new Scope(scope),
                  ugly.kind().limits(),
                  ExtractionRules.DEFAULT));
      sites.put(id, ugly);
    }
    return sites;
  }

  /** Crawls until all is final that should be, or it takes too long; returns how long it took. */
  private static Duration crawl(LocalFleet fleet, WebServer server, Map<SiteId, UglySite> sites)
      throws InterruptedException {
    RequestLog log = server.log();
    Duration start = log.now();
    fleet.seed(Instant.now(), sites.keySet());
    Set<SiteId> pending = new LinkedHashSet<>(sites.keySet());
    pending.removeIf(id -> site(sites, id).kind().waits());
    Set<SiteId> crawledAgain = new HashSet<>();
    Duration seeded = log.now();
    Duration end = seeded.plus(LEAST);
    try (Progress progress = new Progress("ugly", System::nanoTime, () -> remark(pending))) {
      while (log.now().compareTo(end) < 0) {
        Thread.sleep(TICK);
        long settled = fleet.totals().settled();
        long known = Math.max(settled, fleet.totals().claimed() + sites.size());
        progress.show(new CrawlWatch.Snapshot(settled, known, fleet.queue().depth()));
        for (SiteId id : quiet(pending, sites, log)) {
          if (!fleet.unfinished(id).isEmpty()) {
            continue;
          }
          if (site(sites, id).kind().crawls() > 1 && crawledAgain.add(id)) {
            fleet.seed(Instant.now(), List.of(id));
          } else {
            pending.remove(id);
          }
        }
        if (!pending.isEmpty()) {
          end = seeded.plus(MOST);
        } else if (end.equals(seeded.plus(MOST))) {
          end = log.now();
        }
      }
    }
    return log.now().minus(start);
  }

  /** Returns the pending hosts whose servers were left alone for a while. */
  private static List<SiteId> quiet(
      Set<SiteId> pending, Map<SiteId, UglySite> sites, RequestLog log) {
    Duration before = log.now().minus(QUIET);
    return pending.stream()
        .filter(id -> log.last(site(sites, id).host()).orElse(Duration.ZERO).compareTo(before) < 0)
        .toList();
  }

  private static UglySite site(Map<SiteId, UglySite> sites, SiteId id) {
    return Optional.ofNullable(sites.get(id)).orElseThrow();
  }

  private static String remark(Set<SiteId> pending) {
    return pending.size()
        + " hosts left"
        + (pending.isEmpty()
            ? ""
            : pending.stream()
                .limit(SHOWN)
                .map(SiteId::value)
                .collect(Collectors.joining(", ", ": ", pending.size() > SHOWN ? ", …" : "")));
  }

  /** Holds a host's end beside what is right. */
  static UglyReport.Row row(LocalFleet fleet, WebServer server, SiteId id, UglySite ugly) {
    Optional<CrawlId> crawl = fleet.sites().find(id).flatMap(SiteStatus::crawl);
    Map<String, Crawled.Page> pages = new HashMap<>();
    fleet
        .frontier()
        .forEachPage(
            id,
            page -> {
              if (crawl.equals(Optional.of(page.crawl()))) {
                pages.put(page.url().toString(), page(page));
              }
            });
    return UglyReport.Row.of(
        ugly.kind(),
        new Crawled(
            ugly.host(), server.port(), pages, records(fleet, id, ugly, pages), server.log()));
  }

  private static Map<String, Map<String, String>> records(
      LocalFleet fleet, SiteId id, UglySite ugly, Map<String, Crawled.Page> pages) {
    Map<String, Map<String, String>> records = new HashMap<>();
    Consumer<StoredRecord> add =
        stored -> records.put(stored.record().url().toString(), stored.record().fields());
    if (ugly.kind().countsRecords()) {
      fleet.records().forEach(id, add); // reads the whole table
    } else {
      pages.keySet().forEach(url -> fleet.records().find(RecordId.of(id, url)).ifPresent(add));
    }
    return records;
  }

  private static Crawled.Page page(Page page) {
    return new Crawled.Page(End.of(page.state()), page.reason());
  }
}
