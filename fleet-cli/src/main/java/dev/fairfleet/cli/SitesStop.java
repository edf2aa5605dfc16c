package dev.fairfleet.cli;

import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Stops sites for the whole fleet; what is unfinished stays in the frontier. */
@Command(
    name = "stop",
    mixinStandardHelpOptions = true,
    description = "Stops sites for the whole fleet; what is unfinished stays in the frontier.",
    footer = {"", "Example: fairfleet sites stop books --reason \"asked by the owner\""})
final class SitesStop implements Callable<Integer> {
  @Mixin private FleetOptions options = new FleetOptions();

  @Parameters(paramLabel = "ID", arity = "1..*", description = "The sites.")
  private List<String> ids = List.of();

  @Option(
      names = "--reason",
      required = true,
      paramLabel = "TEXT",
      description = "Shown to whoever asks why.")
  private String reason = "";

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (FleetAccess fleet = options.open()) {
      for (SiteStatus status : SitesCommand.named(fleet, ids)) {
        boolean did =
            dryRun
                ? status.state() != SiteState.STOPPED
                : fleet
                    .sites()
                    .setState(status.site().id(), SiteState.STOPPED, reason, Instant.now());
        spec.commandLine().getOut().println(line(status, did));
      }
      spec.commandLine().getOut().flush();
      return Fairfleet.DONE;
    }
  }

  private String line(SiteStatus status, boolean did) {
    if (json) {
      return JsonFile.object()
          .put("id", status.site().id().value())
          .put(dryRun ? "wouldStop" : "stopped", did)
          .put("reason", did ? reason : status.reason())
          .toString();
    }
    return did
        ? (dryRun ? "would stop " : "stopped ") + status.site().id()
        : status.site().id() + " was stopped already: " + status.reason();
  }
}
