package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.FleetAccess;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows all that is known of a site as JSON. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Shows all that is known of a site as JSON.",
    footer = {"", "Example: fairfleet sites show books"})
final class SitesShow implements Callable<Integer> {
  @Mixin private FleetOptions options = new FleetOptions();

  @Parameters(paramLabel = "ID", description = "The site.")
  private String id = "";

  @Option(names = "--json", description = "Print it on one line.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    try (FleetAccess fleet = options.open()) {
      ObjectNode site = SitesCommand.json(SitesCommand.named(fleet, List.of(id)).getFirst());
      spec.commandLine().getOut().println(json ? site.toString() : site.toPrettyString());
      spec.commandLine().getOut().flush();
      return Fairfleet.DONE;
    }
  }
}
