package dev.fairfleet.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.GateState;
import dev.fairfleet.politeness.PolitenessPolicy;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowPolicyTest {
  private static final int WIDE = 1_000;
  private static final long NOW = 1_800_000_000_000_000L;
  private static final WindowPolicy POLICY = WindowPolicy.DEFAULT;

  /** May be asked once a second, but for the microsecond that the exact hour costs. */
  private static final GateLimits ONCE_A_SECOND = new GateLimits(3_600, 1, Duration.ZERO);

  private static GateLimits limits(int requestsPerHour, int burst, long delaySeconds) {
    return new GateLimits(requestsPerHour, burst, Duration.ofSeconds(delaySeconds));
  }

  @ParameterizedTest
  @CsvSource({"0, 30", "0.1, 23", "0.25, 16", "0.5, 9", "0.75, 6", "1, 6"})
  void size_underPressure_goesSteeplyFromHalfAMinuteToTheLeast(double pressure, int size) {
    assertThat(POLICY.size(ONCE_A_SECOND, new Pressure(pressure), WIDE)).isEqualTo(size);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 6",
    "1, 6",
    "3, 6",
    "4, 8",
    "7, 14",
    "14, 28",
    "15, 30",
    "16, 30",
    "2147483647, 30"
  })
  void size_fleetAtRest_isAtMostTwiceWhatItWas(int before, int size) {
    assertThat(POLICY.size(ONCE_A_SECOND, Pressure.NONE, before)).isEqualTo(size);
  }

  @ParameterizedTest
  @CsvSource({"0, 6", "30, 6"})
  void size_fullPressure_isTheLeastWhateverItWas(int before, int size) {
    assertThat(POLICY.size(ONCE_A_SECOND, Pressure.FULL, before)).isEqualTo(size);
  }

  @ParameterizedTest(name = "{0} an hour, burst {1}, {2} s apart: {3}")
  @CsvSource({
    "100000, 10, 0, 300",
    "36000, 10, 0, 300",
    "35000, 10, 0, 292",
    "3600, 10, 1, 30",
    "3600, 10, 2, 15",
    "900, 1, 0, 8",
    "721, 1, 0, 7",
    "720, 1, 0, 6",
    "60, 6, 0, 6",
    "25, 1, 0, 6",
    "24, 1, 0, 5",
    "9, 1, 0, 2",
    "8, 1, 0, 1",
    "5, 1, 0, 1",
    "4, 1, 0, 1",
    "1, 1, 0, 1",
    "20, 2, 0, 5",
    "3600, 10, 150, 6",
    "3600, 10, 151, 5",
    "3600, 10, 450, 2",
    "3600, 10, 451, 1",
    "3600, 10, 900, 1",
    "3600, 10, 901, 1",
    "3600, 10, 86400, 1",
  })
  void size_siteOfAnyPace_isHalfAMinuteOfItButNoMoreThanHasSlotsSoon(
      int requestsPerHour, int burst, long delaySeconds, int size) {
    assertThat(POLICY.size(limits(requestsPerHour, burst, delaySeconds), Pressure.NONE, WIDE))
        .isEqualTo(size);
  }

  /** Otherwise tasks would go from shelf to window and back. */
  @Property
  void size_anyLimitsAndPressure_hasASlotForEachTask(
      @ForAll @IntRange(min = 1, max = 200_000) int requestsPerHour,
      @ForAll @IntRange(min = 1, max = 10) int burst,
      @ForAll @IntRange(max = 2_000_000) int delayMillis,
      @ForAll @DoubleRange(max = 1) double pressure) {
    GateLimits limits =
        new GateLimits(
            requestsPerHour, Math.min(burst, requestsPerHour), Duration.ofMillis(delayMillis));
    Pressure fleet = new Pressure(pressure);
    int size = POLICY.size(limits, fleet, WIDE);

    assertThat(
            new PolitenessPolicy()
                .reserve(
                    GateState.NEW,
                    POLICY.forSlots(limits, fleet),
                    size,
                    PolitenessPolicy.withinMicros(PolitenessPolicy.FARTHEST_SLOT),
                    NOW)
                .after())
        .hasSize(size);
  }

  @ParameterizedTest(name = "{0} an hour, pressure {1}: {2} ms")
  @CsvSource({
    "3600, 0, 0",
    "3600, 0.5, 1000",
    "3600, 1, 2000",
    "721, 1, 9988",
    "720, 1, 10000",
    "360, 1, 10000",
    "360, 0.2, 4001",
    "60, 1, 10000",
    "60, 0.1, 10000",
    "60, 0.01, 1200",
  })
  void forSlots_underPressure_liesUpToTwiceAsFarApartButNotBeyondTenSeconds(
      int requestsPerHour, double pressure, long millis) {
    GateLimits slots = POLICY.forSlots(limits(requestsPerHour, 1, 0), new Pressure(pressure));

    assertThat(slots.minDelay().toMillis()).isEqualTo(millis);
    assertThat(slots.requestsPerHour()).isEqualTo(requestsPerHour);
    assertThat(slots.burst()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "1, 0.49", "30, 1"})
  void forSlots_siteThatMayBeAskedLessOftenAnyway_isUnchanged(long delay, double pressure) {
    GateLimits limits = limits(3_600, 10, delay);

    assertThat(POLICY.forSlots(limits, new Pressure(pressure))).isEqualTo(limits);
  }

  @Property
  void forSlots_anyLimits_areNeverCloserThanTheSitesOwn(
      @ForAll @IntRange(min = 1, max = 200_000) int requestsPerHour,
      @ForAll @IntRange(max = 2_000_000) int delayMillis,
      @ForAll @DoubleRange(max = 1) double pressure) {
    GateLimits limits = new GateLimits(requestsPerHour, 1, Duration.ofMillis(delayMillis));

    GateLimits slots = POLICY.forSlots(limits, new Pressure(pressure));

    assertThat(slots.perSecond()).isLessThanOrEqualTo(limits.perSecond());
    assertThat(slots.perSecond())
        .as("half, or what is at least allowed every ten seconds")
        .isGreaterThanOrEqualTo(Math.min(limits.perSecond(), 0.1) * 0.999)
        .isGreaterThanOrEqualTo(limits.perSecond() / 2 * 0.999);
  }

  @ParameterizedTest(name = "window of {0}, {1} inside: {2} more")
  @CsvSource({
    "300, 300, 0",
    "300, 291, 0",
    "300, 290, 10",
    "300, 0, 300",
    "20, 11, 0",
    "20, 10, 10",
    "19, 11, 0",
    "19, 10, 9",
    "7, 5, 0",
    "7, 4, 3",
    "7, 0, 7",
    "3, 3, 0",
    "3, 2, 1",
    "1, 1, 0",
    "1, 0, 1",
    "7, 12, 0",
    "0, 0, 0"
  })
  void wanted_windowAndInside_isNothingUntilABatchOrHalfTheWindowIsFree(
      int size, int inside, int wanted) {
    assertThat(POLICY.wanted(size, inside)).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource({"0, 6, 300", "-1, 6, 300", "30, 0, 300", "30, 7, 6"})
  void new_outOfRange_isRefused(long ahead, int least, int most) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WindowPolicy(Duration.ofSeconds(ahead), least, most))
        .withMessageContaining("1 ≤ least ≤ most");
  }
}
