package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.queue.Requeue;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Sends the unfinished pages of sites again. */
@Command(
    name = "requeue",
    mixinStandardHelpOptions = true,
    description =
        "Sends the unfinished pages of a site's newest crawl again, for queues that were purged or lost. Nothing is fetched twice: earlier tasks of these pages become stale.",
    footer = {
      "",
      "Pages that failed for good are asked for again by the next crawl: fairfleet seed --site ID.",
      "Example: fairfleet requeue --site books --site toys"
    })
final class RequeueCommand implements Callable<Integer> {
  @Mixin private FleetOptions options = new FleetOptions();

  @Option(
      names = "--site",
      paramLabel = "ID",
      required = true,
      description = "Whose pages; may be given again.")
  private List<String> sites = List.of();

  @Option(names = "--dry-run", description = "Count what is unfinished, and send nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (FleetAccess fleet = options.open()) {
      List<SiteStatus> statuses = sites.stream().map(id -> NamedSite.of(fleet, id)).toList();
      statuses.forEach(RequeueCommand::requireGoingOn);
      TextTable table = new TextTable("SITE", "CRAWL", dryRun ? "UNFINISHED" : "SENT");
      ArrayNode array = JsonFile.array();
      for (SiteStatus status : statuses) {
        CrawlId crawl = status.crawl().orElseThrow();
        long count =
            dryRun
                ? unfinished(fleet, status, crawl)
                : new Requeue(fleet.sites(), fleet.frontier(), fleet.queue())
                    .unfinished(status.site().id(), crawl);
        table.row(status.site().id(), crawl, count);
        array
            .addObject()
            .put("site", status.site().id().value())
            .put("crawl", crawl.value())
            .put(dryRun ? "unfinished" : "sent", count);
      }
      spec.commandLine().getOut().print(json ? array.toPrettyString() + "\n" : table);
      spec.commandLine().getOut().flush();
      return Fairfleet.DONE;
    }
  }

  private static long unfinished(FleetAccess fleet, SiteStatus status, CrawlId crawl) {
    long[] unfinished = new long[1];
    fleet
        .frontier()
        .forEachPage(
            status.site().id(),
            page -> {
              if (page.crawl().equals(crawl) && !page.state().isFinal()) {
                unfinished[0]++;
              }
            });
    return unfinished[0];
  }

  private static void requireGoingOn(SiteStatus status) {
    String id = status.site().id().value();
    if (status.state() == SiteState.STOPPED) {
      throw new UsageException(
          "Site %s is stopped (%s), so that workers let go of its pages. fairfleet sites resume %s sends them again. Nothing was sent."
              .formatted(id, status.reason(), id));
    }
    Optional<CrawlEnd> end = status.run().flatMap(CrawlRun::end);
    if (status.run().isEmpty() || end.isPresent()) {
      throw new UsageException(
          "No crawl of site %s goes on%s. fairfleet seed --site %s starts one. Nothing was sent."
              .formatted(
                  id,
                  end.map(last -> "; the last ended " + FleetStatus.text(last.at())).orElse(""),
                  id));
    }
  }
}
