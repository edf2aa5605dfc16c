package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteStatus;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes what a site is; its crawl and its state stay. */
@Command(
    name = "set",
    mixinStandardHelpOptions = true,
    description = "Changes what a site is; its crawl and its state stay.",
    footer = {"", "Example: fairfleet sites set books requestsPerHour=7200 every=12h"})
final class SitesSet implements Callable<Integer> {
  @Mixin private FleetOptions options = new FleetOptions();

  @Parameters(index = "0", paramLabel = "ID", description = "The site.")
  private String id = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "KEY=VALUE",
      description = "As in a file of sites; the values of a list are separated by blanks.")
  private List<String> settings = List.of();

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Map<String, String> changes = SiteOptions.parse(settings);
    if (changes.containsKey("id")) {
      throw new UsageException("The id of a site stays. Add a site with the other id.");
    }
    try (FleetAccess fleet = options.open()) {
      SiteStatus status = SitesCommand.named(fleet, List.of(id)).getFirst();
      ObjectNode before = SitesFile.node(status.site());
      Site site = SiteOptions.change(before.deepCopy(), changes);
      ObjectNode after = SitesFile.node(site);
      if (!dryRun) {
        fleet.sites().put(site);
      }
      PrintWriter out = spec.commandLine().getOut();
      if (json) {
        ObjectNode node = JsonFile.object();
        node.set("before", before);
        node.set("after", after);
        out.println(node.toPrettyString());
      } else {
        TextTable table = TextTable.ofText("key", "before", dryRun ? "would be" : "after");
        for (String key : changes.keySet()) {
          String written = key.equals("root") ? "roots" : key;
          table.row(written, text(before.findPath(written)), text(after.findPath(written)));
        }
        out.print(table);
      }
      out.flush();
      return Fairfleet.DONE;
    }
  }

  private static String text(JsonNode value) {
    return value.isContainerNode() ? value.toString() : value.asText();
  }
}
