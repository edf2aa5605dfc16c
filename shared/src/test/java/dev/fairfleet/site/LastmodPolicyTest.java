package dev.fairfleet.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LastmodPolicyTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final Instant SINCE = NOW.minus(Duration.ofHours(30));
  private static final LastmodPolicy POLICY = LastmodPolicy.DEFAULT;

  @ParameterizedTest
  @CsvSource({"-1, false", "0, true", "1, true"})
  void mayHaveChanged_aroundTheLastCrawl_countsFromItOn(long millis, boolean changed) {
    assertThat(POLICY.mayHaveChanged(Optional.of(SINCE.plusMillis(millis)), SINCE, NOW))
        .isEqualTo(changed);
  }

  @Test
  void mayHaveChanged_withoutATime_yes() {
    assertThat(POLICY.mayHaveChanged(Optional.empty(), SINCE, NOW)).isTrue();
  }

  /** A time that lies in the future of a site that is crawled often says nothing about the past. */
  @ParameterizedTest
  @CsvSource({"0, false", "1, true"})
  void mayHaveChanged_moreThanADayAhead_saysNothing(long millis, boolean changed) {
    Instant ahead = NOW.plus(Duration.ofDays(1)).plusMillis(millis);
    assertThat(POLICY.mayHaveChanged(Optional.of(ahead), ahead.plusSeconds(1), NOW))
        .isEqualTo(changed);
  }

  @ParameterizedTest
  @CsvSource({"9, true", "10, false", "1000, false"})
  void isTrusted_allEntriesHaveOneTime_untilTheyAreTen(int entries, boolean trusted) {
    assertThat(POLICY.isTrusted(Collections.nCopies(entries, NOW))).isEqualTo(trusted);
  }

  @Test
  void isTrusted_oneOfManyDiffers_yes() {
    List<Instant> times = new ArrayList<>(Collections.nCopies(100, NOW));
    times.add(SINCE);
    assertThat(POLICY.isTrusted(times)).isTrue();
  }

  @Test
  void isTrusted_noTimes_yes() {
    assertThat(POLICY.isTrusted(List.of())).isTrue();
  }

  @Test
  void new_parametersOutOfRange_refused() {
    assertThatThrownBy(() -> new LastmodPolicy(1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("At least 2 entries");
    assertThatThrownBy(() -> new LastmodPolicy(2, Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not negative");
  }
}
