package dev.fairfleet.cli;

import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.WorkerProcess;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import software.amazon.awssdk.core.exception.SdkException;

/** A local fleet that stays, and crawls each of its sites whenever that is due. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description =
        "Runs a local fleet that crawls its sites whenever they are due, until it is told to stop. Other commands with the same --data-dir look into it, and change it, meanwhile.",
    footer = {
      "",
      "Ctrl-C or SIGTERM ends it in order; the next run continues.",
      "Example: fairfleet run --sites sites.yaml --contact https://example.org/bot --workers 2",
      "Then, elsewhere: fairfleet status --watch"
    })
final class RunCommand implements Callable<Integer> {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration BETWEEN_RESTARTS = Duration.ofSeconds(5);
  private static final Duration LINE_EVERY = Duration.ofSeconds(30);
  private static final Duration STOP = Duration.ofSeconds(30);

  @Option(
      names = "--sites",
      paramLabel = "FILE.yaml",
      description = "Sites to add, or to replace, before it starts.")
  private @Nullable Path sitesFile;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where everything lives between runs. Default: ${DEFAULT-VALUE}")
  private Path dataDir = Path.of(".fairfleet");

  @Option(
      names = "--seed-every",
      paramLabel = "TIME",
      description = "How often to look for sites that are due. Default: ${DEFAULT-VALUE}")
  private String seedEvery = "1m";

  @Mixin private CrawlOptions options = new CrawlOptions();

  private final Set<SiteId> warnedOf = new HashSet<>();

  @Override
  public Integer call() throws InterruptedException {
    Duration every = every();
    List<Site> named = sitesFile == null ? List.of() : SitesFile.read(sitesFile, options.limits());
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Thread hook = Shutdown.add(() -> end(stop, stopped));
    try (DataDir dir = DataDir.open(dataDir);
        LocalFleet fleet = LocalFleet.start(dir, Map.of())) {
      named.forEach(fleet.sites()::put);
      boolean local = areHere(active(fleet));
      run(fleet, options.settings(local), local, every, stop);
    } finally {
      stopped.countDown();
      Shutdown.remove(hook);
    }
    return Fairfleet.DONE;
  }

  private Duration every() {
    try {
      Duration every = SitesFile.duration(seedEvery);
      if (every.compareTo(TICK) >= 0) {
        return every;
      }
      throw new UsageException("--seed-every is at least 1s, not " + seedEvery + ".");
    } catch (IllegalArgumentException e) {
      throw new UsageException("--seed-every: " + e.getMessage() + ".", e);
    }
  }

  /** Has the main thread close everything in order, and waits for that. */
  private static void end(CountDownLatch stop, CountDownLatch stopped) {
    stop.countDown();
    try {
      if (!stopped.await(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println(
            "fairfleet: not stopped within " + STOP.toSeconds() + " s; the next run continues.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static List<Site> active(LocalFleet fleet) {
    List<Site> active = new ArrayList<>();
    fleet
        .sites()
        .forEach(
            status -> {
              if (status.state() == SiteState.ACTIVE) {
                active.add(status.site());
              }
            });
    return active;
  }

  private boolean areHere(List<Site> sites) {
    return sites.isEmpty() ? !options.hasContact() : options.requireContact(sites);
  }

  private void run(
      LocalFleet fleet,
      Map<String, String> settings,
      boolean local,
      Duration every,
      CountDownLatch stop)
      throws InterruptedException {
    int continued = fleet.requeueUnfinished(goingOn(fleet));
    if (continued > 0) {
      System.err.println("fairfleet: continuing; sent " + continued + " tasks again.");
    }
    for (int i = 0; i < options.workers(); i++) {
      fleet.startWorker(settings);
    }
    System.err.println(
        "fairfleet: running on " + dataDir + "; see fairfleet status. Ctrl-C ends it in order.");
    long startedAt = System.nanoTime();
    long seededAt = startedAt - every.toNanos();
    long linedAt = startedAt;
    long restartedAt = startedAt;
    do {
      long now = System.nanoTime();
      try {
        if (now - seededAt >= every.toNanos()) {
          seededAt = now;
          seedDue(fleet, local, Instant.now().truncatedTo(ChronoUnit.SECONDS));
        }
        if (now - restartedAt >= BETWEEN_RESTARTS.toNanos() && restart(fleet, settings)) {
          restartedAt = now;
        }
        if (now - linedAt >= LINE_EVERY.toNanos()) {
          linedAt = now;
          printLine(fleet);
        }
      } catch (SdkException e) {
        // The workers go on or wait, and so does this.
        System.err.println("fairfleet: " + ServiceTrouble.explain(e));
      }
    } while (!stop.await(TICK.toMillis(), TimeUnit.MILLISECONDS));
    System.err.println("fairfleet: stopping; the next run continues where this one ends.");
  }

  private static List<SiteId> goingOn(LocalFleet fleet) {
    List<SiteId> goingOn = new ArrayList<>();
    fleet
        .sites()
        .forEach(
            status -> {
              if (goesOn(status)) {
                goingOn.add(status.site().id());
              }
            });
    return goingOn;
  }

  private static boolean goesOn(SiteStatus status) {
    return status.state() == SiteState.ACTIVE
        && status.started()
        && status.run().flatMap(CrawlRun::end).isEmpty();
  }

  private void seedDue(LocalFleet fleet, boolean local, Instant now) {
    Map<Instant, List<SiteId>> due = new TreeMap<>();
    fleet
        .sites()
        .forEach(
            status ->
                scheduled(status, now)
                    .filter(time -> mayCrawl(status.site(), local))
                    .ifPresent(
                        time ->
                            due.computeIfAbsent(time, t -> new ArrayList<>())
                                .add(status.site().id())));
    due.forEach(
        (time, sites) -> {
          try {
            System.err.println("fairfleet: starting crawls of " + shown(sites) + ".");
            fleet.seed(time, sites);
          } catch (IllegalStateException e) {
            System.err.println("fairfleet: " + e.getMessage() + " It is tried again.");
          }
        });
  }

  /**
   * Returns for when a crawl is to be started now; one that was taken up, but not started, first.
   */
  static Optional<Instant> scheduled(SiteStatus status, Instant now) {
    if (status.state() == SiteState.ACTIVE && status.run().isPresent() && !status.started()) {
      return status.run().map(run -> run.id().scheduledTime());
    }
    return status.site().recrawl().isDue(status, now) ? Optional.of(now) : Optional.empty();
  }

  private boolean mayCrawl(Site site, boolean local) {
    boolean may = LoopbackHosts.holds(site) == local;
    if (!may && warnedOf.add(site.id())) {
      System.err.println(
          "fairfleet: site "
              + site.id()
              + (local
                  ? " is not on this machine, as those are for which this fleet was started, and is not crawled. Start the fleet again with --contact and without the others."
                  : " is on this machine, to which pages from elsewhere must not lead, and is not crawled. Give it a fleet of its own."));
    }
    return may;
  }

  private static String shown(List<SiteId> sites) {
    return sites.size() <= 3 ? sites.toString() : sites.size() + " sites";
  }

  private boolean restart(LocalFleet fleet, Map<String, String> settings) {
    List<WorkerProcess> workers = fleet.workers();
    long alive = workers.stream().filter(worker -> worker.process().isAlive()).count();
    if (alive >= options.workers()) {
      return false;
    }
    WorkerProcess dead =
        workers.stream()
            .filter(worker -> !worker.process().isAlive())
            .reduce((former, latter) -> latter)
            .orElseThrow();
    WorkerProcess started = fleet.startWorker(settings);
    System.err.printf(
        "fairfleet: %s ended with exit value %d, and %s takes its place. The end of its log:%n%s%n",
        dead.id(), dead.process().exitValue().orElse(-1), started.id(), dead.process().logTail(5));
    return true;
  }

  private static void printLine(LocalFleet fleet) {
    QueueDepth depth = fleet.queue().depth();
    long alive = fleet.workers().stream().filter(worker -> worker.process().isAlive()).count();
    System.err.printf(
        Locale.ROOT,
        "fairfleet: %d crawls go on; %,d pages settled since the start; queues %,d visible, %,d in flight, %,d delayed; %d workers%n",
        goingOn(fleet).size(),
        fleet.totals().settled(),
        depth.visible(),
        depth.inFlight(),
        depth.delayed(),
        alive);
  }
}
