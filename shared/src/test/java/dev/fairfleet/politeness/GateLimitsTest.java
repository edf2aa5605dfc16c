package dev.fairfleet.politeness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairfleet.site.SiteLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateLimitsTest {
  private static final long HOUR = 3_601_000_000L;

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "9, 1",
    "10, 1",
    "19, 1",
    "20, 2",
    "99, 9",
    "100, 10",
    "101, 10",
    "100000, 10"
  })
  void of_requestsPerHour_allowsABurstOfATenthButAtMostTen(int requestsPerHour, int burst) {
    GateLimits limits =
        GateLimits.of(
            new SiteLimits(requestsPerHour, Duration.ofSeconds(2), 9, SiteLimits.UNLIMITED));

    assertThat(limits).isEqualTo(new GateLimits(requestsPerHour, burst, Duration.ofMillis(2_050)));
  }

  @Test
  void of_noDelay_staysWithout() {
    SiteLimits limits = new SiteLimits(60, Duration.ZERO, 9, SiteLimits.UNLIMITED);

    assertThat(GateLimits.of(limits).minDelay()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3600, 1", "3600, 10", "3600, 3600", "7, 3", "100000, 10"})
  void intervalMicros_fullBurstThenEvenPace_fillsAClosedHourExactly(int limit, int burst) {
    long interval = new GateLimits(limit, burst, Duration.ZERO).intervalMicros();

    assertThat(burst + HOUR / interval).isLessThanOrEqualTo(limit);
    assertThat(burst + HOUR / (interval - 1)).isGreaterThan(limit);
  }

  @Test
  void toleranceMicros_burstOfOne_isZero() {
    assertThat(new GateLimits(60, 1, Duration.ZERO).toleranceMicros()).isZero();
    assertThat(new GateLimits(60, 3, Duration.ZERO).toleranceMicros())
        .isEqualTo(2 * new GateLimits(60, 3, Duration.ZERO).intervalMicros());
  }

  @ParameterizedTest
  @CsvSource({"0, 0, 0", "1, 0, 0", "1, 2, 0", "1, 1, -1"})
  void new_outOfRange_isRefused(int limit, int burst, int delaySeconds) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GateLimits(limit, burst, Duration.ofSeconds(delaySeconds)))
        .withMessageContaining("1 ≤ burst ≤ requests per hour");
  }
}
