package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Imports the sites of a CSV or YAML file. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description = "Imports the sites of a CSV or YAML file.",
    footer = {"", "Example: fairfleet sites import sites.csv --good-only"})
final class SitesImport implements Callable<Integer> {
  @Mixin private FleetOptions options = new FleetOptions();

  @Parameters(paramLabel = "FILE", description = "CSV if its name ends in .csv, else YAML.")
  private Path file = Path.of("");

  @Option(
      names = "--good-only",
      description = "Import the good sites although others are bad. Default: all or nothing.")
  private boolean goodOnly;

  @Option(names = "--all-or-nothing", description = "Import nothing if a site is bad (default).")
  private boolean allOrNothing;

  @Option(
      names = "--replace",
      description =
          "Replace what sites are that exist already; their crawls and states stay. Default: they"
              + " count as bad.")
  private boolean replace;

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    if (goodOnly && allOrNothing) {
      throw new UsageException("--good-only and --all-or-nothing contradict each other.");
    }
    SiteRows rows = SiteRows.read(file, SiteLimits.POLITE);
    try (FleetAccess fleet = options.openOrCreate()) {
      if (!replace) {
        Set<SiteId> existing = new HashSet<>();
        fleet.sites().forEach(status -> existing.add(status.site().id()));
        rows.refuse(existing);
      }
      boolean goesOn = rows.bad().isEmpty() || goodOnly;
      if (goesOn && !dryRun) {
        put(fleet, rows.good());
      }
      say(rows, goesOn ? rows.good().size() : 0);
      return rows.bad().isEmpty() || (goodOnly && !rows.good().isEmpty())
          ? Fairfleet.DONE
          : Fairfleet.FAILED;
    }
  }

  private void put(FleetAccess fleet, List<Site> sites) {
    try (CountProgress progress = new CountProgress("sites", sites.size(), System::nanoTime)) {
      fleet.sites().putAll(sites, progress::show);
    }
  }

  private void say(SiteRows rows, int imported) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode node = JsonFile.object();
      node.put("file", file.toString());
      node.put(dryRun ? "wouldImport" : "imported", imported);
      node.put("good", rows.good().size());
      ArrayNode bad = node.putArray("bad");
      rows.bad()
          .forEach(row -> bad.addObject().put("line", row.line()).put("reason", row.reason()));
      out.println(node.toPrettyString());
    } else {
      rows.bad().forEach(row -> out.println("line " + row.line() + ": " + row.reason()));
      out.printf(
          "%s: %d good, %d bad, %d %s%n",
          file,
          rows.good().size(),
          rows.bad().size(),
          imported,
          dryRun ? "would be imported" : "imported");
    }
    out.flush();
    if (imported == 0 && !rows.good().isEmpty()) {
      spec.commandLine()
          .getErr()
          .println(
              "fairfleet: nothing is imported while a row is bad. Mend it, or add --good-only to"
                  + " import the good ones.");
    }
  }
}
