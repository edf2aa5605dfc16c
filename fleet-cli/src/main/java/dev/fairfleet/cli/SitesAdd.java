package dev.fairfleet.cli;

import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Adds a site for each root. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    description = "Adds a site for each root.",
    footer = {
      "",
      "Example: fairfleet sites add https://books.example/ --set maxPages=1000 --set every=12h"
    })
final class SitesAdd implements Callable<Integer> {
  @Mixin private FleetOptions options = new FleetOptions();

  @Parameters(paramLabel = "URL", arity = "1..*", description = "The roots.")
  private List<String> roots = List.of();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A limit or another key of the sites; may be given again.")
  private List<String> settings = List.of();

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Map<String, String> changes = SiteOptions.parse(settings);
    List<Site> sites = new ArrayList<>();
    Set<SiteId> ids = new HashSet<>();
    for (Site root : SitesFile.ofRoots(roots, SiteLimits.POLITE)) {
      Site site = SiteOptions.change(SitesFile.node(root), changes);
      if (!ids.add(site.id())) {
        throw new UsageException(
            "Two sites would have the id "
                + site.id()
                + ". Add one at a time, each with an id of its own. Nothing was done.");
      }
      sites.add(site);
    }
    try (FleetAccess fleet = options.openOrCreate()) {
      for (Site site : sites) {
        if (fleet.sites().find(site.id()).isPresent()) {
          throw new UsageException(
              "Site "
                  + site.id()
                  + " exists already; fairfleet sites set changes it. Nothing was done.");
        }
      }
      if (!dryRun) {
        sites.forEach(fleet.sites()::put);
      }
    }
    for (Site site : sites) {
      spec.commandLine()
          .getOut()
          .println(
              json
                  ? SitesFile.node(site).toString()
                  : (dryRun ? "would add " : "added ") + site.id());
    }
    spec.commandLine().getOut().flush();
    return Fairfleet.DONE;
  }
}
