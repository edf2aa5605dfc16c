package dev.fairfleet.cli;

import dev.fairfleet.sim.Outcome;
import dev.fairfleet.sim.Policy;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What came out of simulations of one policy on one scenario: medians over the seeds.
 *
 * @param runs one per seed, at least one
 */
record SimulationFigures(List<SimulationRun.Done> runs, SqsPrices prices) {
  Policy policy() {
    return runs.getFirst().run().policy();
  }

  String name() {
    return SimulationRun.name(policy());
  }

  /** Returns the outcome of the first seed, for pictures. */
  Outcome first() {
    return runs.getFirst().outcome();
  }

  double median(ToDoubleFunction<Outcome> figure) {
    return Statistics.percentile(
        runs.stream().map(done -> figure.applyAsDouble(done.outcome())).toList(), 0.5);
  }

  double smallHalf(double share) {
    return median(outcome -> outcome.smallHalfOverIdeal(share));
  }

  double makespan() {
    return median(Outcome::makespanOverIdeal);
  }

  double receives() {
    return median(outcome -> outcome.costs().receives());
  }

  double requests() {
    return median(outcome -> outcome.costs().requests());
  }

  double mostInFlight() {
    return median(Outcome::mostInFlight);
  }

  double jain() {
    return median(Outcome::jain);
  }

  double dwell95() {
    return median(outcome -> outcome.dwell().p95());
  }

  double dollars() {
    return median(outcome -> prices.forMillionPages(outcome.policy(), outcome.costs()));
  }

  int violations() {
    return runs.stream().mapToInt(done -> done.outcome().violations().size()).sum();
  }
}
