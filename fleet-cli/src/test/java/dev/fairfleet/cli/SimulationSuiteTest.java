package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.sim.Policy;
import dev.fairfleet.sim.Scenario;
import dev.fairfleet.sim.Scenario.Faults;
import dev.fairfleet.sim.Scenario.Sizes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SimulationSuiteTest {
  private static final List<SimulationRun> RUNS = SimulationSuite.runs(List.of(1L, 2L));

  /** Returns the suite's runs, each on a fleet and a web that take no time. */
  private static List<SimulationRun> inSmall() {
    return RUNS.stream()
        .map(
            run ->
                new SimulationRun(
                    new Scenario(
                        run.scenario().name(),
                        10,
                        200,
                        Sizes.ZIPF,
                        1_200,
                        Duration.ZERO,
                        2,
                        4,
                        2,
                        Duration.ofSeconds(1),
                        run.scenario().faults()),
                    run.policy(),
                    run.seed(),
                    run.command()))
        .toList();
  }

  @Test
  void runs_twoSeeds_areReservedEverywhereWithAndWithoutFaultsAndTheOthersOnTheFirst() {
    assertThat(RUNS).hasSize((5 * 2 + 2) * 2).doesNotHaveDuplicates();
    assertThat(RUNS.stream().map(run -> run.scenario().name()).distinct())
        .containsExactlyElementsOf(ScenarioFile.BUILT_IN);
    assertThat(RUNS)
        .filteredOn(run -> run.policy() != Policy.RESERVED)
        .hasSize(4)
        .allMatch(run -> run.scenario().name().equals("300-sites"));
    assertThat(RUNS).filteredOn(run -> run.scenario().faults().equals(Faults.MANY)).hasSize(10);
  }

  @Test
  void runs_command_replaysThatRun() {
    assertThat(RUNS)
        .extracting(SimulationRun::command)
        .contains(
            "fairfleet simulate --scenario idle-fleet --faults many --policy reserved --seed 2");
  }

  @Test
  void table_missedAndReachedTargets_areToldApart() throws InterruptedException {
    List<SimulationRun.Done> done =
        SimulationRun.all(inSmall(), new PrintWriter(new StringWriter()));
    List<String> lines = SimulationSuite.table(done, SqsPrices.read(null)).lines().toList();
    List<String> rows = lines.stream().filter(line -> line.startsWith("|")).toList();
    assertThat(rows).hasSize(2 + 12);
    assertThat(rows).allMatch(row -> row.split(" \\| ", -1).length == 14 || row.contains("---"));
    // A small site's few pages come one after the other, so this target is out of reach here.
    assertThat(rows.get(2))
        .startsWith("| 300-sites | reserved | none |")
        .contains("✗ (≤ 1.15)", "1.000 (≤ 1.05)", " (≤ 400)");
    assertThat(Stream.of(rows.get(3), rows.get(4)))
        .allMatch(row -> !row.contains("≤") && row.endsWith("| 0 |"));
    assertThat(lines.getLast()).contains("Medians of 2 seeds", "us-east-1, 2026-11");
  }
}
