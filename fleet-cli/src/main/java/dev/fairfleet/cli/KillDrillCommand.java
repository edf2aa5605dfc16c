package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.WorkerProcess;
import dev.fairfleet.local.web.Shop;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The kill test: a shop of 25 list pages and 500 products is crawled by workers that are killed by
 * SIGKILL at random moments, and then left to finish.
 */
@Command(
    name = "kill",
    mixinStandardHelpOptions = true,
    description =
        "Kills workers by SIGKILL while they crawl a shop of 500 products, lets them finish, and compares every record with its page.",
    footer = {"", "Example: fairfleet drill kill --kills 10 --runs 5 --workers 3"})
final class KillDrillCommand implements Callable<Integer> {
  @Option(names = "--kills", description = "Kills in each run. Default: ${DEFAULT-VALUE}")
  private int kills = 10;

  @Option(names = "--runs", description = "Runs, each from nothing. Default: ${DEFAULT-VALUE}")
  private int runs = 5;

  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 1;

  @Option(
      names = "--slots",
      description =
          "Pages that a worker has in hand at once; a kill may cost as many repeated requests. Default: ${DEFAULT-VALUE}")
  private int slots = 1;

  @Option(
      names = "--seed",
      description = "Seed of the shop and of the moments. Default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  private static final Duration LATENCY = Duration.ofMillis(15);
  private static final int SOONEST_MILLIS = 200;
  private static final int LATEST_MILLIS = 1_000;
  // Long enough for a page, short enough that a killed worker's task comes back while one watches.
  private static final String VISIBILITY = "4s";

  /** What one run showed. */
  private record Run(
      int number,
      int kills,
      int records,
      int requests,
      int repeats,
      int repeatsAllowed,
      Duration took,
      List<String> faults) {
    boolean ok() {
      return faults.isEmpty();
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    if (kills < 0 || runs < 1 || workers < 1 || slots < 1) {
      throw new UsageException(
          "A drill needs no negative number of kills, and at least one run, worker and slot.");
    }
    Optional.ofNullable(json).ifPresent(JsonFile::requireWritable);
    List<Run> done = new ArrayList<>();
    for (int i = 1; i <= runs; i++) {
      done.add(run(i));
    }
    TextTable table =
        new TextTable(
            "run", "kills", "records", "requests", "repeats", "allowed", "took", "every value");
    for (Run run : done) {
      table.row(
          run.number(),
          run.kills(),
          run.records(),
          run.requests(),
          run.repeats(),
          run.repeatsAllowed(),
          run.took().toSeconds() + " s",
          run.ok() ? "equals its page" : "WRONG");
    }
    System.out.print(table);
    done.forEach(run -> run.faults().forEach(fault -> System.out.println("WRONG: " + fault)));
    Optional.ofNullable(json).ifPresent(file -> JsonFile.write(file, json(done)));
    return done.stream().allMatch(Run::ok) ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  private Run run(int number) throws InterruptedException {
    Shop shop = Shop.of(seed + number);
    RandomGenerator random = new Random(seed * 31 + number);
    try (TemporaryDir folder = TemporaryDir.create("drill");
        DataDir dir = DataDir.open(folder.path());
        WebServer server =
            WebServer.start(List.of(shop), WebOptions.defaults().withLatency(LATENCY));
        LocalFleet fleet = LocalFleet.start(dir, settings())) {
      Thread hook = Shutdown.add(fleet::close);
      try {
        return crawl(number, shop, random, server, fleet);
      } finally {
        Shutdown.remove(hook);
      }
    }
  }

  private Map<String, String> settings() {
    return Map.of(
        "FAIRFLEET_FETCH_ALLOWLOOPBACK", "true",
        "FAIRFLEET_WORKER_SLOTS", Integer.toString(slots),
        "FAIRFLEET_WORKER_PERSERVER", Integer.toString(slots),
        "FAIRFLEET_SCHEDULING_DELAYSCALE", "0",
        "FAIRFLEET_SCHEDULING_PARKSHORTEST", "1s",
        "FAIRFLEET_SCHEDULING_PARKLONGEST", "2s",
        "FAIRFLEET_LEASE_VISIBILITY", VISIBILITY);
  }

  private Run crawl(
      int number, Shop shop, RandomGenerator random, WebServer server, LocalFleet fleet)
      throws InterruptedException {
    SiteLimits limits = new SiteLimits(1_000_000, Duration.ZERO, 100, SiteLimits.UNLIMITED);
    SiteId id = FakeWebSites.add(fleet.sites(), server, List.of(shop), limits).get(shop);
    if (id == null) {
      throw new IllegalStateException("The shop was not added");
    }
    List<WorkerProcess> running = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      running.add(fleet.startWorker());
    }
    for (WorkerProcess worker : running) {
      worker.awaitReady();
    }
    long start = System.nanoTime();
    fleet.seed(Instant.now(), List.of(id));
    int killed = 0;
    String title = "run " + number + ", " + kills + " kills";
    CrawlWatch watch;
    try (Progress progress = new Progress(title, System::nanoTime, () -> "")) {
      watch = new CrawlWatch(fleet, Set.of(id), 1, false, progress::show);
      for (; killed < kills; killed++) {
        // A worker works for a random time, counted from when it was ready, and dies.
        Thread.sleep(random.nextInt(SOONEST_MILLIS, LATEST_MILLIS));
        int victim = random.nextInt(running.size());
        running.get(victim).kill();
        running.set(victim, fleet.startWorker());
        running.get(victim).awaitReady();
      }
      watch.awaitEnd();
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    fleet.stopWorkers();

    Verdict verdict = Verdict.of(fleet, id, shop);
    List<String> faults = new ArrayList<>();
    verdict.faults().forEach(fault -> faults.add("run " + number + ": " + fault));
    int allowed = killed * slots;
    int repeats = server.log().repeatedRequests();
    if (repeats > allowed) {
      faults.add(
          "run "
              + number
              + ": "
              + repeats
              + " repeated requests, but at most "
              + allowed
              + " pages were in hand at the kills: "
              + server.log().repeats(shop.host()));
    }
    return new Run(
        number,
        killed,
        verdict.records(),
        server.log().requests(shop.host()),
        repeats,
        allowed,
        took,
        faults);
  }

  private static ObjectNode json(List<Run> done) {
    ObjectNode json = JsonFile.object();
    json.put("ok", done.stream().allMatch(Run::ok));
    ArrayNode array = json.putArray("runs");
    for (Run run : done) {
      ObjectNode node = array.addObject();
      node.put("run", run.number());
      node.put("ok", run.ok());
      node.put("kills", run.kills());
      node.put("records", run.records());
      node.put("requests", run.requests());
      node.put("repeats", run.repeats());
      node.put("repeatsAllowed", run.repeatsAllowed());
      node.put("seconds", run.took().toMillis() / 1_000.0);
      ArrayNode faults = node.putArray("faults");
      run.faults().forEach(faults::add);
    }
    return json;
  }
}
