package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.FleetAccess;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says where a fleet, or one of its sites, stands. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description =
        "Says where a fleet stands: sites, crawls, queues. With --site, a site's pages by state.",
    footer = {
      "",
      "It reads every site once; with --site, every page item of that site once, which on AWS takes one read unit for 4 KB of them.",
      "Example: fairfleet status --watch",
      "Example: fairfleet status --site books --profile work --region eu-central-1"
    })
final class StatusCommand implements Callable<Integer> {
  private static final String CLEAR = "\u001b[H\u001b[2J";

  @Mixin private FleetOptions options = new FleetOptions();

  @Option(names = "--site", paramLabel = "ID", description = "Count the pages of this site.")
  private @Nullable String site;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "Most entries of each list. Default: ${DEFAULT-VALUE}")
  private int limit = 10;

  @Option(names = "--watch", description = "Say it again and again, until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "How often with --watch. Default: ${DEFAULT-VALUE}")
  private String every = "5s";

  @Option(names = "--json", description = "Print JSON; with --watch one object a line.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    if (limit < 0) {
      throw new UsageException("--limit is not negative.");
    }
    Duration pause = pause();
    PrintWriter out = spec.commandLine().getOut();
    boolean clears = watch && !json && "bar".equals(System.getProperty("fairfleet.progress"));
    try (FleetAccess fleet = options.open()) {
      while (true) {
        String text = json ? json(fleet) : text(fleet);
        out.print(clears ? CLEAR + text : text);
        out.println(watch && !json && !clears ? "--" : "");
        out.flush();
        if (!watch || out.checkError()) {
          return Fairfleet.DONE;
        }
        Thread.sleep(pause);
      }
    }
  }

  private Duration pause() {
    try {
      Duration pause = SitesFile.duration(every);
      if (pause.isPositive()) {
        return pause;
      }
      throw new UsageException("--every is a time above zero.");
    } catch (IllegalArgumentException e) {
      throw new UsageException("--every: " + e.getMessage() + ".", e);
    }
  }

  private String text(FleetAccess fleet) {
    return site == null
        ? FleetStatus.of(fleet, Instant.now(), limit).toString()
        : SitePages.of(NamedSite.of(fleet, site), fleet.frontier()).toString();
  }

  private String json(FleetAccess fleet) {
    if (site == null) {
      return shown(FleetStatus.of(fleet, Instant.now(), limit).json());
    }
    SitePages pages = SitePages.of(NamedSite.of(fleet, site), fleet.frontier());
    ObjectNode node = JsonFile.object();
    pages.facts().forEach(node::put);
    ObjectNode counts = node.putObject("pages");
    pages
        .pages()
        .forEach((state, count) -> counts.put(state.name().toLowerCase(Locale.ROOT), count));
    counts.put("ofEarlierCrawls", pages.earlier());
    node.put("itemsRead", pages.read());
    return shown(node);
  }

  private String shown(JsonNode node) {
    return watch ? node.toString() : node.toPrettyString();
  }
}
