package dev.fairfleet.cli;

import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what a fleet knows of a URL, and why it ended as it did. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description =
        "Says what the frontier knows of a URL: state, rule, how it was found, attempts, times, sizes, hashes.",
    footer = {
      "",
      "Exit code 1: no site's frontier knows the URL.",
      "Example: fairfleet why https://books.example/old-page",
      "Example: fairfleet why https://books.example/ --aws --prefix fairfleet-"
    })
final class WhyCommand implements Callable<Integer> {
  @Parameters(paramLabel = "URL", description = "In any spelling.")
  private String url = "";

  @Option(names = "--site", paramLabel = "ID", description = "Ask for this site alone.")
  private @Nullable String site;

  @Mixin private FleetOptions options = new FleetOptions();

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Override
  public Integer call() {
    CrawlUrl asked =
        CrawlUrl.parse(url)
            .orElseThrow(
                () ->
                    new UsageException(
                        "\"" + url + "\" is no http or https URL, so no page can have led to it."));
    try (FleetAccess fleet = options.open()) {
      List<Explanation> all =
          sites(fleet, asked).stream()
              .map(each -> Explanation.of(fleet.frontier(), each, asked, Instant.now()))
              .toList();
      List<Explanation> known = all.stream().filter(Explanation::isKnown).toList();
      print(known.isEmpty() ? all : known);
      return known.isEmpty() ? Fairfleet.FAILED : Fairfleet.DONE;
    }
  }

  private List<Site> sites(FleetAccess fleet, CrawlUrl asked) {
    List<Site> sites =
        fleet.sites().all().stream()
            .map(SiteStatus::site)
            .filter(each -> site == null || each.id().value().equals(site))
            .sorted(Comparator.comparing(each -> each.id().value()))
            .toList();
    if (sites.isEmpty()) {
      throw new UsageException(
          site == null ? "This fleet has no site." : "This fleet has no site " + site + ".");
    }
    List<Site> ofHost =
        sites.stream().filter(each -> each.scope().contains(asked.hostKey())).toList();
    if (ofHost.isEmpty()) {
      System.err.println("fairfleet: " + asked.hostKey() + " is a host of no site.");
    }
    return ofHost;
  }

  private void print(List<Explanation> explanations) {
    if (json) {
      System.out.println(
          explanations.stream()
              .map(explanation -> explanation.json().toString())
              .collect(Collectors.joining(",\n", "[", "]")));
    } else {
      System.out.print(
          explanations.stream().map(Explanation::text).collect(Collectors.joining("\n")));
    }
  }
}
