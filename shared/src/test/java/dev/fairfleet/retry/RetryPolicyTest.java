package dev.fairfleet.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryPolicyTest {
  /** A generator whose every draw is the same. */
  private record Fixed(double draw) implements RandomGenerator {
    @Override
    public double nextDouble() {
      return draw;
    }

    @Override
    public long nextLong() {
      throw new UnsupportedOperationException();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 500",
    "1, 0.5, 750",
    "1, 0.9999999, 1000",
    "2, 0, 1000",
    "2, 0.9999999, 2000",
    "4, 0, 4000",
    "4, 0.9999999, 8000",
    "5, 0, 5000",
    "5, 0.9999999, 10000",
    "70, 0, 5000",
    "70, 0.9999999, 10000",
  })
  void afterFailure_lowMiddleAndHighDraw_waitsFromHalfToAllOfTheStep(
      int attempts, double draw, long millis) {
    RetryPolicy policy = new RetryPolicy(100, Duration.ofSeconds(1), Duration.ofSeconds(10));

    assertThat(policy.afterFailure(attempts, new Fixed(draw)))
        .isEqualTo(new RetryDecision.Retry(Duration.ofMillis(millis)));
  }

  @ParameterizedTest
  @CsvSource({"1, true", "2, true", "3, false", "4, false"})
  void afterFailure_attempts_givesUpAtTheLast(int attempts, boolean again) {
    RetryPolicy policy = new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofSeconds(10));

    assertThat(policy.afterFailure(attempts, new Fixed(0)) instanceof RetryDecision.Retry)
        .isEqualTo(again);
  }

  @ParameterizedTest
  @CsvSource({"0, 1, 10", "1, -1, 10", "1, 10, 9"})
  void new_outOfRange_isRefused(int attempts, long base, long cap) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new RetryPolicy(attempts, Duration.ofSeconds(base), Duration.ofSeconds(cap)));
  }
}
