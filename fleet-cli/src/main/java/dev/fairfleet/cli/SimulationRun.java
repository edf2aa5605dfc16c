package dev.fairfleet.cli;

import dev.fairfleet.sim.Outcome;
import dev.fairfleet.sim.Policy;
import dev.fairfleet.sim.Scenario;
import dev.fairfleet.sim.Simulation;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A simulation to be run.
 *
 * @param command replays it
 */
record SimulationRun(Scenario scenario, Policy policy, long seed, String command) {
  private static final int MOST_AT_ONCE = 2;
  private static final Duration LINE_EVERY = Duration.ofSeconds(5);

  /** A simulation that was run. */
  record Done(SimulationRun run, Outcome outcome) {}

  /**
   * Runs simulations, two at a time where there are two cores.
   *
   * @param progress is told now and then how far they are
   * @return how each went, in the order given
   */
  static List<Done> all(List<SimulationRun> runs, PrintWriter progress)
      throws InterruptedException {
    int threads = Math.min(MOST_AT_ONCE, Runtime.getRuntime().availableProcessors());
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Done>> futures = new ArrayList<>();
      for (SimulationRun run : runs) {
        futures.add(executor.submit(() -> run.run(progress)));
      }
      List<Done> done = new ArrayList<>();
      for (Future<Done> future : futures) {
        done.add(future.get());
      }
      return done;
    } catch (ExecutionException e) {
      throw new IllegalStateException("A simulation failed; this is a fault of Fairfleet", e);
    }
  }

  private Done run(PrintWriter progress) {
    long start = System.nanoTime();
    long[] lined = {start};
    Outcome outcome =
        Simulation.run(
            scenario,
            policy,
            seed,
            share -> {
              if (System.nanoTime() - lined[0] >= LINE_EVERY.toNanos()) {
                lined[0] = System.nanoTime();
                line(progress, String.format(Locale.ROOT, "%.0f %%", share * 100));
              }
            });
    double seconds = (System.nanoTime() - start) / 1e9;
    line(progress, String.format(Locale.ROOT, "%,d events in %.1f s", outcome.events(), seconds));
    return new Done(this, outcome);
  }

  private void line(PrintWriter progress, String what) {
    progress.println(scenario.name() + ", " + name(policy) + ", seed " + seed + ": " + what);
    progress.flush();
  }

  /** Returns a policy's name as users write it. */
  static String name(Policy policy) {
    return policy.name().toLowerCase(Locale.ROOT);
  }
}
