package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.WorkerProcess;
import dev.fairfleet.local.web.DeadSite;
import dev.fairfleet.local.web.FakeSite;
import dev.fairfleet.local.web.RequestLog;
import dev.fairfleet.local.web.TreeSite;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebPlan;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.metrics.Meter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Healthy sites alone, and the same beside dead ones: whether those are stopped, and their cost.
 */
@Command(
    name = "breaker",
    mixinStandardHelpOptions = true,
    description =
        "Crawls healthy sites alone, twice, and then beside dead ones, and shows which sites were stopped, and what the dead ones cost the others.",
    footer = {"", "Example: fairfleet drill breaker --sites 500 --dead 50 --pages 12 --delay 10s"})
final class BreakerDrillCommand implements Callable<Integer> {
  @Option(names = "--sites", description = "Sites, dead ones included. Default: ${DEFAULT-VALUE}")
  private int sites = 500;

  @Option(names = "--dead", description = "Dead sites among them. Default: ${DEFAULT-VALUE}")
  private int dead = 50;

  @Option(names = "--pages", description = "Pages of a site. Default: ${DEFAULT-VALUE}")
  private int pages = 12;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description =
          "Least time between two requests to a site; so long that it decides when a site ends, not this machine. Default: ${DEFAULT-VALUE}")
  private String delay = "10s";

  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 2;

  @Option(names = "--seed", description = "Seed of the sites. Default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  private static final int REQUESTS_PER_HOUR = 36_000;
  private static final int PAGES_BEFORE_DEATH = 2;
  private static final double MOST_SHARE = 0.5;
  private static final double MOST_LATER = 3;
  private static final Duration LATENCY = Duration.ofMillis(20);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration MOST = Duration.ofMinutes(20);

  /**
   * What one run showed.
   *
   * @param seconds from the workers' start to the last request of each healthy site, by host
   * @param resumed whether the site that was mended finished; true if there was none
   */
  private record Run(
      Map<String, Double> seconds,
      List<SiteStatus> statuses,
      double workMillis,
      double stoppedMillis,
      double dropped,
      boolean resumed) {}

  @Override
  public Integer call() throws InterruptedException {
    if (dead < 1 || sites <= dead || workers < 1 || pages < PAGES_BEFORE_DEATH + 6) {
      throw new UsageException(
          "A drill needs a dead site and a healthy one, a worker, and at least "
              + (PAGES_BEFORE_DEATH + 6)
              + " pages a site.");
    }
    Duration least = SitesFile.duration(delay);
    Optional.ofNullable(json).ifPresent(JsonFile::requireWritable);
    List<TreeSite> trees =
        new WebPlan(seed, Collections.nCopies(sites, pages), WebPlan.FAN_OUT, WebPlan.PAGE_BYTES)
            .sites();
    List<TreeSite> healthy = trees.subList(0, sites - dead);
    Run alone = run("alone", healthy, List.of(), least);
    Run again = run("alone again", healthy, List.of(), least);
    Run beside = run("beside", healthy, deadOf(trees.subList(sites - dead, sites)), least);
    DrillReport report = report(alone, again, beside);
    System.out.print(report.text());
    System.out.println(
        report.ok() ? "The dead sites are stopped, and nobody else." : "WRONG, see above.");
    if (json != null) {
      ObjectNode node = report.json();
      JsonFile.write(json, node);
    }
    return report.ok() ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  private static List<DeadSite> deadOf(List<TreeSite> trees) {
    DeadSite.Kind[] kinds = DeadSite.Kind.values();
    return IntStream.range(0, trees.size())
        .mapToObj(
            // The last of all is one that can be mended.
            i ->
                new DeadSite(
                    trees.get(i),
                    kinds[kinds.length - 1 - (trees.size() - 1 - i) % kinds.length],
                    PAGES_BEFORE_DEATH))
        .toList();
  }

  private Run run(String name, List<TreeSite> healthy, List<DeadSite> deadSites, Duration least)
      throws InterruptedException {
    List<FakeSite> web = new ArrayList<>(healthy);
    web.addAll(deadSites);
    try (TemporaryDir folder = TemporaryDir.create("drill");
        DataDir dir = DataDir.open(folder.path());
        WebServer server = WebServer.start(web, WebOptions.defaults().withLatency(LATENCY));
        LocalFleet fleet = LocalFleet.start(dir, settings())) {
      Thread hook = Shutdown.add(fleet::close);
      try {
        return crawl(name, fleet, server, healthy, deadSites, least);
      } finally {
        Shutdown.remove(hook);
      }
    }
  }

  private static Map<String, String> settings() {
    return Map.of(
        "FAIRFLEET_FETCH_ALLOWLOOPBACK", "true",
        "FAIRFLEET_FETCH_CONNECTTIMEOUT", "2s",
        "FAIRFLEET_FETCH_IDLETIMEOUT", "2s",
        "FAIRFLEET_FETCH_DEADLINE", "5s",
        "FAIRFLEET_SCHEDULING_DELAYSCALE", "0");
  }

  private Run crawl(
      String name,
      LocalFleet fleet,
      WebServer server,
      List<TreeSite> healthy,
      List<DeadSite> deadSites,
      Duration least)
      throws InterruptedException {
    SiteLimits limits = new SiteLimits(REQUESTS_PER_HOUR, least, 100, SiteLimits.UNLIMITED);
    List<SiteId> ids =
        new ArrayList<>(FakeWebSites.add(fleet.sites(), server, healthy, limits).values());
    Map<SiteId, DeadSite> deadIds = new LinkedHashMap<>();
    for (DeadSite site : deadSites) {
      deadIds.put(add(fleet, server, site, limits), site);
    }
    ids.addAll(deadIds.keySet());
    Collections.shuffle(ids, new Random(seed));
    // All at once, so that nobody is late only because many were to be seeded.
    fleet.seed(Instant.now(), ids);
    for (int i = 0; i < workers; i++) {
      fleet.startWorker();
    }
    for (WorkerProcess worker : fleet.workers()) {
      worker.awaitReady();
    }
    RequestLog log = server.log();
    Duration start = log.now();
    boolean resumed;
    try (Progress progress =
        new Progress(name, System::nanoTime, () -> finished(log, healthy) + " sites")) {
      boolean unused =
          await(
              fleet,
              progress,
              () -> finished(log, healthy) == healthy.size() && stopped(fleet) >= deadIds.size());
      resumed = deadIds.isEmpty() || resume(fleet, progress, log, deadIds);
    }
    List<SiteStatus> statuses = fleet.sites().all();
    fleet.stopWorkers();
    Map<String, Double> seconds = new LinkedHashMap<>();
    healthy.forEach(
        site ->
            seconds.put(
                site.host(),
                log.last(site.host()).orElse(MOST.plus(start)).minus(start).toMillis() / 1e3));
    return new Run(
        seconds,
        statuses,
        fleet.totals().sum(Meter.WORK_TIME),
        fleet.totals().sum(Meter.WORK_TIME_STOPPED),
        fleet.totals().sum(Meter.TASK_DROPPED),
        resumed);
  }

  private static SiteId add(LocalFleet fleet, WebServer server, DeadSite site, SiteLimits limits) {
    CrawlUrl root = CrawlUrl.of(site.root(server.port()));
    SiteId id = new SiteId(site.host().replace(".localhost", ""));
    fleet
        .sites()
        .put(
            new Site(
                id,
                List.of(root),
                new Scope(Set.of(root.hostKey())),
                limits,
                ExtractionRules.DEFAULT));
    return id;
  }

  private static boolean await(LocalFleet fleet, Progress progress, BooleanSupplier done)
      throws InterruptedException {
    long deadline = System.nanoTime() + MOST.toNanos();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(TICK);
      long settled = fleet.totals().settled();
      progress.show(
          new CrawlWatch.Snapshot(
              settled, Math.max(settled, fleet.totals().claimed()), fleet.queue().depth()));
    }
    return true;
  }

  private int finished(RequestLog log, List<TreeSite> healthy) {
    return (int) healthy.stream().filter(site -> log.pages(site.host()) >= pages).count();
  }

  private static long stopped(LocalFleet fleet) {
    return fleet.sites().all().stream().filter(it -> it.state() == SiteState.STOPPED).count();
  }

  /** Mends the last of the dead sites, resumes it, and returns whether it finishes. */
  private boolean resume(
      LocalFleet fleet, Progress progress, RequestLog log, Map<SiteId, DeadSite> deadIds)
      throws InterruptedException {
    SiteId id = List.copyOf(deadIds.keySet()).getLast();
    DeadSite site = Optional.ofNullable(deadIds.get(id)).orElseThrow();
    site.mend();
    boolean wasStopped = fleet.sites().setState(id, SiteState.ACTIVE, "mended", Instant.now());
    int unused = fleet.requeueUnfinished(List.of(id));
    return wasStopped
        && await(
            fleet,
            progress,
            () -> log.pages(site.host()) >= pages && fleet.unfinished(id).isEmpty());
  }

  private DrillReport report(Run alone, Run again, Run beside) {
    List<String> healthy = new ArrayList<>();
    List<String> reasonless = new ArrayList<>();
    long stopped = 0;
    for (SiteStatus status : beside.statuses()) {
      boolean isHealthy = beside.seconds().containsKey(status.site().id() + ".localhost");
      if (status.state() == SiteState.STOPPED) {
        stopped++;
        if (isHealthy) {
          healthy.add(status.site().id() + ": " + status.reason());
        } else if (!status.reason().contains("failures in a row")) {
          reasonless.add(status.site().id() + ": " + status.reason());
        }
      }
    }
    List<Double> noise = later(alone, again);
    List<Double> later = later(alone, beside);
    DrillReport report =
        new DrillReport(sites + " sites, " + dead + " of them dead")
            // One of them was mended and resumed.
            .equal("dead sites stopped for good", (long) dead - 1, stopped - healthy.size())
            .none("of these without their reason", reasonless)
            .none("healthy sites stopped", healthy)
            .equal("the mended one was resumed and finished", true, beside.resumed())
            .below(
                "work for sites after their stop, % of all work",
                MOST_SHARE, 100 * beside.stoppedMillis() / beside.workMillis(), "%.3f")
            .below("healthy sites end later, %, mean", MOST_LATER, mean(later), "%.2f")
            .below("median", MOST_LATER, Statistics.percentile(later, 0.5), "%.2f")
            .shown("95th percentile", Statistics.percentile(later, 0.95), "%.2f")
            .shown("alone again (noise), mean", mean(noise), "%.2f")
            .shown("alone again, median", Statistics.percentile(noise, 0.5), "%.2f")
            .shown("alone again, 95th percentile", Statistics.percentile(noise, 0.95), "%.2f")
            .shown("tasks dropped", beside.dropped(), "%.0f")
            .shown("seconds of work", beside.workMillis() / 1e3, "%.1f")
            .shown("of them for stopped sites", beside.stoppedMillis() / 1e3, "%.3f");
    beside.statuses().stream()
        .filter(status -> status.state() == SiteState.STOPPED)
        .limit(DeadSite.Kind.values().length)
        .forEach(status -> report.shown(status.site().id().value(), status.reason()));
    return report;
  }

  /** Returns by how many percent each site ended later than in the first run. */
  private static List<Double> later(Run first, Run second) {
    return first.seconds().keySet().stream()
        .map(
            host ->
                100
                    * (second.seconds().getOrDefault(host, 0.0)
                            / first.seconds().getOrDefault(host, 0.0)
                        - 1))
        .toList();
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}
