package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about the sites of a fleet, local or on AWS. */
@Command(
    name = "sites",
    mixinStandardHelpOptions = true,
    description = "Adds, lists, changes, stops, resumes and removes the sites of a fleet.",
    subcommands = {
      SitesAdd.class,
      SitesImport.class,
      SitesList.class,
      SitesShow.class,
      SitesSet.class,
      SitesStop.class,
      SitesResume.class,
      SitesRemove.class,
    },
    footer = {"", "Example: fairfleet sites import sites.csv", "Example: fairfleet sites list"})
final class SitesCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Name what to do with the sites.");
  }

  /**
   * Returns sites by their names.
   *
   * @throws UsageException if there is none of a name
   */
  static List<SiteStatus> named(FleetAccess fleet, List<String> names) {
    return names.stream().distinct().map(name -> named(fleet, name)).toList();
  }

  private static SiteStatus named(FleetAccess fleet, String name) {
    try {
      return fleet
          .sites()
          .find(new SiteId(name))
          .orElseThrow(
              () ->
                  new UsageException(
                      "This fleet has no site "
                          + name
                          + ". fairfleet sites list names those it has. Nothing was done."));
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage() + ".", e);
    }
  }

  /** Returns what a site is and where it stands. */
  static ObjectNode json(SiteStatus status) {
    ObjectNode node = JsonFile.object();
    node.put("id", status.site().id().value());
    node.put("state", status.state().name());
    node.put("reason", status.reason());
    status.since().ifPresent(since -> node.put("since", since.toString()));
    status.run().ifPresent(run -> node.set("crawl", json(run)));
    status.lastEnded().ifPresent(crawl -> node.put("lastEnded", crawl.value()));
    status.lastFull().ifPresent(crawl -> node.put("lastFull", crawl.value()));
    nextDue(status).ifPresent(due -> node.put("nextDue", due.toString()));
    node.set("site", SitesFile.node(status.site()));
    return node;
  }

  private static ObjectNode json(CrawlRun run) {
    ObjectNode node = JsonFile.object();
    node.put("id", run.id().value());
    node.put("mode", run.mode().name());
    node.put("started", run.started());
    node.put("interrupted", run.interrupted());
    run.previous().ifPresent(crawl -> node.put("previous", crawl.value()));
    run.end().ifPresent(end -> node.set("end", json(end)));
    return node;
  }

  private static ObjectNode json(CrawlEnd end) {
    return JsonFile.object()
        .put("at", end.at().toString())
        .put("pages", end.pages())
        .put("done", end.done())
        .put("gone", end.gone())
        .put("failed", end.failed())
        .put("skipped", end.skipped())
        .put("tombstones", end.tombstones())
        .put("complete", end.complete())
        .put("remark", end.remark());
  }

  /**
   * Returns from when on a site is due; nothing if it is stopped, or as long as a crawl goes on.
   */
  static Optional<Instant> nextDue(SiteStatus status) {
    if (status.state() != SiteState.ACTIVE
        || status.run().filter(run -> run.started() && run.end().isEmpty()).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        status
            .run()
            .filter(CrawlRun::started)
            .map(run -> run.id().scheduledTime().plus(status.site().recrawl().every()))
            .orElse(Instant.EPOCH));
  }

  /** Returns {@link #nextDue} for people. */
  static String due(SiteStatus status) {
    return nextDue(status)
        .map(due -> due.equals(Instant.EPOCH) ? "now" : due.toString())
        .orElse("-");
  }

  /** Returns the scheduled time of the newest crawl for people. */
  static String crawl(SiteStatus status) {
    return status.crawl().map(CrawlId::scheduledTime).map(Instant::toString).orElse("-");
  }

  /** Returns for people how the newest crawl ended. */
  static String end(SiteStatus status) {
    return status
        .run()
        .map(
            run ->
                run.end()
                    .map(end -> end.complete() ? "complete" : end.remark())
                    .orElse(run.interrupted() ? "interrupted" : "goes on"))
        .orElse("-");
  }
}
