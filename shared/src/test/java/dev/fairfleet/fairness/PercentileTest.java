package dev.fairfleet.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentileTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "0, 1, 0",
    "1, 1, 0",
    "0, 2, 0",
    "1, 2, 0.5",
    "3, 4, 0.75",
    "9, 4, 1",
    "-1, 4, 0"
  })
  void of_counts_isTheShareBelow(long below, long active, double value) {
    assertThat(Percentile.of(below, active)).isEqualTo(new Percentile(value));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.0001, 1.0001, Double.NaN})
  void new_outOfRange_isRefused(double value) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Percentile(value));
  }
}
