package dev.fairfleet.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairfleet.fairness.TurnPolicy.Turn;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TurnPolicyTest {
  private static final Duration TWELVE_SECONDS = Duration.ofSeconds(12);
  private static final Duration NANO = Duration.ofNanos(1);

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 11_999_999_999L, 12_000_000_000L})
  void decide_turnIsNear_isHeldUntilThen(long nanos) {
    Duration after = Duration.ofNanos(nanos);

    assertThat(TurnPolicy.DEFAULT.decide(after)).isEqualTo(new Turn.Hold(after));
  }

  @Test
  void decide_turnIsFartherThanTheLongestHold_takesANewSlot() {
    assertThat(TurnPolicy.DEFAULT.decide(TWELVE_SECONDS.plus(NANO))).isEqualTo(new Turn.Requeue());
    assertThat(TurnPolicy.DEFAULT.decide(Duration.ofDays(1))).isEqualTo(new Turn.Requeue());
  }

  @Test
  void decide_noHoldAllowed_holdsOnlyWhoseTurnIsNow() {
    TurnPolicy never = new TurnPolicy(Duration.ZERO);

    assertThat(never.decide(Duration.ZERO)).isEqualTo(new Turn.Hold(Duration.ZERO));
    assertThat(never.decide(NANO)).isEqualTo(new Turn.Requeue());
  }

  /** A task that was visible at the tick before its slot is never turned away for being early. */
  @Test
  void default_longestHold_coversAStepOfTheGrid() {
    assertThat(TurnPolicy.DEFAULT.longestHold()).isGreaterThan(SlotGrid.DEFAULT.step());
  }

  @ParameterizedTest
  @CsvSource({
    "0, 120000, false",
    "95999, 120000, false",
    "96000, 120000, true",
    "120000, 120000, true",
    "7, 10, false",
    "8, 10, true",
    "3, 4, false",
    "4, 4, true",
    "7, 9, false",
    "8, 9, true",
    "0, 1, false",
    "1, 1, true"
  })
  void nearsInFlightQuota_inFlight_turnsAtFourFifths(long inFlight, long quota, boolean near) {
    assertThat(TurnPolicy.nearsInFlightQuota(inFlight, quota)).isEqualTo(near);
  }

  @Test
  void new_negativeTime_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TurnPolicy(NANO.negated()));
  }
}
