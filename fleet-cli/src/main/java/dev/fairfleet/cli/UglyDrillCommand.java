package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.WorkerProcess;
import dev.fairfleet.local.web.FakeSite;
import dev.fairfleet.local.web.RequestLog;
import dev.fairfleet.local.web.TreeSite;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebPlan;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.local.web.ugly.UglyHost;
import dev.fairfleet.local.web.ugly.UglySite;
import dev.fairfleet.local.web.ugly.UglyWeb;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Healthy sites alone, and the same beside many ugly hosts: what the ugly ones cost the others. */
@Command(
    name = "ugly",
    mixinStandardHelpOptions = true,
    description =
        "Crawls healthy sites alone, then beside ugly hosts, and shows how much throughput they lose and whether the workers' memory stays flat.",
    footer = {"", "Example: fairfleet drill ugly --ugly 200 --healthy 20 --pages 100"})
final class UglyDrillCommand implements Callable<Integer> {
  @Option(names = "--ugly", description = "Ugly hosts. Default: ${DEFAULT-VALUE}")
  private int ugly = 200;

  @Option(names = "--healthy", description = "Healthy sites. Default: ${DEFAULT-VALUE}")
  private int healthy = 20;

  @Option(names = "--pages", description = "Pages of a healthy site. Default: ${DEFAULT-VALUE}")
  private int pages = 100;

  @Option(
      names = "--hourly-limit",
      description = "Requests per hour and site. Default: ${DEFAULT-VALUE}")
  private int hourlyLimit = 1_800;

  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 2;

  @Option(
      names = "--slots",
      description = "Pages that a worker has in hand at once. Default: ${DEFAULT-VALUE}")
  private int slots = 16;

