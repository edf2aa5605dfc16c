package dev.fairfleet.cli;

import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.WorkerProcess;
import dev.fairfleet.local.web.RequestLog;
import dev.fairfleet.local.web.TreeSite;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebPlan;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Crawls a fake web on this machine, with real services and worker processes, and judges it. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Crawls a fake web of many sites on this machine and reports how fair, how polite and how cheap it was.",
    footer = {
      "",
      "Example: fairfleet demo --sites 40 --pages 2000 --seed 7 --json out.json",
      "Example: fairfleet demo --ugly --host gzip-bomb --host robots-503"
    })
final class DemoCommand implements Callable<Integer> {
  @Option(names = "--sites", description = "Sites, of Zipf sizes. Default: ${DEFAULT-VALUE}")
  private int sites = 40;

  @Option(names = "--pages", description = "Pages of all sites together. Default: ${DEFAULT-VALUE}")
  private int pages = 2_000;

  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 2;

  @Option(names = "--seed", description = "Seed of the fake web. Default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Option(
      names = "--hourly-limit",
      description = "Requests per hour and site. Default: ${DEFAULT-VALUE}")
  private int hourlyLimit = 36_000;

  @Option(
      names = "--policy",
      description = "How tasks are scheduled: reserved or classic. Default: ${DEFAULT-VALUE}")
  private String policy = "reserved";

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  @Option(
      names = "--ugly",
      description = "Crawl the ugly web instead: hosts with one kind of trouble each.")
  private boolean ugly;

  @Option(names = "--list", description = "With --ugly: only list the hosts.")
  private boolean list;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      description = "With --ugly: only this host; may be given more than once.")
  private List<String> hosts = List.of();

  private static final List<String> POLICIES = List.of("reserved", "classic");
  private static final Duration LATENCY = Duration.ofMillis(20);
  private static final int SLOTS = 16;
  private static final int PER_SERVER = 2;
  // The table's delays are minutes; this demo's hour is over in two.
  private static final String DELAY_SCALE = "0.01";

  @Override
  public Integer call() throws InterruptedException {
    if (ugly) {
      return crawlUglyWeb();
    }
    if (list || !hosts.isEmpty()) {
      throw new UsageException(
          "--list and --host choose among the hosts of the ugly web: add --ugly.");
    }
    if (sites < 1 || workers < 1 || hourlyLimit < 1 || pages < sites) {
      throw new UsageException(
          "A demo needs at least one site, one worker, one request an hour, and a page per site; asked for were "
              + sites
              + " sites, "
              + pages
              + " pages, "
              + workers
              + " workers and "
              + hourlyLimit
              + " requests an hour.");
    }
    if (!POLICIES.contains(policy)) {
      throw new UsageException("A policy is one of " + POLICIES + ", not " + policy + ".");
    }
    Optional.ofNullable(json).ifPresent(JsonFile::requireWritable);
    WebPlan plan = WebPlan.zipf(seed, sites, pages);
    List<TreeSite> web = plan.sites();
    try (TemporaryDir folder = TemporaryDir.create("demo");
        DataDir dir = DataDir.open(folder.path());
        WebServer server = WebServer.start(web, WebOptions.defaults().withLatency(LATENCY));
        LocalFleet fleet = LocalFleet.start(dir, settings())) {
      Thread hook = Shutdown.add(fleet::close);
      try {
        return crawl(fleet, server, web);
      } finally {
        Shutdown.remove(hook);
      }
    }
  }

  private int crawlUglyWeb() throws InterruptedException {
    UglyDemo demo = UglyDemo.of(hosts);
    if (list) {
      System.out.print(demo.list());
      return Fairfleet.DONE;
    }
    Optional.ofNullable(json).ifPresent(JsonFile::requireWritable);
    UglyReport report = demo.run(workers);
    System.out.print(report.text());
    Optional.ofNullable(json).ifPresent(file -> JsonFile.write(file, report.json()));
    return report.ok() ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  private Map<String, String> settings() {
    return Map.of(
        "FAIRFLEET_SCHEDULING_POLICY",
        policy,
        "FAIRFLEET_FETCH_ALLOWLOOPBACK",
        "true",
        "FAIRFLEET_WORKER_SLOTS",
        Integer.toString(SLOTS),
        "FAIRFLEET_WORKER_PERSERVER",
        Integer.toString(PER_SERVER),
        "FAIRFLEET_SCHEDULING_DELAYSCALE",
        DELAY_SCALE);
  }

  private int crawl(LocalFleet fleet, WebServer server, List<TreeSite> web)
      throws InterruptedException {
    SiteLimits limits = new SiteLimits(hourlyLimit, Duration.ZERO, 100, SiteLimits.UNLIMITED);
    Map<TreeSite, SiteId> ids = FakeWebSites.add(fleet.sites(), server, web, limits);
    for (int i = 0; i < workers; i++) {
      fleet.startWorker();
    }
    for (WorkerProcess worker : fleet.workers()) {
      worker.awaitReady();
    }
    RequestLog log = server.log();
    long start = System.nanoTime();
    Duration offset = log.now();
    fleet.seed(Instant.now(), ids.values());
    CrawlWatch watch;
    try (Progress progress = new Progress("demo", System::nanoTime, () -> remark(web, log))) {
      watch = new CrawlWatch(fleet, Set.copyOf(ids.values()), sites, true, progress::show);
      watch.awaitEnd();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    fleet.stopWorkers();
    DemoReport report =
        DemoReport.of(
            fleet,
            log,
            ids,
            offset,
            took,
            hourlyLimit,
            (double) workers * SLOTS / LATENCY.toMillis() * 1_000);
    System.out.print(report.text());
    Optional.ofNullable(json).ifPresent(file -> JsonFile.write(file, report.json()));
    return report.ok() ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  private static String remark(List<TreeSite> web, RequestLog log) {
    TreeSite largest = web.stream().max(Comparator.comparingInt(TreeSite::pages)).orElseThrow();
    TreeSite slowest =
        web.stream().min(Comparator.comparingDouble(site -> share(site, log))).orElseThrow();
    return String.format(
        Locale.ROOT,
        "largest %s %.0f%%, slowest %s %.0f%%",
        shortName(largest),
        share(largest, log) * 100,
        shortName(slowest),
        share(slowest, log) * 100);
  }

  private static double share(TreeSite site, RequestLog log) {
    return Math.min(1, (double) log.pages(site.host()) / site.pages());
  }

  private static String shortName(TreeSite site) {
    return site.host().replace(".localhost", "");
  }
}
