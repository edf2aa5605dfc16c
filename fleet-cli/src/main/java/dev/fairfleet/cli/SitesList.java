package dev.fairfleet.cli;

import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the sites of a fleet, and where they stand. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists the sites of a fleet, and where they stand.",
    footer = {"", "Example: fairfleet sites list --state STOPPED"})
final class SitesList implements Callable<Integer> {
  @Mixin private FleetOptions options = new FleetOptions();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Only those that are so: ${COMPLETION-CANDIDATES}.")
  private @Nullable SiteState state;

  @Option(names = "--json", description = "Print a JSON object a line.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    List<SiteStatus> found = new ArrayList<>();
    try (FleetAccess fleet = options.open()) {
      fleet
          .sites()
          .forEach(
              status -> {
                if (state == null || status.state() == state) {
                  found.add(status);
                }
              });
    }
    found.sort(Comparator.comparing(status -> status.site().id().value()));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      found.forEach(status -> out.println(SitesCommand.json(status)));
    } else {
      TextTable table =
          TextTable.ofText("site", "state", "last crawl", "its end", "next due", "reason");
      for (SiteStatus status : found) {
        table.row(
            status.site().id(),
            status.state(),
            SitesCommand.crawl(status),
            SitesCommand.end(status),
            SitesCommand.due(status),
            status.reason());
      }
      out.print(table);
    }
    out.flush();
    return Fairfleet.DONE;
  }
}
