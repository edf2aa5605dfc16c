package dev.fairfleet.cli;

import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.queue.Requeue;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes stopped sites active, and sends again what their crawls have not finished. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    description =
        "Makes stopped sites active, and sends again what their crawls have not finished.",
    footer = {"", "Example: fairfleet sites resume books"})
final class SitesResume implements Callable<Integer> {
  @Mixin private FleetOptions options = new FleetOptions();

  @Parameters(paramLabel = "ID", arity = "1..*", description = "The sites.")
  private List<String> ids = List.of();

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (FleetAccess fleet = options.open()) {
      for (SiteStatus status : SitesCommand.named(fleet, ids)) {
        boolean did = status.state() == SiteState.STOPPED;
        int sent = 0;
        if (!dryRun) {
          did = fleet.sites().setState(status.site().id(), SiteState.ACTIVE, "", Instant.now());
          sent = sendAgain(fleet, status);
        }
        spec.commandLine().getOut().println(line(status, did, sent, fleet.runs()));
      }
      spec.commandLine().getOut().flush();
      return Fairfleet.DONE;
    }
  }

  // Also of a site that is active already: an earlier resume may have died before it was done.
  private static int sendAgain(FleetAccess fleet, SiteStatus status) {
    Optional<CrawlRun> unfinished = status.run().filter(run -> run.end().isEmpty());
    return unfinished.isPresent() && fleet.runs()
        ? new Requeue(fleet.sites(), fleet.frontier(), fleet.queue())
            .unfinished(status.site().id(), unfinished.get().id())
        : 0;
  }

  private String line(SiteStatus status, boolean did, int sent, boolean runs) {
    String id = status.site().id().value();
    if (json) {
      return JsonFile.object()
          .put("id", id)
          .put(dryRun ? "wouldResume" : "resumed", did)
          .put("sent", sent)
          .toString();
    }
    String what = did ? (dryRun ? "would resume " : "resumed ") + id : id + " is active already";
    if (dryRun) {
      return what;
    }
    return runs
        ? what + ", " + sent + " tasks sent again"
        : what + "; its unfinished pages are sent again when the fleet starts";
  }
}
