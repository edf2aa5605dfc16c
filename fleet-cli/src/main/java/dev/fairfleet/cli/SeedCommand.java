package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.seed.SeedRequest;
import dev.fairfleet.seed.SeedResult;
import dev.fairfleet.seed.Seeder;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.SiteId;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts crawls now, as the scheduled function would. */
@Command(
    name = "seed",
    mixinStandardHelpOptions = true,
    description =
        "Starts crawls now: of the sites that are due, or of those that are named, due or not.",
    footer = {
      "",
      "A crawl that still goes on is given up for the new one; what it has read stays.",
      "Example: fairfleet seed",
      "Example: fairfleet seed --site books --full"
    })
final class SeedCommand implements Callable<Integer> {
  private static final Duration LONGEST = Duration.ofHours(1);

  @Mixin private FleetOptions options = new FleetOptions();

  @Option(names = "--site", paramLabel = "ID", description = "Start this site; may be given again.")
  private List<String> sites = List.of();

  @Option(
      names = "--full",
      description = "Full crawls, also of sites whose ordinary crawls are incremental.")
  private boolean full;

  @Option(names = "--dry-run", description = "Say which sites would be started, and start none.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (FleetAccess fleet = options.open()) {
      Instant now = Instant.now();
      Set<SiteId> asked = new LinkedHashSet<>();
      sites.forEach(id -> asked.add(NamedSite.of(fleet, id).site().id()));
      if (sites.isEmpty()) {
        fleet
            .sites()
            .forEach(
                status ->
                    RunCommand.scheduled(status, now)
                        .ifPresent(time -> asked.add(status.site().id())));
      }
      if (dryRun) {
        return say(asked);
      }
      SeedResult result =
          new Seeder(fleet.sites(), fleet.frontier(), fleet.queue(), InstantSource.system())
              .seed(request(now, asked), now.plus(LONGEST));
      return say(result);
    }
  }

  private SeedRequest request(Instant now, Set<SiteId> asked) {
    Map<String, Object> event = new HashMap<>();
    event.put("scheduledTime", now.toString());
    event.put("sites", asked.stream().map(SiteId::value).toList());
    if (full) {
      event.put("mode", CrawlMode.FULL.name());
    }
    return SeedRequest.parse(event);
  }

  private int say(Set<SiteId> asked) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode node = JsonFile.object();
      asked.forEach(id -> node.withArray("wouldStart").add(id.value()));
      out.println(node.toPrettyString());
    } else {
      asked.forEach(out::println);
      out.println(asked.size() + " would be started");
    }
    out.flush();
    return Fairfleet.DONE;
  }

  private int say(SeedResult result) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode node = JsonFile.object();
      node.put("crawl", result.crawl().value());
      node.put("started", result.started());
      node.put("skipped", result.skipped());
      node.put("left", result.left());
      node.put("failed", result.failed());
      ObjectNode reasons = node.putObject("reasons");
      result.reasons().forEach((site, reason) -> reasons.put(site.value(), reason));
      out.println(node.toPrettyString());
    } else {
      out.printf(
          "crawl %s: %d started, %d skipped, %d left, %d failed%n",
          result.crawl(), result.started(), result.skipped(), result.left(), result.failed());
      result.reasons().forEach((site, reason) -> out.println("  " + site + ": " + reason));
    }
    out.flush();
    return result.isComplete() ? Fairfleet.DONE : Fairfleet.FAILED;
  }
}
