package dev.fairfleet.cli;

import dev.fairfleet.frontier.PageState;
import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Crawls sites that the user names, and writes their records as JSON lines. */
@Command(
    name = "crawl",
    mixinStandardHelpOptions = true,
    description =
        "Crawls sites and writes their records as JSON lines. A second run continues where the first stopped.",
    footer = {
      "",
      "Example: fairfleet crawl https://books.example/ --contact you@example.org --out books.jsonl",
      "Example: fairfleet crawl --sites sites.yaml --contact https://example.org/bot --out all.jsonl"
    })
final class CrawlCommand implements Callable<Integer> {
  @Parameters(paramLabel = "URL", description = "Roots; one site per root.")
  private List<String> roots = new ArrayList<>();

  @Option(
      names = "--sites",
      paramLabel = "FILE.yaml",
      description = "A file of sites: roots, hosts, limits and extraction rules.")
  private @Nullable Path sitesFile;

  @Option(
      names = "--out",
      paramLabel = "FILE.jsonl",
      description = "Where the records go. Default: standard output.")
  private @Nullable Path out;

  @Mixin private CrawlOptions options = new CrawlOptions();

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where everything lives between runs. Default: ${DEFAULT-VALUE}")
  private Path dataDir = Path.of(".fairfleet");

  @Option(
      names = "--again",
      description = "Crawl sites anew that an earlier run has finished. Their records stay.")
  private boolean again;

  @Override
  public Integer call() throws InterruptedException {
    List<Site> sites = sites();
    boolean local = options.requireContact(sites);
    Optional.ofNullable(out).ifPresent(JsonFile::requireWritable);
    try (DataDir dir = DataDir.open(dataDir);
        LocalFleet fleet = LocalFleet.start(dir, options.settings(local))) {
      Thread hook = Shutdown.add(() -> stop(fleet));
      try {
        return crawl(fleet, sites);
      } finally {
        Shutdown.remove(hook);
      }
    }
  }

  private static void stop(LocalFleet fleet) {
    System.err.println("fairfleet: stopping; the same command continues where this run ends.");
    fleet.close();
  }

  private List<Site> sites() {
    SiteLimits limits = options.limits();
    if (sitesFile != null) {
      if (!roots.isEmpty()) {
        throw new UsageException("Name roots or a file of sites, not both.");
      }
      return SitesFile.read(sitesFile, limits);
    }
    if (roots.isEmpty()) {
      throw new UsageException(
          "Name what to crawl: URLs, or --sites FILE.yaml. See fairfleet crawl --help.");
    }
    return SitesFile.ofRoots(roots, limits);
  }

  private int crawl(LocalFleet fleet, List<Site> sites) throws InterruptedException {
    Set<SiteId> ids = new LinkedHashSet<>();
    Set<SiteId> toSeed = new LinkedHashSet<>();
    Set<SiteId> finished = new LinkedHashSet<>();
    Set<SiteId> stopped = new LinkedHashSet<>();
    for (Site site : sites) {
      ids.add(site.id());
      Optional<SiteStatus> before = fleet.sites().find(site.id());
      fleet.sites().put(site);
      if (before.filter(it -> it.state() == SiteState.STOPPED).isPresent()) {
        stopped.add(site.id());
        warnOfStopped(before.get());
      } else if (before.isEmpty() || !before.get().started()) {
        toSeed.add(site.id());
      } else if (before.get().run().flatMap(CrawlRun::end).isPresent()) {
        (again ? toSeed : finished).add(site.id());
      }
    }
    if (!finished.isEmpty()) {
      System.err.println(
          "fairfleet: finished by an earlier run, and left as they are (--again crawls them anew): "
              + finished);
    }
    ids.removeAll(finished);
    ids.removeAll(stopped);
    if (!ids.isEmpty()) {
      work(fleet, ids, toSeed);
    }
    fleet.sites().all().stream()
        .filter(it -> ids.contains(it.site().id()) && it.state() == SiteState.STOPPED)
        .forEach(CrawlCommand::warnOfStopped);
    ids.addAll(finished);
    ids.addAll(stopped);
    return report(fleet, ids);
  }

  private static void warnOfStopped(SiteStatus site) {
    System.err.println("fairfleet: site " + site.site().id() + " is stopped: " + site.reason());
  }

  private void work(LocalFleet fleet, Set<SiteId> ids, Set<SiteId> toSeed)
      throws InterruptedException {
    Set<SiteId> toContinue = new LinkedHashSet<>(ids);
    toContinue.removeAll(toSeed);
    int continued = fleet.requeueUnfinished(toContinue);
    if (continued > 0) {
      System.err.println("fairfleet: continuing with " + continued + " unfinished pages.");
    }
    if (!toSeed.isEmpty()) {
      fleet.seed(Instant.now(), toSeed);
    }
    for (int i = 0; i < options.workers(); i++) {
      fleet.startWorker();
    }
    int known = continued + toSeed.size();
    try (Progress progress = new Progress("crawl", System::nanoTime, () -> "")) {
      new CrawlWatch(fleet, ids, known, true, progress::show).awaitEnd();
    }
    fleet.stopWorkers();
  }

  private int report(LocalFleet fleet, Set<SiteId> ids) {
    TextTable table =
        new TextTable("site", "pages", "done", "gone", "skipped", "failed", "records");
    boolean anyDone = false;
    try (RecordWriter writer = RecordWriter.open(Optional.ofNullable(out), new JsonLines())) {
      for (SiteId id : ids) {
        Map<PageState, Integer> states = states(fleet, id);
        int[] records = new int[1];
        fleet
            .records()
            .forEach(
                id,
                stored -> {
                  if (stored.tombstone().isEmpty()) {
                    writer.write(stored);
                    records[0]++;
                  }
                });
        anyDone |= states.containsKey(PageState.DONE);
        table.row(
            id,
            states.values().stream().mapToInt(Integer::intValue).sum(),
            states.getOrDefault(PageState.DONE, 0),
            states.getOrDefault(PageState.GONE, 0),
            states.getOrDefault(PageState.SKIPPED, 0),
            states.getOrDefault(PageState.FAILED, 0),
            records[0]);
      }
      writer.finish();
    }
    System.err.print(table);
    return anyDone ? Fairfleet.DONE : Fairfleet.FAILED;
  }

  private static Map<PageState, Integer> states(LocalFleet fleet, SiteId id) {
    Optional<CrawlId> crawl = fleet.sites().find(id).flatMap(SiteStatus::crawl);
    Map<PageState, Integer> states = new EnumMap<>(PageState.class);
    Map<String, Integer> reasons = new TreeMap<>();
    fleet
        .frontier()
        .forEachPage(
            id,
            page -> {
              if (crawl.filter(page.crawl()::equals).isPresent()) {
                states.merge(page.state(), 1, Integer::sum);
                if (page.state() == PageState.FAILED && reasons.size() < 5) {
                  reasons.putIfAbsent(page.url() + ": " + page.reason(), 1);
                }
              }
            });
    reasons.keySet().forEach(reason -> System.err.println("failed " + reason));
    return states;
  }
}
