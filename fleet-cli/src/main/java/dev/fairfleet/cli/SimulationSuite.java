package dev.fairfleet.cli;

import dev.fairfleet.sim.Policy;
import dev.fairfleet.sim.Scenario;
import dev.fairfleet.sim.Scenario.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Every built-in scenario, beside what it is to reach; {@code reserved} with faults, too. */
final class SimulationSuite {
  private static final String TITLES =
      """
      | workload | policy | faults | small half's finish ÷ ideal p50 | p95 | latest | receives per page \
      | SQS requests per page | most in flight | makespan ÷ ideal | Jain | dwell p95, s \
      | $ per million pages | promises broken |
      |---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private static final double UNSET = Double.POSITIVE_INFINITY;

  private static final List<Row> ROWS =
      List.of(
          new Row("300-sites", 1.15, 1.05, 1.2, 400, 1.02),
          new Row("1500-sites", 1.15, 1.05, 0.9, 600, 1.02),
          new Row("million-pages", 1.10, 1.05, 0.7, 2_000, 1.02),
          new Row("one-large-site", 1.10, 1.05, UNSET, 2_000, 1.02),
          new Row("idle-fleet", 1.10, 1.05, UNSET, UNSET, 1.10));

  /** The most of each figure that is good enough without faults. */
  private record Row(
      String scenario,
      double smallHalf95,
      double receives,
      double requests,
      double mostInFlight,
      double makespan) {}

  private SimulationSuite() {}

  /** Returns what is to be run: {@code reserved} everywhere, the others on the first scenario. */
  static List<SimulationRun> runs(List<Long> seeds) {
    List<SimulationRun> runs = new ArrayList<>();
    for (Row row : ROWS) {
      Scenario scenario = ScenarioFile.scenario(ScenarioFile.open(row.scenario()));
      for (Policy policy : policies(row)) {
        for (Faults faults : faults(policy)) {
          for (long seed : seeds) {
            runs.add(run(scenario.with(faults), policy, seed));
          }
        }
      }
    }
    return runs;
  }

  /** The others are there for comparison, and take many times as long. */
  private static List<Faults> faults(Policy policy) {
    return policy == Policy.RESERVED ? List.of(Faults.NONE, Faults.MANY) : List.of(Faults.NONE);
  }

  private static List<Policy> policies(Row row) {
    return row.equals(ROWS.getFirst())
        ? List.of(Policy.RESERVED, Policy.CLASSIC, Policy.FIFO)
        : List.of(Policy.RESERVED);
  }

  private static SimulationRun run(Scenario scenario, Policy policy, long seed) {
    List<String> options = List.of("--scenario", scenario.name(), "--faults", faults(scenario));
    return new SimulationRun(
        scenario, policy, seed, SimulateCommand.command(options, policy, seed));
  }

  private static String faults(Scenario scenario) {
    return scenario.faults().equals(Faults.NONE) ? "none" : "many";
  }

  /** Returns the medians as a Markdown table, with targets, and a cross where one is missed. */
  static String table(List<SimulationRun.Done> done, SqsPrices prices) {
    StringBuilder table = new StringBuilder(TITLES);
    for (Row row : ROWS) {
      for (Policy policy : policies(row)) {
        for (Faults faults : faults(policy)) {
          List<SimulationRun.Done> its =
              done.stream()
                  .filter(
                      each ->
                          each.run().scenario().name().equals(row.scenario())
                              && each.run().policy() == policy
                              && each.run().scenario().faults().equals(faults))
                  .toList();
          table.append(line(row, new SimulationFigures(its, prices)));
        }
      }
    }
    return table
        + "\nMedians of "
        + done.stream().map(each -> each.run().seed()).distinct().count()
        + " seeds; in brackets what is to be reached, ✗ where it is not. SQS prices of "
        + prices.region()
        + ", "
        + prices.asOf()
        + ".\n";
  }

  private static String line(Row row, SimulationFigures figures) {
    Scenario scenario = figures.runs().getFirst().run().scenario();
    boolean judged = figures.policy() == Policy.RESERVED && scenario.faults().equals(Faults.NONE);
    List<String> cells =
        List.of(
            row.scenario(),
            figures.name(),
            faults(scenario),
            cell(figures.smallHalf(0.5), 3, UNSET),
            cell(figures.smallHalf(0.95), 3, judged ? row.smallHalf95() : UNSET),
            cell(figures.smallHalf(1), 3, UNSET),
            cell(figures.receives(), 3, judged ? row.receives() : UNSET),
            cell(figures.requests(), 3, judged ? row.requests() : UNSET),
            cell(figures.mostInFlight(), 0, judged ? row.mostInFlight() : UNSET),
            cell(figures.makespan(), 3, judged ? row.makespan() : UNSET),
            cell(figures.jain(), 3, UNSET),
            cell(figures.dwell95(), 1, UNSET),
            cell(figures.dollars(), 2, UNSET),
            cell(figures.violations(), 0, 0));
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String cell(double value, int places, double target) {
    String shown = SimulationReport.decimal(value, places);
    if (value > target) {
      shown += " ✗";
    }
    return target == UNSET || target == 0
        ? shown
        : shown + " (≤ " + String.format(Locale.ROOT, places == 0 ? "%,.0f" : "%.2f", target) + ")";
  }
}
