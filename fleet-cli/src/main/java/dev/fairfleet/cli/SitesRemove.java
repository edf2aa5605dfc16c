package dev.fairfleet.cli;

import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Removes sites with all their pages and records; may be given again after a crash. */
@Command(
    name = "remove",
    mixinStandardHelpOptions = true,
    description =
        "Removes sites with all their pages and records; may be given again after a crash.",
    footer = {"", "Example: fairfleet sites remove books"})
final class SitesRemove implements Callable<Integer> {
  @Mixin private FleetOptions options = new FleetOptions();

  @Parameters(paramLabel = "ID", arity = "1..*", description = "The sites.")
  private List<String> ids = List.of();

  @Option(names = "--force", description = "Remove sites that are active, too.")
  private boolean force;

  @Mixin private Caution caution = new Caution();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (FleetAccess fleet = options.open()) {
      List<SiteStatus> sites = SitesCommand.named(fleet, ids);
      for (SiteStatus status : sites) {
        if (!force && status.state() == SiteState.ACTIVE && status.run().isPresent()) {
          throw new UsageException(
              "Site "
                  + status.site().id()
                  + " is active. Stop it first, or add --force. Nothing was removed.");
        }
      }
      List<SiteId> removed = sites.stream().map(status -> status.site().id()).toList();
      if (!caution.goesOn(
          "Every page and every record of "
              + ids(removed)
              + ", and the site itself, will be deleted for good")) {
        return caution.isDryRun() ? Fairfleet.DONE : Fairfleet.FAILED;
      }
      removed.forEach(id -> remove(fleet, id));
      return Fairfleet.DONE;
    }
  }

  private static String ids(List<SiteId> sites) {
    return sites.stream().map(SiteId::value).collect(Collectors.joining(", "));
  }

  private void remove(FleetAccess fleet, SiteId id) {
    // Stopped first, so that workers let go of it; the site last, so that the command can be
    // repeated.
    fleet.sites().setState(id, SiteState.STOPPED, "is being removed", Instant.now());
    fleet.frontier().removeAll(id);
    fleet.records().removeAll(id);
    fleet.sites().remove(id);
    spec.commandLine()
        .getOut()
        .println(json ? JsonFile.object().put("removed", id.value()).toString() : "removed " + id);
    spec.commandLine().getOut().flush();
  }
}
