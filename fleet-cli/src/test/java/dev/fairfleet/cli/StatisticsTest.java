package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StatisticsTest {
  @ParameterizedTest
  @CsvSource({"0.01,15", "0.05,15", "0.3,20", "0.4,20", "0.41,35", "0.5,35", "0.81,50", "1,50"})
  void percentile_fiveValues_isTheNearestRank(double share, double expected) {
    assertThat(Statistics.percentile(List.of(35.0, 20.0, 15.0, 50.0, 40.0), share))
        .isEqualTo(expected);
  }

  @Test
  void percentile_noValues_isZero() {
    assertThat(Statistics.percentile(List.of(), 0.5)).isZero();
  }

  @Test
  void percentile_oneValue_isThatValue() {
    assertThat(Statistics.percentile(List.of(7.0), 0.01)).isEqualTo(7);
  }
}
