package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.ChildProcess;
import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.ProcessUsage;
import dev.fairfleet.local.RawCrawl;
import dev.fairfleet.local.WorkerProcess;
import dev.fairfleet.local.web.TreeSite;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebPlan;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the fleet without politeness limits, beside what its fetcher and parser alone can do.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description =
        "Crawls a fake web without limits and reports pages per second, processor time and memory, beside the raw limit.",
    footer = {"", "Example: fairfleet bench --pages 20000 --workers 2 --json bench.json"})
final class BenchCommand implements Callable<Integer> {
  @Option(names = "--pages", description = "Pages. Default: ${DEFAULT-VALUE}")
  private int pages = 20_000;

  @Option(names = "--sites", description = "Sites. Default: ${DEFAULT-VALUE}")
  private int sites = 100;

  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 2;

  @Option(names = "--slots", description = "Slots of a worker. Default: ${DEFAULT-VALUE}")
  private int slots = 64;

  @Option(names = "--seed", description = "Seed of the fake web. Default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  /** One process, or several of one kind. */
  private record Usage(String name, Duration cpu, long peakRssBytes) {
    static Usage of(String name, ProcessUsage usage, Duration before) {
      return new Usage(
          name,
          usage.cpuTime().orElse(Duration.ZERO).minus(before),
          usage.peakRssBytes().orElse(0));
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    if (pages < sites || sites < 1 || workers < 1 || slots < 1) {
      throw new UsageException(
          "A benchmark needs at least one site, worker and slot, and a page per site.");
    }
    Optional.ofNullable(json).ifPresent(JsonFile::requireWritable);
    List<TreeSite> web = WebPlan.zipf(seed, sites, pages).sites();
    try (TemporaryDir folder = TemporaryDir.create("bench");
        DataDir dir = DataDir.open(folder.path());
        WebServer server = WebServer.start(web, WebOptions.defaults())) {
      RawCrawl.Result raw = RawCrawl.inChildProcesses(server, web, workers, slots, dir);
      try (LocalFleet fleet = LocalFleet.start(dir, settings())) {
        Thread hook = Shutdown.add(fleet::close);
        try {
          return crawl(fleet, server, web, raw);
        } finally {
          Shutdown.remove(hook);
        }
      }
    }
  }

  private Map<String, String> settings() {
    return Map.of(
        "FAIRFLEET_FETCH_ALLOWLOOPBACK",
        "true",
        "FAIRFLEET_WORKER_SLOTS",
        Integer.toString(slots),
        "FAIRFLEET_WORKER_PERSERVER",
        Integer.toString(slots),
        "FAIRFLEET_SCHEDULING_DELAYSCALE",
        "0");
  }

  private int crawl(LocalFleet fleet, WebServer server, List<TreeSite> web, RawCrawl.Result raw)
      throws InterruptedException {
    SiteLimits limits = new SiteLimits(1_000_000_000, Duration.ZERO, 1_000, SiteLimits.UNLIMITED);
    Map<TreeSite, SiteId> ids = FakeWebSites.add(fleet.sites(), server, web, limits);
    for (int i = 0; i < workers; i++) {
      fleet.startWorker();
    }
    for (WorkerProcess worker : fleet.workers()) {
      worker.awaitReady();
    }
    ProcessUsage self = ProcessUsage.watch(ProcessHandle.current());
    Duration selfBefore = self.cpuTime().orElse(Duration.ZERO);
    Duration redisBefore = fleet.redis().cpuTime().orElse(Duration.ZERO);
    Duration dynamoBefore = fleet.dynamo().cpuTime().orElse(Duration.ZERO);
    long start = System.nanoTime();
    fleet.seed(Instant.now(), ids.values());
    try (Progress progress = new Progress("bench", System::nanoTime, () -> "")) {
      new CrawlWatch(fleet, Set.copyOf(ids.values()), sites, false, progress::show).awaitEnd();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    List<Usage> usages = new ArrayList<>();
    for (WorkerProcess worker : fleet.workers()) {
      usages.add(usage(worker.id(), worker.process(), Duration.ZERO));
    }
    usages.add(Usage.of("SQS server, fake web and this command", self, selfBefore));
    usages.add(usage("DynamoDB server", fleet.dynamo(), dynamoBefore));
    usages.add(usage("Redis", fleet.redis(), redisBefore));
    fleet.stopWorkers();
    return report(fleet, took, usages, raw);
  }

  private static Usage usage(String name, ChildProcess process, Duration before) {
    return new Usage(
        name,
        process.cpuTime().orElse(Duration.ZERO).minus(before),
        process.peakRssBytes().orElse(0));
  }

  private int report(LocalFleet fleet, Duration took, List<Usage> usages, RawCrawl.Result raw) {
    long settled = fleet.totals().settled();
    double perSecond = settled * 1e9 / took.toNanos();
    TextTable table = new TextTable("process", "CPU", "CPU per page", "peak memory");
    for (Usage usage : usages) {
      table.row(
          usage.name(),
          decimal(usage.cpu().toMillis() / 1_000.0, 1) + " s",
          decimal(usage.cpu().toNanos() / 1e6 / pages, 2) + " ms",
          usage.peakRssBytes() / (1 << 20) + " MiB");
    }
    double workerCpu =
        usages.subList(0, workers).stream().mapToDouble(each -> each.cpu().toNanos() / 1e6).sum()
            / pages;
    long peakRss =
        usages.subList(0, workers).stream().mapToLong(Usage::peakRssBytes).max().orElse(0)
            / (1 << 20);
    DemoReport.FleetFigures figures =
        DemoReport.FleetFigures.of(fleet.totals(), (int) Math.max(1, settled));
    System.out.print(table);
    System.out.println();
    System.out.print(
        new TextTable("overall", "fleet", "raw limit")
            .row("pages", settled, raw.pages())
            .row("took", seconds(took), seconds(raw.took()))
            .row("pages per second", decimal(perSecond, 0), decimal(raw.pagesPerSecond(), 0))
            .row(
                "worker CPU per page",
                decimal(workerCpu, 2) + " ms",
                decimal(raw.cpuMillisPerPage(), 2) + " ms")
            .row("SQS requests per page", decimal(figures.sqsRequests(), 2), "")
            .row("receives per page", decimal(figures.receives(), 2), "")
            .row("DynamoDB units per page", decimal(figures.dynamoUnits(), 2), ""));
    ObjectNode node = JsonFile.object();
    node.put("pages", settled);
    node.put("pagesPerSecond", perSecond);
    node.put("rawPagesPerSecond", raw.pagesPerSecond());
    node.put("workerCpuMillisPerPage", workerCpu);
    node.put("rawCpuMillisPerPage", raw.cpuMillisPerPage());
    node.put("peakWorkerRssMiB", peakRss);
    node.put("sqsRequestsPerPage", figures.sqsRequests());
    node.put("receivesPerPage", figures.receives());
    node.put("dynamoUnitsPerPage", figures.dynamoUnits());
    Optional.ofNullable(json).ifPresent(file -> JsonFile.write(file, node));
    return settled >= pages ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  private static String seconds(Duration duration) {
    return decimal(duration.toMillis() / 1_000.0, 1) + " s";
  }

  private static String decimal(double value, int places) {
    return String.format(Locale.ROOT, "%." + places + "f", value);
  }
}
