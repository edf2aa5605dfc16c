package dev.fairfleet.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BreakerPolicyTest {
  @ParameterizedTest
  @CsvSource({"0, false", "4, false", "5, true", "6, true", "2147483647, true"})
  void opens_failuresInARow_fromTheFifthOn(int inARow, boolean opens) {
    assertThat(BreakerPolicy.DEFAULT.opens(inARow)).isEqualTo(opens);
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true"})
  void opens_afterOneFailure_atTheFirst(int inARow, boolean opens) {
    assertThat(new BreakerPolicy(1).opens(inARow)).isEqualTo(opens);
  }

  @Test
  void opens_never_doesNot() {
    assertThat(BreakerPolicy.NEVER.opens(Integer.MAX_VALUE)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void new_negative_isRefused(int failures) {
    assertThatIllegalArgumentException().isThrownBy(() -> new BreakerPolicy(failures));
  }
}
