package dev.fairfleet.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.politeness.Admission.Deferred;
import dev.fairfleet.politeness.Admission.Granted;
import dev.fairfleet.politeness.Admission.Limit;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolitenessPolicyTest {
  private static final long T = 1_800_000_000_000_000L;
  private static final long DELAY = 2_000_000;
  private static final GateLimits ONLY_DELAY =
      new GateLimits(1_000_000, 10, Duration.ofNanos(DELAY * 1_000));
  private static final GateLimits ONLY_HOURLY = new GateLimits(60, 3, Duration.ZERO);
  private static final long INTERVAL = ONLY_HOURLY.intervalMicros();

  private final PolitenessPolicy policy = new PolitenessPolicy();

  private Admission admit(GateState state, GateLimits limits, long now) {
    return policy.admit(state, limits, now).admission();
  }

  private static Deferred deferred(long micros, Limit limit) {
    return new Deferred(Duration.ofNanos(micros * 1_000), limit);
  }

  @Test
  void admit_neverAsked_isGrantedAndRemembered() {
    assertThat(policy.admit(GateState.NEW, ONLY_HOURLY, T))
        .isEqualTo(
            new PolitenessPolicy.Decision(
                new Granted(), Optional.of(new GateState(T + INTERVAL, T))));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, DELAY - 1, DELAY})
  void admit_beforeDelayEnds_defersToItsEnd(long tooEarly) {
    GateState asked = new GateState(0, T);

    assertThat(admit(asked, ONLY_DELAY, T + DELAY - tooEarly))
        .isEqualTo(deferred(tooEarly, Limit.DELAY));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000_000_000_000L})
  void admit_delayEnded_isGranted(long late) {
    assertThat(admit(new GateState(0, T), ONLY_DELAY, T + DELAY + late)).isEqualTo(new Granted());
  }

  @ParameterizedTest
  @CsvSource({"-1, false", "0, true", "1, true"})
  void admit_aroundTheEndOfTheBurst_turnsWithinOneMicrosecond(long offset, boolean granted) {
    long free = T + INTERVAL;
    GateState burstUsed = new GateState(free + ONLY_HOURLY.toleranceMicros(), T);

    assertThat(admit(burstUsed, ONLY_HOURLY, free + offset))
        .isEqualTo(granted ? new Granted() : deferred(-offset, Limit.HOURLY));
  }

  @Test
  void admit_burstAtOneMoment_grantsExactlyTheBurst() {
    GateState state = GateState.NEW;
    for (int i = 0; i < ONLY_HOURLY.burst(); i++) {
      state = policy.admit(state, ONLY_HOURLY, T).next().orElseThrow();
    }

    assertThat(admit(state, ONLY_HOURLY, T)).isEqualTo(deferred(INTERVAL, Limit.HOURLY));
  }

  @Test
  void admit_bothLimitsHold_namesTheLaterOne() {
    GateLimits both = new GateLimits(60, 1, Duration.ofSeconds(2));
    long interval = both.intervalMicros();

    assertThat(admit(new GateState(T + interval, T), both, T))
        .isEqualTo(deferred(interval, Limit.HOURLY));
    assertThat(admit(new GateState(T + 1, T), both, T)).isEqualTo(deferred(DELAY, Limit.DELAY));
  }

  @Test
  void admit_deferred_changesNothing() {
    assertThat(policy.admit(new GateState(0, T), ONLY_DELAY, T + 1).next()).isEmpty();
  }

  @Test
  void admit_clockSteppedBack_waitsOneDelayAndNoLonger() {
    PolitenessPolicy.Decision decision =
        policy.admit(new GateState(0, T + 90_000_000), ONLY_DELAY, T);

    assertThat(decision.admission()).isEqualTo(deferred(DELAY, Limit.DELAY));
    assertThat(decision.next()).contains(new GateState(0, T));
  }

  @Test
  void admit_arrivalBeyondAnyHistory_isTakenForABurstJustUsed() {
    PolitenessPolicy.Decision decision =
        policy.admit(new GateState(Long.MAX_VALUE, 0), ONLY_HOURLY, T);

    assertThat(decision.admission()).isEqualTo(deferred(INTERVAL, Limit.HOURLY));
    assertThat(decision.next())
        .contains(new GateState(T + ONLY_HOURLY.toleranceMicros() + INTERVAL, 0));
  }
}