  @Option(names = "--seed", description = "Seed of the healthy sites. Default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  /** The kinds that are repeated, under numbered names: what costs time, bytes or work. */
  static final List<String> KINDS =
      List.of(
          "slow-headers",
          "slow-body",
          "drip",
          "silent",
          "endless",
          "endless-audio",
          "huge",
          "gzip-bomb",
          "reset",
          "garbage",
          "error-500",
          "throttle-429-seconds",
          "throttle-503",
          "robots-503",
          "robots-silent",
          "robots-bomb",
          "redirect-loop",
          "trap-segments",
          "trap-calendar",
          "links-huge-count",
          "deep-nesting",
          "long-attribute",
          "unclosed-comment",
          "sitemap-bomb",
          "headers-huge");

  private static final double MOST_LOSS = 0.05;
  private static final double MOST_GROWTH = 0.05;
  private static final Duration LATENCY = Duration.ofMillis(20);
  private static final Duration TICK = Duration.ofMillis(250);
  private static final Duration SAMPLE_EVERY = Duration.ofSeconds(1);
  private static final Duration MOST = Duration.ofMinutes(10);
  private static final int PAGE_BYTES = 15_000;
  private static final long MIB = 1L << 20;

  /**
   * What one run showed.
   *
   * @param perSecond healthy pages per second, from the workers' start to the last healthy page's
   *     request
   * @param mostSeconds from the workers' start to the request for the last of 95 % of them
   * @param uglyRequests requests that the ugly hosts got meanwhile
   * @param peaks the most memory of a worker that was ever resident, in bytes, every second
   */
  private record Run(
      int healthyPages,
      double seconds,
      double mostSeconds,
      double perSecond,
      int uglyRequests,
      List<Long> peaks) {
    long peak() {
      return peaks.isEmpty() ? 0 : peaks.getLast();
    }

    /** Returns by which share the peak grew in the second half of the run. */
    double growth() {
      return peaks.isEmpty() ? 0 : (double) peak() / peaks.get(peaks.size() / 2) - 1;
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    if (ugly < 1 || healthy < 1 || pages < 1 || workers < 1 || slots < 1 || hourlyLimit < 1) {
      throw new UsageException(
          "A drill needs at least one ugly host, one healthy site, page, worker and slot, and one request an hour.");
    }
    Optional.ofNullable(json).ifPresent(JsonFile::requireWritable);
    Run alone = run("alone", List.of());
    Run beside = run("beside", uglySites());
    double loss = Math.max(0, 1 - beside.perSecond() / alone.perSecond());
    boolean ok = loss < MOST_LOSS && beside.growth() < MOST_GROWTH;
    print(alone, beside, loss);
    System.out.println(
        ok
            ? "The healthy sites are unharmed, and the memory is flat."
            : "WRONG: an aim was missed.");
    Optional.ofNullable(json)
        .ifPresent(file -> JsonFile.write(file, json(alone, beside, loss, ok)));
    return ok ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  private List<UglySite> uglySites() {
    Map<String, UglyHost> byName =
        UglyWeb.hosts().stream().collect(Collectors.toMap(UglyHost::name, Function.identity()));
    InstantSource clock = InstantSource.system();
    return IntStream.range(0, ugly)
        .mapToObj(
            i -> {
              String kind = KINDS.get(i % KINDS.size());
              return Optional.ofNullable(byName.get(kind))
                  .orElseThrow()
                  .serve(kind + "-" + (i / KINDS.size() + 1), clock);
            })
        .toList();
  }

  private Run run(String name, List<UglySite> uglySites) throws InterruptedException {
    List<TreeSite> trees =
        new WebPlan(seed, Collections.nCopies(healthy, pages), WebPlan.FAN_OUT, PAGE_BYTES).sites();
    List<FakeSite> web = new ArrayList<>(trees);
    web.addAll(uglySites);
    try (TemporaryDir folder = TemporaryDir.create("drill");
        DataDir dir = DataDir.open(folder.path());
        WebServer server = WebServer.start(web, WebOptions.defaults().withLatency(LATENCY));
        LocalFleet fleet = LocalFleet.start(dir, settings())) {
      Thread hook = Shutdown.add(fleet::close);
      try {
        return crawl(name, fleet, server, trees, uglySites);
      } finally {
        Shutdown.remove(hook);
      }
    }
  }

  private Map<String, String> settings() {
    return Map.of(
        "FAIRFLEET_FETCH_ALLOWLOOPBACK", "true",
        "FAIRFLEET_WORKER_SLOTS", Integer.toString(slots),
        "FAIRFLEET_SCHEDULING_DELAYSCALE", "0");
  }

  private Run crawl(
      String name,
      LocalFleet fleet,
      WebServer server,
      List<TreeSite> trees,
      List<UglySite> uglySites)
      throws InterruptedException {
    SiteLimits limits = new SiteLimits(hourlyLimit, Duration.ZERO, 100, SiteLimits.UNLIMITED);
    List<SiteId> ids =
        new ArrayList<>(FakeWebSites.add(fleet.sites(), server, trees, limits).values());
    ids.addAll(UglyDemo.add(fleet, server.port(), uglySites).keySet());
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
    List<Long> peaks = new ArrayList<>();
    Duration sampled = start;
    int total = healthy * pages;
    try (Progress progress =
        new Progress(name, System::nanoTime, () -> healthyPages(log, trees) + " healthy")) {
      while (healthyPages(log, trees) < total) {
        Thread.sleep(TICK);
        Duration now = log.now();
        if (now.minus(sampled).compareTo(SAMPLE_EVERY) >= 0) {
          sampled = now;
          fleet.workers().stream()
              .mapToLong(worker -> worker.process().peakRssBytes().orElse(0))
              .max()
              .ifPresent(peaks::add);
        }
        if (now.minus(start).compareTo(MOST) > 0) {
          break;
        }
        long settled = fleet.totals().settled();
        progress.show(
            new CrawlWatch.Snapshot(
                settled,
                Math.max(settled, fleet.totals().claimed() + ids.size()),
                fleet.queue().depth()));
      }
    }
    double seconds =
        trees.stream()
            .map(tree -> log.last(tree.host()).orElse(start))
            .max(Duration::compareTo)
            .map(last -> last.minus(start).toMillis() / 1e3)
            .orElse(0.0);
    int done = healthyPages(log, trees);
    int uglyRequests = uglySites.stream().mapToInt(site -> log.requests(site.host())).sum();
    long[] arrivals =
        trees.stream()
            .flatMapToLong(tree -> Arrays.stream(log.arrivalsOfOthers(tree.host(), "/robots.txt")))
            .sorted()
            .toArray();
    double mostSeconds =
        arrivals.length == 0
            ? 0
            : (arrivals[(arrivals.length - 1) * 95 / 100] - start.toNanos()) / 1e9;
    return new Run(done, seconds, mostSeconds, done / seconds, uglyRequests, peaks);
  }

  private static int healthyPages(RequestLog log, List<TreeSite> trees) {
    return trees.stream().mapToInt(tree -> log.pages(tree.host())).sum();
  }

  private void print(Run alone, Run beside, double loss) {
    System.out.print(
        new TextTable("", "alone", "beside " + ugly + " ugly hosts", "aim")
            .row("healthy sites", healthy, healthy, "")
            .row("healthy pages", alone.healthyPages(), beside.healthyPages(), healthy * pages)
            .row(
                "seconds to the last of them",
                number(alone.seconds()),
                number(beside.seconds()),
                "")
            .row(
                "seconds to 95 % of them",
                number(alone.mostSeconds()), number(beside.mostSeconds()), "")
            .row(
                "healthy pages per second",
                number(alone.perSecond()),
                number(beside.perSecond()),
                "")
            .row("lost throughput", "", percent(loss), "< " + percent(MOST_LOSS))
            .row("requests to ugly hosts", 0, beside.uglyRequests(), "")
            .row("largest worker, MiB", alone.peak() / MIB, beside.peak() / MIB, "")
            .row(
                "its growth in the second half",
                percent(alone.growth()),
                percent(beside.growth()),
                "< " + percent(MOST_GROWTH)));
  }

  private static ObjectNode json(Run alone, Run beside, double loss, boolean ok) {
    ObjectNode json = JsonFile.object();
    json.put("ok", ok);
    json.put("loss", loss);
    add(json.putObject("alone"), alone);
    add(json.putObject("beside"), beside);
    return json;
  }

  private static void add(ObjectNode node, Run run) {
    node.put("healthyPages", run.healthyPages());
    node.put("seconds", run.seconds());
    node.put("secondsTo95Percent", run.mostSeconds());
    node.put("pagesPerSecond", run.perSecond());
    node.put("uglyRequests", run.uglyRequests());
    node.put("growth", run.growth());
    ArrayNode peaks = node.putArray("peakRssBytes");
    run.peaks().forEach(peaks::add);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }
}
