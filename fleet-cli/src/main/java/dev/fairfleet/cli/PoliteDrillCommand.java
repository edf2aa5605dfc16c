package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Several workers on one site with a delay: what the site's server sees. */
@Command(
    name = "polite",
    mixinStandardHelpOptions = true,
    description =
        "Lets several workers crawl one site that has a delay, and shows the gaps between requests as its server saw them.",
    footer = {"", "Example: fairfleet drill polite --workers 2 --delay 1s --pages 60"})
final class PoliteDrillCommand implements Callable<Integer> {
  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 2;

  @Option(names = "--pages", description = "Pages of the site. Default: ${DEFAULT-VALUE}")
  private int pages = 60;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description = "Least time between two requests. Default: ${DEFAULT-VALUE}")
  private String delay = "1s";

  @Option(
      names = "--policy",
      description = "How tasks are scheduled: reserved or classic. Default: ${DEFAULT-VALUE}")
  private String policy = "reserved";

  @Option(names = "--seed", description = "Seed of the site. Default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  private static final int REQUESTS_PER_HOUR = 36_000;

  @Override
  public Integer call() throws InterruptedException {
    if (workers < 1 || pages < 2) {
      throw new UsageException("A drill needs at least one worker, and two pages.");
    }
    Duration least = SitesFile.duration(delay);
    Optional.ofNullable(json).ifPresent(JsonFile::requireWritable);
    TreeSite site = WebPlan.zipf(seed, 1, pages).sites().getFirst();
    try (TemporaryDir folder = TemporaryDir.create("drill");
        DataDir dir = DataDir.open(folder.path());
        WebServer server = WebServer.start(List.of(site), WebOptions.defaults());
        LocalFleet fleet = LocalFleet.start(dir, settings())) {
      Thread hook = Shutdown.add(fleet::close);
      try {
        crawl(fleet, server, site, least);
        return report(server.log(), site, least);
      } finally {
        Shutdown.remove(hook);
      }
    }
  }

  private Map<String, String> settings() {
    return Map.of(
        "FAIRFLEET_FETCH_ALLOWLOOPBACK", "true",
        "FAIRFLEET_SCHEDULING_POLICY", policy,
        "FAIRFLEET_SCHEDULING_DELAYSCALE", "0");
  }

  private void crawl(LocalFleet fleet, WebServer server, TreeSite site, Duration least)
      throws InterruptedException {
    SiteLimits limits = new SiteLimits(REQUESTS_PER_HOUR, least, 100, SiteLimits.UNLIMITED);
    Set<SiteId> ids =
        Set.copyOf(FakeWebSites.add(fleet.sites(), server, List.of(site), limits).values());
    for (int i = 0; i < workers; i++) {
      fleet.startWorker();
    }
    for (WorkerProcess worker : fleet.workers()) {
      worker.awaitReady();
    }
    fleet.seed(Instant.now(), ids);
    try (Progress progress = new Progress("polite", System::nanoTime, () -> "")) {
      new CrawlWatch(fleet, ids, 1, true, progress::show).awaitEnd();
    }
    fleet.stopWorkers();
  }

  private int report(RequestLog log, TreeSite site, Duration least) {
    long[] arrivals = log.arrivals(site.host());
    long[] gaps =
        IntStream.range(1, arrivals.length)
            .mapToLong(i -> arrivals[i] - arrivals[i - 1])
            .sorted()
            .toArray();
    double smallest = gaps[0] / 1e9;
    double median = gaps[gaps.length / 2] / 1e9;
    double expected = least.toMillis() / 1e3;
    long tooShort = Arrays.stream(gaps).filter(gap -> gap < least.toNanos()).count();
    boolean ok = tooShort == 0;
    System.out.print(
        new TextTable("gaps between requests, robots.txt included", "expected", "actual")
            .row("smallest", "≥ " + seconds(expected), seconds(smallest))
            .row("median", "about " + seconds(expected), seconds(median))
            .row("shorter than the delay", 0, tooShort)
            .row("requests", site.pages() + " pages + robots.txt", arrivals.length));
    System.out.println(ok ? "No two requests came too close." : "WRONG: requests came too close.");
    if (json != null) {
      ObjectNode node = JsonFile.object();
      node.put("ok", ok);
      node.put("requests", arrivals.length);
      node.put("delaySeconds", expected);
      node.put("smallestGapSeconds", smallest);
      node.put("medianGapSeconds", median);
      node.put("tooShort", tooShort);
      JsonFile.write(json, node);
    }
    return ok ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.3f s", value);
  }
}
