package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.frontier.Fetch;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.SiteStatus;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the pages of a site as they are read. */
@Command(
    name = "pages",
    mixinStandardHelpOptions = true,
    description =
        "Lists the pages of a site: state, HTTP status, failed attempts, when it was fetched, crawl, URL, reason.",
    footer = {
      "",
      "It reads every page item of the site once, in no particular order, and keeps none.",
      "Example: fairfleet pages --site books --state FAILED,GONE",
      "Example: fairfleet pages --site books --reason robots --json | jq -r .url"
    })
final class PagesCommand implements Callable<Integer> {
  private static final String LINE = "%-7s  %6s  %8s  %-20s  %-20s  %s%s%n";
  private static final int BETWEEN_CHECKS = 100;

  @Mixin private FleetOptions options = new FleetOptions();

  @Option(names = "--site", paramLabel = "ID", required = true, description = "Whose pages.")
  private String site = "";

  @Option(
      names = "--state",
      paramLabel = "STATE",
      split = ",",
      description = "Only pages in one of these states: ${COMPLETION-CANDIDATES}.")
  private List<PageState> states = List.of();

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Only pages whose reason has this in it, in upper or lower case.")
  private String reason = "";

  @Option(
      names = "--newest",
      description = "Only pages of the newest crawl, without those that only earlier ones know.")
  private boolean newest;

  @Option(names = "--limit", paramLabel = "N", description = "Most pages. Default: all")
  private long limit = Long.MAX_VALUE;

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean json;

  @Spec private CommandSpec spec = CommandSpec.create();

  private long shown;

  /** Ends the reading: there is no other way out of it. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Enough() {
      super("enough", null, false, false);
    }
  }

  @Override
  public Integer call() {
    if (limit < 1) {
      throw new UsageException("--limit is at least 1.");
    }
    PrintWriter out = spec.commandLine().getOut();
    try (FleetAccess fleet = options.open()) {
      SiteStatus status = NamedSite.of(fleet, site);
      Set<PageState> wanted =
          states.isEmpty() ? EnumSet.allOf(PageState.class) : EnumSet.copyOf(states);
      String text = reason.toLowerCase(Locale.ROOT);
      if (!json) {
        out.printf(LINE, "STATE", "STATUS", "ATTEMPTS", "FETCHED", "CRAWL", "URL", "  REASON");
      }
      fleet
          .frontier()
          .forEachPage(
              status.site().id(),
              page -> {
                if (wanted.contains(page.state())
                    && page.reason().toLowerCase(Locale.ROOT).contains(text)
                    && (!newest || status.crawl().filter(page.crawl()::equals).isPresent())) {
                  show(out, page);
                }
              });
    } catch (Enough e) {
      // As many as were asked for, or nobody reads on.
      out.flush();
      return Fairfleet.DONE;
    }
    out.flush();
    return Fairfleet.DONE;
  }

  private void show(PrintWriter out, Page page) {
    if (json) {
      out.println(json(page));
    } else {
      out.printf(
          LINE,
          page.state(),
          page.lastFetch().map(fetch -> Integer.toString(fetch.status())).orElse("-"),
          page.attempts(),
          page.lastFetch().map(Fetch::at).map(FleetStatus::text).orElse("-"),
          page.crawl(),
          page.url(),
          page.reason().isEmpty() ? "" : "  " + page.reason());
    }
    shown++;
    if (shown >= limit || (shown % BETWEEN_CHECKS == 0 && out.checkError())) {
      throw new Enough();
    }
  }

  private static ObjectNode json(Page page) {
    ObjectNode node = JsonFile.object();
    node.put("url", page.url().toString());
    node.put("state", page.state().name());
    node.put("reason", page.reason());
    node.put("crawl", page.crawl().value());
    node.put("parent", page.parent().toString());
    node.put("depth", page.depth().value());
    node.put("kind", page.kind().name());
    node.put("attempts", page.attempts());
    node.put("gone", page.gone());
    page.lastFetch()
        .ifPresent(
            fetch -> {
              node.put("status", fetch.status());
              node.put("bytes", fetch.bytes());
              node.put("fetchedAt", fetch.at().toString());
              node.put("tookMillis", fetch.took().toMillis());
            });
    page.settledAt().ifPresent(at -> node.put("settledAt", at.toString()));
    return node;
  }
}
