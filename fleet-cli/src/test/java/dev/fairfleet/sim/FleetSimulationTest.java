package dev.fairfleet.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.sim.Scenario.Faults;
import dev.fairfleet.sim.Scenario.Sizes;
import java.time.Duration;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Promises of a fleet, each on a small simulated one. A failure is replayed by its seed; the larger
 * workloads are those of {@code fairfleet simulate --suite}.
 */
final class FleetSimulationTest {
  private static Outcome run(Scenarios scenario, Policy policy, long seed) {
    return Simulation.run(scenario.build(), policy, seed, share -> {});
  }

  /** Runs {@code reserved}, and makes sure that every promise was kept. */
  private static Outcome keepsPromises(Scenarios scenario, long seed) {
    Outcome outcome = run(scenario, Policy.RESERVED, seed);
    assertThat(outcome.violations()).as("seed %d", seed).isEmpty();
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void canDrainFrontierAfterWorkerCrashes(long seed) {
    Outcome outcome = keepsPromises(Scenarios.small().killEvery(Duration.ofSeconds(45)), seed);
    assertThat(outcome.counts().kills()).isGreaterThan(10);
    assertThat(outcome.counts().requests()).isGreaterThan(outcome.counts().pages());
  }

  @ParameterizedTest
  @CsvSource({"RESERVED,1", "RESERVED,2", "CLASSIC,1", "FIFO,1"})
  void keepsEveryHourlyLimitThoughTheFleetCouldDoMore(Policy policy, long seed) {
    Outcome outcome = run(Scenarios.small().hourlyLimit(60).pages(2_000), policy, seed);
    assertThat(outcome.violations()).isEmpty();
    assertThat(outcome.makespan()).isGreaterThan(9.0 * 3_600);
    assertThat(outcome.counts().requests()).isEqualTo(outcome.counts().pages());
  }

  @ParameterizedTest
  @CsvSource({"RESERVED,1", "RESERVED,2", "CLASSIC,1", "FIFO,1"})
  void keepsTheDelayBetweenTwoRequests(Policy policy, long seed) {
    Scenarios delayed = Scenarios.small().hourlyLimit(100_000).minDelay(Duration.ofSeconds(2));
    Outcome outcome = run(delayed, policy, seed);
    assertThat(outcome.violations()).isEmpty();
    int largest = outcome.sites().getFirst().pages();
    assertThat(outcome.makespan()).isGreaterThan(2.0 * (largest - 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void healsAfterAPurge(long seed) {
    Outcome outcome = keepsPromises(Scenarios.small().purgeAt(Duration.ofMinutes(2)), seed);
    assertThat(outcome.counts().healed()).isPositive();
    // What is inside a window for 15 minutes after its slot is sent again by the next sweep.
    double undisturbed = keepsPromises(Scenarios.small(), seed).makespan();
    assertThat(outcome.makespan()).isLessThan(undisturbed + 20 * 60);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void healsAfterThePurgeOfRootsThatNoWindowKnows(long seed) {
    Outcome outcome = keepsPromises(Scenarios.small().purgeAt(Duration.ofMillis(1)), seed);
    assertThat(outcome.counts().healed()).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void holdsTheInFlightQuotaAndRecoversFromItsSilence(long seed) {
    Scenarios tight = Scenarios.small().inFlightQuota(12).throttling(0.5);
    Outcome outcome = keepsPromises(tight, seed);
    SoftAssertions.assertSoftly(
        soft -> {
          soft.assertThat(outcome.mostInFlight()).isGreaterThanOrEqualTo(12);
          soft.assertThat(outcome.counts().shelvedAgain()).isPositive();
          soft.assertThat(outcome.counts().emptyReceives()).isPositive();
        });
  }

  @Test
  void parksInSqsWhileTheQuotaIsFar() {
    Outcome outcome = keepsPromises(Scenarios.small().throttling(0.5), 1);
    assertThat(outcome.counts().throttled()).isPositive();
    assertThat(outcome.counts().shelvedAgain()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void fallsIdleWithoutWaiting(long seed) {
    Scenarios idle = Scenarios.small().sizes(Sizes.EQUAL).sites(10).hourlyLimit(3_600).fleet(3, 20);
    Outcome outcome = keepsPromises(idle, seed);
    SoftAssertions.assertSoftly(
        soft -> {
          soft.assertThat(outcome.dwell().p50()).isLessThan(0.5);
          soft.assertThat(outcome.makespanOverIdeal()).isLessThan(1.2);
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void reservedReceivesAPageOnce(long seed) {
    Outcome outcome = keepsPromises(Scenarios.small(), seed);
    assertThat(outcome.costs().receives()).isBetween(1.0, 1.05);
  }

  @Test
  void classicReceivesAPageManyTimes() {
    assertThat(run(Scenarios.small(), Policy.CLASSIC, 1).costs().receives()).isGreaterThan(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aThrottlingSiteRestsAndIsFinishedAfterwards(long seed) {
    Outcome outcome = keepsPromises(Scenarios.small().throttling(1), seed);
    assertThat(outcome.counts().answered429()).isBetween(10L, 10L * 20);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void skewedClocksChangeNothingThatMatters(long seed) {
    Outcome even = keepsPromises(Scenarios.small(), seed);
    Outcome skewed = keepsPromises(Scenarios.small().skew(Duration.ofSeconds(90)), seed);
    SoftAssertions.assertSoftly(
        soft -> {
          soft.assertThat(skewed.costs().receives()).isLessThan(1.05);
          soft.assertThat(skewed.makespan())
              .isBetween(0.95 * even.makespan(), 1.05 * even.makespan());
          soft.assertThat(skewed.smallHalfOverIdeal(0.95))
              .isLessThan(1.2 * even.smallHalfOverIdeal(0.95));
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void deliversTwiceAndLateWithoutHarm(long seed) {
    Outcome outcome = keepsPromises(Scenarios.small().duplicates(0.2).late(0.2), seed);
    assertThat(outcome.counts().copies()).isGreaterThan(100);
    assertThat(outcome.counts().requests()).isLessThan(2 * outcome.counts().pages());
  }

  @ParameterizedTest
  @CsvSource({"RESERVED,1", "RESERVED,2", "RESERVED,3", "CLASSIC,1", "FIFO,1"})
  void keepsEveryPromiseOnABadDay(Policy policy, long seed) {
    Scenario bad = Scenarios.small().pages(3_000).build().with(Faults.MANY);
    assertThat(Simulation.run(bad, policy, seed, share -> {}).violations()).isEmpty();
  }

  @Test
  void sameSeedIsTheSameRun() {
    Scenario bad = Scenarios.small().build().with(Faults.MANY);
    for (Policy policy : Policy.values()) {
      Outcome once = Simulation.run(bad, policy, 7, share -> {});
      assertThat(Simulation.run(bad, policy, 7, share -> {})).isEqualTo(once);
      assertThat(Simulation.run(bad, policy, 8, share -> {}).events()).isNotEqualTo(once.events());
    }
  }

  @Test
  void aSmallSiteIsServedBesideALargeOne() {
    Scenarios oneLarge = Scenarios.small().sizes(Sizes.ONE_LARGE).pages(6_000).hourlyLimit(3_600);
    Outcome outcome = keepsPromises(oneLarge, 1);
    assertThat(outcome.smallHalfOverIdeal(0.95)).isLessThan(1.3);
  }
}
