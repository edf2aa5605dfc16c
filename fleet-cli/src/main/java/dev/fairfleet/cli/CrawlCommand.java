package dev.fairfleet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteStatus;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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

  @Option(
      names = "--contact",
      description =
          "URL or mail address under which the owners of the sites reach you. Needed for anything that is not on this machine.")
  private String contact = "";

  @Option(
      names = "--user-agent",
      description = "Name by which robots.txt addresses this crawler. Default: ${DEFAULT-VALUE}")
  private String userAgent = "fairfleet";

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "Requests per hour and site. Default: ${DEFAULT-VALUE}")
  private int requestsPerHour = SiteLimits.POLITE.requestsPerHour();

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description =
          "Least time between two requests to a host, such as 500ms or 2s. Default: ${DEFAULT-VALUE}")
  private String delay = "1s";

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "Deepest page, counted in links from a root. Default: ${DEFAULT-VALUE}")
  private int maxDepth = SiteLimits.POLITE.maxDepth();

  @Option(
      names = "--pages",
      paramLabel = "N",
      description = "Most pages of a site. Default: no limit")
  private int maxPages = SiteLimits.UNLIMITED;

  @Option(names = "--workers", description = "Worker processes. Default: ${DEFAULT-VALUE}")
  private int workers = 1;

  @Option(
      names = "--slots",
      description = "Pages that a worker has in hand at once. Default: ${DEFAULT-VALUE}")
  private int slots = 16;

  @Option(
      names = "--per-server",
      paramLabel = "N",
      description =
          "Pages of one host that a worker has in hand at once. Default: ${DEFAULT-VALUE}")
  private int perServer = 2;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Where everything lives between runs. Default: ${DEFAULT-VALUE}")
  private Path dataDir = Path.of(".fairfleet");

  @Option(
      names = "--again",
      description = "Crawl sites anew that an earlier run has finished. Their records stay.")
  private boolean again;

  private static final int UNHURRIED = 100_000;
  private static final JsonMapper JSON = new JsonMapper();

  @Override
  public Integer call() throws InterruptedException {
    List<Site> sites = sites();
    boolean local = requireContact(sites);
    Optional.ofNullable(out).ifPresent(JsonFile::requireWritable);
    try (DataDir dir = DataDir.open(dataDir);
        LocalFleet fleet = LocalFleet.start(dir, settings(local))) {
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
    SiteLimits limits;
    try {
      limits = new SiteLimits(requestsPerHour, SitesFile.duration(delay), maxDepth, maxPages);
    } catch (IllegalArgumentException e) {
      throw new UsageException("These limits cannot be kept: " + e.getMessage(), e);
    }
    if (workers < 1 || slots < 1 || perServer < 1) {
      throw new UsageException(
          "A crawl needs at least one worker, one slot, and one page per server.");
    }
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

  /** Returns whether all sites are on this machine. */
  private boolean requireContact(List<Site> sites) {
    List<SiteId> here = sites.stream().filter(LoopbackHosts::holds).map(Site::id).toList();
    if (here.size() == sites.size()) {
      return true;
    }
    if (!here.isEmpty()) {
      throw new UsageException(
          "Sites on this machine "
              + here
              + " cannot be crawled together with sites elsewhere, because pages from elsewhere must not lead to this machine. Crawl them apart.");
    }
    if (contact.isBlank()) {
      throw new UsageException(
          "Who crawls other people's servers says who he is: add --contact with a URL or mail address under which their owners reach you.");
    }
    return false;
  }

  private Map<String, String> settings(boolean local) {
    Map<String, String> settings = new HashMap<>();
    settings.put("FAIRFLEET_FETCH_ALLOWLOOPBACK", Boolean.toString(local));
    settings.put("FAIRFLEET_FETCH_CONTACT", contact);
    settings.put("FAIRFLEET_FETCH_USERAGENT", userAgent);
    settings.put("FAIRFLEET_WORKER_SLOTS", Integer.toString(slots));
    settings.put("FAIRFLEET_WORKER_PERSERVER", Integer.toString(perServer));
    if (requestsPerHour > UNHURRIED) {
      // Who allows a page every few milliseconds does not want tasks parked for seconds.
      settings.put("FAIRFLEET_SCHEDULING_PARKSHORTEST", "1s");
      settings.put("FAIRFLEET_SCHEDULING_PARKLONGEST", "2s");
    }
    // Nobody's millions of pages stand in the way of others here: minutes of delay become seconds.
    settings.put("FAIRFLEET_SCHEDULING_DELAYSCALE", "0.01");
    return settings;
  }

  private int crawl(LocalFleet fleet, List<Site> sites) throws InterruptedException {
    Set<SiteId> ids = new LinkedHashSet<>();
    Set<SiteId> toSeed = new LinkedHashSet<>();
    Set<SiteId> finished = new LinkedHashSet<>();
    for (Site site : sites) {
      ids.add(site.id());
      Optional<SiteStatus> before = fleet.sites().find(site.id());
      fleet.sites().put(site);
      if (before.isEmpty() || !before.get().started()) {
        toSeed.add(site.id());
      } else if (fleet.unfinished(site.id()).isEmpty()) {
        (again ? toSeed : finished).add(site.id());
      }
    }
    if (!finished.isEmpty()) {
      System.err.println(
          "fairfleet: finished by an earlier run, and left as they are (--again crawls them anew): "
              + finished);
    }
    ids.removeAll(finished);
    if (!ids.isEmpty()) {
      work(fleet, ids, toSeed);
    }
    ids.addAll(finished);
    return report(fleet, ids);
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
    for (int i = 0; i < workers; i++) {
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
    try (RecordWriter writer = RecordWriter.open(Optional.ofNullable(out))) {
      for (SiteId id : ids) {
        Map<PageState, Integer> states = states(fleet, id);
        int[] records = new int[1];
        fleet
            .records()
            .forEach(
                id,
                stored -> {
                  writer.write(stored);
                  records[0]++;
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

  /** Records as JSON lines, in a file that appears whole or not at all, or on standard output. */
  private static final class RecordWriter implements AutoCloseable {
    private final Optional<Path> file;
    private final Writer writer;

    private RecordWriter(Optional<Path> file, Writer writer) {
      this.file = file;
      this.writer = writer;
    }

    static RecordWriter open(Optional<Path> file) {
      try {
        return new RecordWriter(
            file,
            file.isPresent()
                ? Files.newBufferedWriter(part(file.get()))
                : new BufferedWriter(new OutputStreamWriter(System.out, StandardCharsets.UTF_8)));
      } catch (IOException e) {
        throw JsonFile.cannotWrite(file.orElseThrow(), e);
      }
    }

    private static Path part(Path file) {
      return file.resolveSibling(file.getFileName() + ".part");
    }

    void write(StoredRecord stored) {
      ObjectNode line = JSON.createObjectNode();
      line.put("site", stored.record().site().value());
      line.put("key", stored.record().naturalKey());
      line.put("url", stored.record().url().toString());
      ObjectNode fields = line.putObject("fields");
      stored.record().fields().forEach(fields::put);
      line.put("firstSeen", stored.firstSeen().toString());
      line.put("lastChanged", stored.lastChanged().toString());
      try {
        writer.write(JSON.writeValueAsString(line));
        writer.write('\n');
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("A record cannot be written as JSON", e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void finish() {
      try {
        writer.flush();
        if (file.isPresent()) {
          writer.close();
          Files.move(part(file.get()), file.get(), StandardCopyOption.REPLACE_EXISTING);
        }
      } catch (IOException e) {
        throw JsonFile.cannotWrite(file.orElse(Path.of("standard output")), e);
      }
    }

    @Override
    public void close() {
      try {
        writer.flush();
      } catch (IOException e) {
        // Closed by finish, or reported by it.
        return;
      }
    }
  }
}
