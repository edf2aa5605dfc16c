package dev.fairfleet.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.politeness.Admission.Deferred;
import dev.fairfleet.politeness.Admission.Granted;
import dev.fairfleet.politeness.Admission.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
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
  private static final long MINUTE = 60_000_000;
  private static final long FARTHEST = 15 * MINUTE;
  private static final GateLimits EVEN = new GateLimits(60, 1, Duration.ZERO);
  private static final long EVEN_INTERVAL = EVEN.intervalMicros();

  private final PolitenessPolicy policy = new PolitenessPolicy();

  private Admission admit(GateState state, GateLimits limits, long now) {
    return policy.admit(state, limits, now).admission();
  }

  private static GateState asked(long arrivalMicros, long grantedMicros) {
    return new GateState(arrivalMicros, 0, 0, 0, grantedMicros, 0);
  }

  private static Deferred deferred(long micros, Limit limit) {
    return new Deferred(Duration.ofNanos(micros * 1_000), limit);
  }

  @Test
  void admit_neverAsked_isGrantedAndRemembered() {
    assertThat(policy.admit(GateState.NEW, ONLY_HOURLY, T))
        .isEqualTo(
            new PolitenessPolicy.Decision(new Granted(), Optional.of(asked(T + INTERVAL, T))));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, DELAY - 1, DELAY})
  void admit_beforeDelayEnds_defersToItsEnd(long tooEarly) {
    GateState asked = asked(0, T);

    assertThat(admit(asked, ONLY_DELAY, T + DELAY - tooEarly))
        .isEqualTo(deferred(tooEarly, Limit.DELAY));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 1_000_000_000_000L})
  void admit_delayEnded_isGranted(long late) {
    assertThat(admit(asked(0, T), ONLY_DELAY, T + DELAY + late)).isEqualTo(new Granted());
  }

  @ParameterizedTest
  @CsvSource({"-1, false", "0, true", "1, true"})
  void admit_aroundTheEndOfTheBurst_turnsWithinOneMicrosecond(long offset, boolean granted) {
    long free = T + INTERVAL;
    GateState burstUsed = asked(free + ONLY_HOURLY.toleranceMicros(), T);

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

    assertThat(admit(asked(T + interval, T), both, T)).isEqualTo(deferred(interval, Limit.HOURLY));
    assertThat(admit(asked(T + 1, T), both, T)).isEqualTo(deferred(DELAY, Limit.DELAY));
  }

  @Test
  void admit_deferred_changesNothing() {
    assertThat(policy.admit(asked(0, T), ONLY_DELAY, T + 1).next()).isEmpty();
  }

  @Test
  void admit_clockSteppedBack_waitsOneDelayAndNoLonger() {
    PolitenessPolicy.Decision decision = policy.admit(asked(0, T + 90_000_000), ONLY_DELAY, T);

    assertThat(decision.admission()).isEqualTo(deferred(DELAY, Limit.DELAY));
    assertThat(decision.next()).contains(asked(0, T));
  }

  @Test
  void admit_arrivalBeyondAnyHistory_isTakenForABurstJustUsed() {
    PolitenessPolicy.Decision decision = policy.admit(asked(Long.MAX_VALUE, 0), ONLY_HOURLY, T);

    assertThat(decision.admission()).isEqualTo(deferred(INTERVAL, Limit.HOURLY));
    assertThat(decision.next()).contains(asked(T + ONLY_HOURLY.toleranceMicros() + INTERVAL, 0));
  }

  private static List<Duration> micros(long... micros) {
    return LongStream.of(micros).mapToObj(value -> Duration.ofNanos(value * 1_000)).toList();
  }

  private PolitenessPolicy.Slots reserve(GateState state, GateLimits limits, int slots) {
    return policy.reserve(state, limits, slots, FARTHEST, T);
  }

  @Test
  void reserve_neverAsked_beginsNowAndIsRemembered() {
    assertThat(reserve(GateState.NEW, ONLY_HOURLY, 1))
        .isEqualTo(
            new PolitenessPolicy.Slots(micros(0), new GateState(0, T + INTERVAL, 0, 0, 0, T)));
  }

  @Test
  void reserve_moreThanTheBurst_goesOnAtTheEvenPace() {
    assertThat(reserve(GateState.NEW, ONLY_HOURLY, 6).after())
        .isEqualTo(micros(0, 0, 0, INTERVAL, 2 * INTERVAL, 3 * INTERVAL));
  }

  @Test
  void reserve_again_goesOnWhereItEnded() {
    GateState state = reserve(GateState.NEW, ONLY_HOURLY, 4).next();

    assertThat(reserve(state, ONLY_HOURLY, 2).after())
        .isEqualTo(micros(2 * INTERVAL, 3 * INTERVAL));
  }

  @Test
  void reserve_burstUsed_beginsOneIntervalLater() {
    GateState burstUsed = asked(T + ONLY_HOURLY.toleranceMicros() + INTERVAL, T);

    assertThat(reserve(burstUsed, ONLY_HOURLY, 2).after())
        .isEqualTo(micros(INTERVAL, 2 * INTERVAL));
  }

  @Test
  void reserve_hostAskedBefore_beginsWhenItsDelayEnds() {
    assertThat(reserve(asked(0, T - DELAY + 1), ONLY_DELAY, 3).after())
        .isEqualTo(micros(1, 1 + DELAY, 1 + 2 * DELAY));
    assertThat(reserve(asked(0, T - DELAY), ONLY_DELAY, 2).after()).isEqualTo(micros(0, DELAY));
  }

  @Test
  void reserve_otherHost_sharesTheLineOfTheSite() {
    GateState first = reserve(GateState.NEW, EVEN, 2).next();
    GateState otherHost = new GateState(first.arrivalMicros(), first.tailMicros(), 0, 0, 0, 0);

    assertThat(reserve(otherHost, EVEN, 1).after()).isEqualTo(micros(2 * EVEN_INTERVAL));
  }

  @ParameterizedTest
  @CsvSource({"-1, 2", "0, 3", "1, 3"})
  void reserve_aroundTheEndOfWithin_turnsWithinOneMicrosecond(long offset, int given) {
    PolitenessPolicy.Slots slots =
        policy.reserve(GateState.NEW, EVEN, 9, 2 * EVEN_INTERVAL + offset, T);

    assertThat(slots.after()).hasSize(given);
    assertThat(slots.next().tailMicros()).isEqualTo(T + given * EVEN_INTERVAL);
  }

  @ParameterizedTest
  @CsvSource({"-1, 2", "0, 2", "1, 1"})
  void reserve_aroundTheFarthestSlot_turnsWithinOneMicrosecond(long offset, int given) {
    GateLimits limits = new GateLimits(1_000_000, 1, Duration.ofNanos((FARTHEST + offset) * 1_000));

    assertThat(policy.reserve(GateState.NEW, limits, 9, Long.MAX_VALUE, T).after()).hasSize(given);
  }

  @Test
  void reserve_coolingDown_beginsAtTheEndAtTheEvenPace() {
    GateState resting = policy.coolDown(GateState.NEW, ONLY_HOURLY, MINUTE, 0, T);

    assertThat(reserve(resting, ONLY_HOURLY, 3).after())
        .isEqualTo(micros(MINUTE, MINUTE + INTERVAL, MINUTE + 2 * INTERVAL));
  }

  @Test
  void reserve_slotsNobodyUsed_doNotHoldARequestBack() {
    GateState state = reserve(GateState.NEW, EVEN, 10).next();

    assertThat(admit(state, EVEN, T)).isEqualTo(new Granted());
  }

  @Test
  void reserve_tailInThePast_beginsNow() {
    GateState longAgo = new GateState(0, T - 1, 0, 0, 0, T - MINUTE);

    assertThat(reserve(longAgo, EVEN, 2).after()).isEqualTo(micros(0, EVEN_INTERVAL));
  }

  @Test
  void reserve_tailBeyondAnyHistory_isTakenToEndAtTheFarthestSlot() {
    GateState spoilt = new GateState(0, Long.MAX_VALUE, 0, 0, 0, Long.MAX_VALUE);

    assertThat(reserve(spoilt, EVEN, 1).after()).isEmpty();
    assertThat(policy.reserve(spoilt, EVEN, 1, FARTHEST, T).next())
        .isEqualTo(new GateState(0, T + FARTHEST + EVEN_INTERVAL, 0, 0, 0, T + FARTHEST));
  }

  private GateState coolDown(GateState state, long asked, long now) {
    return policy.coolDown(state, ONLY_HOURLY, asked, 0, now);
  }

  @ParameterizedTest
  @CsvSource({"0, 100000000", "500, 112500000", "999, 124975000"})
  void coolDown_askedFor_restsForThatAndUpToAQuarter(int jitter, long rest) {
    assertThat(policy.coolDown(GateState.NEW, ONLY_HOURLY, 100_000_000, jitter, T))
        .isEqualTo(
            new GateState(
                T + rest + ONLY_HOURLY.toleranceMicros(), 0, T + rest, 100_000_000, 0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "86399999999, 86399999999",
    "86400000000, 86400000000",
    "86400000001, 86400000000",
    "9223372036854775807, 86400000000"
  })
  void coolDown_askedForAnything_restsForADayAtMost(long asked, long rest) {
    assertThat(coolDown(GateState.NEW, asked, T).coolUntilMicros()).isEqualTo(T + rest);
  }

  @Test
  void coolDown_notSaidAgainAndAgain_doublesUpToAnHour() {
    List<Long> seconds = new ArrayList<>();
    GateState state = GateState.NEW;
    long now = T;
    for (int i = 0; i < 9; i++) {
      state = coolDown(state, -1, now);
      seconds.add((state.coolUntilMicros() - now) / 1_000_000);
      now = state.coolUntilMicros();
    }

    assertThat(seconds).containsExactly(30L, 60L, 120L, 240L, 480L, 960L, 1920L, 3600L, 3600L);
  }

  @ParameterizedTest
  @CsvSource({"0, 60", "29999999, 60", "30000000, 30", "30000001, 30"})
  void coolDown_notSaidSomeTimeAfterTheLast_startsAnewOnceThatTimeWentBy(long after, long seconds) {
    GateState state = coolDown(GateState.NEW, -1, T);
    long now = state.coolUntilMicros() + after;

    assertThat(coolDown(state, -1, now).coolUntilMicros()).isEqualTo(now + seconds * 1_000_000);
  }

  @Test
  void coolDown_notSaidAfterALongOneThatWasAskedFor_restsForAnHour() {
    GateState state = coolDown(GateState.NEW, 5 * 60 * MINUTE, T);
    long now = state.coolUntilMicros();

    assertThat(coolDown(state, -1, now).coolUntilMicros()).isEqualTo(now + 60 * MINUTE);
  }

  @Test
  void coolDown_whileResting_onlyALongerTimeThatIsAskedForCounts() {
    GateState resting = coolDown(GateState.NEW, 100_000_000, T);
    long now = T + 40_000_000;

    assertThat(coolDown(resting, -1, now)).isEqualTo(resting);
    assertThat(coolDown(resting, 0, now)).isEqualTo(resting);
    assertThat(coolDown(resting, 59_999_999, now)).isEqualTo(resting);
    assertThat(coolDown(resting, 60_000_001, now).coolUntilMicros()).isEqualTo(now + 60_000_001);
  }

  @ParameterizedTest
  @CsvSource({"-1, false", "0, true", "1, true"})
  void admit_aroundTheEndOfACoolDown_turnsWithinOneMicrosecond(long offset, boolean granted) {
    GateState resting = coolDown(GateState.NEW, MINUTE, T);

    assertThat(admit(resting, ONLY_HOURLY, T + MINUTE + offset))
        .isEqualTo(granted ? new Granted() : deferred(-offset, Limit.COOL_DOWN));
  }

  @Test
  void admit_afterACoolDown_keepsTheEvenPace() {
    GateState resting = coolDown(GateState.NEW, MINUTE, T);
    GateState first = policy.admit(resting, ONLY_HOURLY, T + MINUTE).next().orElseThrow();

    assertThat(admit(first, ONLY_HOURLY, T + MINUTE)).isEqualTo(deferred(INTERVAL, Limit.HOURLY));
  }

  @Test
  void admit_coolDownWhoseEndIsSpoilt_restsForItsLengthAndAQuarter() {
    assertThat(admit(new GateState(0, 0, Long.MAX_VALUE, 8_000_000, 0, 0), ONLY_HOURLY, T))
        .isEqualTo(deferred(10_000_000, Limit.COOL_DOWN));
    assertThat(admit(new GateState(0, 0, Long.MAX_VALUE, 0, 0, 0), ONLY_HOURLY, T))
        .isEqualTo(new Granted());
  }

  @Test
  void admit_coolDownOfAnImpossibleLength_isTakenForTheFirst() {
    assertThat(admit(new GateState(0, 0, Long.MAX_VALUE, Long.MAX_VALUE, 0, 0), ONLY_HOURLY, T))
        .isEqualTo(deferred(37_500_000, Limit.COOL_DOWN));
  }

  @Test
  void retryAfterMicros_anyTime_liesBetweenZeroAndADay() {
    assertThat(PolitenessPolicy.retryAfterMicros(Optional.empty())).isEqualTo(-1);
    assertThat(retryAfter(Duration.ofSeconds(Long.MIN_VALUE))).isZero();
    assertThat(retryAfter(Duration.ofMillis(1))).isEqualTo(1_000);
    assertThat(retryAfter(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(86_400_000_000L);
  }

  private static long retryAfter(Duration asked) {
    return PolitenessPolicy.retryAfterMicros(Optional.of(asked));
  }

  @Test
  void withinMicros_anyTime_liesBetweenZeroAndTheFarthestSlot() {
    assertThat(PolitenessPolicy.withinMicros(Duration.ofSeconds(-1))).isZero();
    assertThat(PolitenessPolicy.withinMicros(Duration.ofMillis(1))).isEqualTo(1_000);
    assertThat(PolitenessPolicy.withinMicros(Duration.ofSeconds(Long.MAX_VALUE)))
        .isEqualTo(FARTHEST);
  }
}
