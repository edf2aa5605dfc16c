package dev.fairfleet.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.data.Offset.offset;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PressureTest {
  private static final long DAY = 86_400_000;

  private static double after(double before, long dwell, long since, long watched) {
    return new Pressure(before)
        .after(Duration.ofMillis(dwell), Duration.ofMillis(since), Duration.ofMillis(watched))
        .value();
  }

  @ParameterizedTest(name = "{0}, dwell {1} ms after {2} ms: {3}")
  @CsvSource({
    "1, 0, 0, 1",
    "1, 0, 4000, 0.5",
    "1, 0, 8000, 0.25",
    "0.8, 0, 4000, 0.4",
    "0, 0, 4000, 0",
    "0, 20000, 0, 0",
    "0, 20000, 4000, 0.5",
    "0, 20000, 8000, 0.75",
    "1, 20000, 4000, 1",
    "0, 10000, 4000, 0.25",
    "0, 10000, 86400000, 0.5",
    "0.5, 10000, 4000, 0.5",
  })
  void after_firstReceives_isTheMeanInWhichTheOldHalvesEveryFourSeconds(
      double before, long dwell, long since, double after) {
    assertThat(after(before, dwell, since, 0)).isCloseTo(after, offset(1e-12));
  }

  @ParameterizedTest(name = "watched for {0} ms: halves in {1} ms")
  @CsvSource({
    "0, 4000",
    "-1, 4000",
    "7998, 4000",
    "8000, 4000",
    "8002, 4001",
    "20000, 10000",
    "39998, 19999",
    "40000, 20000",
    "40002, 20000",
    "86400000, 20000",
  })
  void after_watchedForLonger_forgetsMoreSlowly(long watched, long halfLife) {
    assertThat(after(1, 0, halfLife, watched)).isCloseTo(0.5, offset(1e-12));
  }

  @ParameterizedTest
  @CsvSource({
    "19999, 0.99995",
    "20000, 1",
    "20001, 1",
    "43200000, 1",
    "0, 0",
    "-1, 0",
    "-43200000, 0"
  })
  void after_dwellForLong_isFullFromTwentySecondsOn(long dwell, double pressure) {
    assertThat(after(0, dwell, DAY, DAY)).isCloseTo(pressure, offset(1e-12));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, -43_200_000})
  void after_noTimeOrClockSteppedBack_isUnchanged(long since) {
    assertThat(after(0.3, 20_000, since, 0)).isEqualTo(0.3);
  }

  @Property
  void after_anything_liesBetweenWhatItWasAndWhatWasSeen(
      @ForAll @DoubleRange(max = 1) double before,
      @ForAll @LongRange(min = -DAY, max = DAY) long dwell,
      @ForAll @LongRange(min = -DAY, max = DAY) long since,
      @ForAll @LongRange(min = -DAY, max = DAY) long watched) {
    double seen = Math.clamp(dwell / 20_000.0, 0, 1);

    assertThat(after(before, dwell, since, watched))
        .isBetween(Math.min(before, seen) - 1e-12, Math.max(before, seen) + 1e-12);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.0001, 1.0001, Double.NaN})
  void new_outOfRange_isRefused(double value) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Pressure(value));
  }
}
