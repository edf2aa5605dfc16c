package dev.fairfleet.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairfleet.fairness.SlotGrid.Approach;
import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlotGridTest {
  private static final Instant TICK = Instant.parse("2026-11-30T12:00:00Z");
  private static final long SECOND = 1_000_000_000;
  private static final long FARTHEST_TO_DELAY = DelayPolicy.MAX_SECONDS * SECOND;

  @ParameterizedTest(name = "{0} ms past a tick, slot after {1} ms: {2} s, then {3} ms")
  @CsvSource({
    "0, 0, 0, 0",
    "0, 1, 0, 1",
    "0, 9999, 0, 9999",
    "0, 10000, 10, 0",
    "0, 10001, 10, 1",
    "0, 19999, 10, 9999",
    "0, 20000, 20, 0",
    "5000, 4999, 0, 4999",
    "5000, 5000, 5, 0",
    "5000, 14999, 5, 9999",
    "1, 9998, 0, 9998",
    "1, 9999, 10, 0",
    "1, 10500, 10, 500",
    "999, 9001, 10, 0",
    "1000, 9001, 9, 1",
    "0, 899999, 890, 9999",
    "0, 900000, 900, 0",
    "5000, 900000, 895, 5000",
    "9000, 901000, 900, 1000",
    "1, 900000, 900, 0",
  })
  void approach_aroundTicks_isVisibleAtTheLastTickBeforeItsSlot(
      long past, long after, long delay, long hold) {
    assertThat(SlotGrid.DEFAULT.approach(Duration.ofMillis(after), TICK.plusMillis(past)))
        .isEqualTo(new Approach(Duration.ofSeconds(delay), Duration.ofMillis(hold)));
  }

  @ParameterizedTest
  @CsvSource({"909999, 9999", "910000, 10000", "3600000, 2700000"})
  void approach_fartherThanSqsCanDelay_isDelayedAsLongAsItCan(long after, long hold) {
    assertThat(SlotGrid.DEFAULT.approach(Duration.ofMillis(after), TICK))
        .isEqualTo(new Approach(Duration.ofMinutes(15), Duration.ofMillis(hold)));
  }

  @Property
  void approach_anySlotThatSqsCanWaitFor_reachesItWithinASecond(
      @ForAll @IntRange(min = 1, max = 60) int step,
      @ForAll @LongRange(max = FARTHEST_TO_DELAY) long afterNanos,
      @ForAll @LongRange(max = 1L << 60) long clockNanos) {
    SlotGrid grid = new SlotGrid(Duration.ofSeconds(step));
    Duration after = Duration.ofNanos(afterNanos);

    Approach approach = grid.approach(after, Instant.EPOCH.plusNanos(clockNanos));

    assertThat(approach.hold()).isBetween(Duration.ZERO, Duration.ofSeconds(step).minusNanos(1));
    assertThat(approach.delay().plus(approach.hold()))
        .isBetween(after, after.plusSeconds(1).minusNanos(1));
  }

  /** Rounded up to whole seconds, so that nothing comes before its tick. */
  @Property
  void approach_delayed_isVisibleInTheFirstSecondOfATick(
      @ForAll @IntRange(min = 1, max = 60) int step,
      @ForAll @LongRange(max = FARTHEST_TO_DELAY) long afterNanos,
      @ForAll @LongRange(max = 1L << 60) long clockNanos) {
    Instant now = Instant.EPOCH.plusNanos(clockNanos);
    Approach approach =
        new SlotGrid(Duration.ofSeconds(step)).approach(Duration.ofNanos(afterNanos), now);

    if (approach.delay().isPositive()) {
      assertThat(now.plus(approach.delay()).getEpochSecond() % step).isZero();
    }
  }

  /** P103: what a clock that is ahead or behind changes is which moments are ticks, and no more. */
  @Property
  void approach_skewedClock_onlyShiftsTheTicks(
      @ForAll @LongRange(max = FARTHEST_TO_DELAY) long afterNanos,
      @ForAll @LongRange(min = -90_000, max = 90_000) long skewMillis,
      @ForAll @IntRange(min = -9, max = 9) int steps) {
    Duration after = Duration.ofNanos(afterNanos);
    Instant skewed = TICK.plusMillis(skewMillis);
    Approach approach = SlotGrid.DEFAULT.approach(after, skewed);

    assertThat(SlotGrid.DEFAULT.approach(after, skewed.plusSeconds(10L * steps)))
        .isEqualTo(approach);
    assertThat(approach.delay()).isGreaterThan(after.minusSeconds(10));
    assertThat(approach.delay()).isLessThan(after.plusSeconds(1));
  }

  /** P76: however far the slot, SQS takes the delay. */
  @Property
  void approach_anySlot_isDelayedByWholeSecondsUpTo900(
      @ForAll @IntRange(min = 1, max = 100_000) int step,
      @ForAll @LongRange long afterNanos,
      @ForAll @LongRange long clockNanos) {
    Approach approach =
        new SlotGrid(Duration.ofSeconds(step))
            .approach(Duration.ofNanos(afterNanos), Instant.EPOCH.plusNanos(clockNanos));

    assertThat(approach.delay()).isBetween(Duration.ZERO, Duration.ofMinutes(15));
    assertThat(approach.delay().toNanosPart()).isZero();
    assertThat(approach.hold()).isGreaterThanOrEqualTo(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1_000, 0, 1, 999, 1_500})
  void new_stepThatIsNoWholeSeconds_isRefused(long millis) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SlotGrid(Duration.ofMillis(millis)))
        .withMessageContaining("whole seconds");
  }
}
