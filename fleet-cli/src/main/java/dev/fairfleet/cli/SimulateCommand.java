package dev.fairfleet.cli;

import dev.fairfleet.sim.Policy;
import dev.fairfleet.sim.Scenario;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Simulates a fleet in virtual time, with the very policies that its workers run. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description =
        "Simulates a fleet in virtual time, with the very policies that its workers run, and compares policies on the same workload.",
    footer = {
      "",
      "Example: fairfleet simulate --scenario 300-sites --policy reserved,classic,fifo --html report.html",
      "Scenarios: 300-sites, 1500-sites, million-pages, one-large-site, idle-fleet; or a YAML or JSON file with their keys. Options override them.",
      "Exit code 1: a promise was broken; the report names the command that replays that run."
    })
final class SimulateCommand implements Callable<Integer> {
  private static final String DEFAULT_SCENARIO = "million-pages";
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./=:-]+");

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "POLICY",
      description = "reserved, classic or fifo, or several with commas. Default: reserved")
  private List<Policy> policies = List.of(Policy.RESERVED);

  @Option(
      names = "--scenario",
      paramLabel = "NAME|FILE",
      description = "What to simulate. Default: ${DEFAULT-VALUE}")
  private String scenario = DEFAULT_SCENARIO;

  @Option(names = "--sites", description = "Sites.")
  private @Nullable String sites;

  @Option(names = "--pages", description = "Pages of all sites together.")
  private @Nullable String pages;

  @Option(names = "--sizes", description = "Sizes of sites: zipf, equal or one-large.")
  private @Nullable String sizes;

  @Option(names = "--hourly-limit", description = "Requests per hour and site.")
  private @Nullable String hourlyLimit;

  @Option(names = "--delay", description = "Least time between two requests to a site: 500ms, 2s.")
  private @Nullable String delay;

  @Option(names = "--workers", description = "Workers.")
  private @Nullable String workers;

  @Option(names = "--slots", description = "Pages that a worker has at work at once.")
  private @Nullable String slots;

  @Option(names = "--service", description = "Mean time that a page takes: 800ms, 1s.")
  private @Nullable String service;

  @Option(names = "--faults", description = "What goes wrong: none or many.")
  private @Nullable String faults;

  @Option(names = "--seed", description = "First seed. Default: ${DEFAULT-VALUE}")
  private long seed = 1;

  @Option(names = "--seeds", description = "How many seeds. Default: 1, in a suite 5")
  private @Nullable Integer seeds;

  @Option(
      names = "--prices",
      paramLabel = "FILE",
      description = "Prices of SQS, instead of those of us-east-1 in November 2026.")
  private @Nullable Path prices;

  @Option(names = "--json", paramLabel = "FILE", description = "Write the report as JSON, too.")
  private @Nullable Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the report as a page with charts, too.")
  private @Nullable Path html;

  @Option(
      names = "--suite",
      description =
          "Run every built-in scenario, reserved also with faults, and print a Markdown table.")
  private boolean suite;

  @Option(names = "--out", paramLabel = "FILE", description = "Write the suite's table there, too.")
  private @Nullable Path out;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    Stream.of(json, html, out)
        .flatMap(file -> Optional.ofNullable(file).stream())
        .forEach(JsonFile::requireWritable);
    SqsPrices priced = SqsPrices.read(prices);
    return suite ? runSuite(priced) : runOne(priced);
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }

  private int runOne(SqsPrices priced) throws InterruptedException {
    if (out != null) {
      throw new UsageException("--out is for --suite; --json and --html name files of a report.");
    }
    Scenario chosen = ScenarioFile.scenario(settings());
    List<Policy> chosenPolicies = policies.stream().distinct().toList();
    List<SimulationRun> runs = new ArrayList<>();
    for (Policy policy : chosenPolicies) {
      seeds(1).forEach(each -> runs.add(run(chosen, policy, each)));
    }
    List<SimulationRun.Done> done = SimulationRun.all(runs, err());
    SimulationReport report =
        new SimulationReport(
            chosen,
            chosenPolicies.stream()
                .map(
                    policy ->
                        new SimulationFigures(
                            done.stream().filter(each -> each.run().policy() == policy).toList(),
                            priced))
                .toList());
    print(report.text());
    if (json != null) {
      JsonFile.write(json, report.json());
    }
    if (html != null) {
      JsonFile.writeText(html, new SimulationPage(report).html());
    }
    return exitCode(done);
  }

  private int runSuite(SqsPrices priced) throws InterruptedException {
    if (!given().isEmpty() || !scenario.equals(DEFAULT_SCENARIO) || json != null || html != null) {
      throw new UsageException(
          "A suite runs the built-in scenarios as they are, and writes a table: beside --suite only --seed, --seeds, --prices and --out have a meaning.");
    }
    List<SimulationRun.Done> done =
        SimulationRun.all(SimulationSuite.runs(seeds(5).boxed().toList()), err());
    String table = SimulationSuite.table(done, priced);
    print(table + SimulationReport.violations(done));
    if (out != null) {
      JsonFile.writeText(out, table);
    }
    return exitCode(done);
  }

  private LongStream seeds(int otherwise) {
    int many = Optional.ofNullable(seeds).orElse(otherwise);
    if (many < 1) {
      throw new UsageException("--seeds is at least 1, not " + many + ".");
    }
    return LongStream.range(seed, seed + many);
  }

  private void print(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }

  private static int exitCode(List<SimulationRun.Done> done) {
    return done.stream().allMatch(each -> each.outcome().violations().isEmpty())
        ? Fairfleet.DONE
        : Fairfleet.FAILED;
  }

  /** A setting on the command line. */
  private record Given(String option, String key, String value) {
    static Stream<Given> of(String option, String key, @Nullable String value) {
      return value == null ? Stream.empty() : Stream.of(new Given(option, key, value));
    }
  }

  private List<Given> given() {
    return Stream.of(
            Given.of("--sites", "sites", sites),
            Given.of("--pages", "pages", pages),
            Given.of("--sizes", "sizes", sizes),
            Given.of("--hourly-limit", "hourlyLimit", hourlyLimit),
            Given.of("--delay", "minDelay", delay),
            Given.of("--workers", "workers", workers),
            Given.of("--slots", "slots", slots),
            Given.of("--service", "service", service),
            Given.of("--faults", "faults", faults))
        .flatMap(each -> each)
        .toList();
  }

  private Settings settings() {
    Settings settings = ScenarioFile.open(scenario);
    for (Given given : given()) {
      settings.removeObject(given.key());
      settings.put(given.key(), given.value(), given.option());
    }
    return settings;
  }

  private SimulationRun run(Scenario chosen, Policy policy, long its) {
    List<String> words = new ArrayList<>(List.of("--scenario", scenario));
    given().forEach(each -> words.addAll(List.of(each.option(), each.value())));
    return new SimulationRun(chosen, policy, its, command(words, policy, its));
  }

  /** Returns the command line that repeats a run. */
  static String command(List<String> options, Policy policy, long seed) {
    List<String> words = new ArrayList<>(List.of("fairfleet", "simulate"));
    words.addAll(options);
    words.addAll(List.of("--policy", SimulationRun.name(policy), "--seed", Long.toString(seed)));
    return words.stream().map(SimulateCommand::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
