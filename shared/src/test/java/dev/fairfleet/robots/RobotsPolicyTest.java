package dev.fairfleet.robots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.frontier.Validators;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RobotsPolicyTest {
  private static final RobotsPolicy POLICY = RobotsPolicy.DEFAULT;

  @ParameterizedTest
  @CsvSource({
    "1, PT5S",
    "2, PT10S",
    "3, PT20S",
    "9, PT21M20S",
    "10, PT30M",
    "11, PT30M",
    "1000000, PT30M",
    "2147483647, PT30M"
  })
  void retryAfter_failuresInARow_doublesUpToTheMost(int failures, Duration expected) {
    assertThat(POLICY.retryAfter(failures, Optional.empty())).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"PT0S, PT5S", "PT4S, PT5S", "PT6S, PT6S", "PT2H, PT2H", "PT25H, PT24H"})
  void retryAfter_serverAsked_waitsAtLeastThatLong_p04(Duration asked, Duration expected) {
    assertThat(POLICY.retryAfter(1, Optional.of(asked))).isEqualTo(expected);
  }

  @Test
  void askAgainAfter_fileOrNone_isFresh() {
    assertThat(POLICY.askAgainAfter(new RobotsFile.Text("", Validators.NONE)))
        .isEqualTo(Duration.ofHours(12));
    assertThat(POLICY.askAgainAfter(new RobotsFile.None("status 404")))
        .isEqualTo(Duration.ofHours(12));
    assertThat(POLICY.askAgainAfter(new RobotsFile.Forbidden("why")))
        .isEqualTo(Duration.ofMinutes(30));
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, PT45S, PT30M, PT1H, robots.fresh",
    "PT24H0.001S, PT45S, PT30M, PT1H, robots.fresh",
    "PT12H, PT0S, PT30M, PT1H, robots.retry",
    "PT12H, PT31M, PT30M, PT1H, robots.retry",
    "PT12H, PT45S, PT25H, PT1H, robots.retryMost",
    "PT12H, PT45S, PT30M, PT-1S, robots.longestDelay",
  })
  void policy_outOfRange_isRefused(
      Duration fresh, Duration retry, Duration retryMost, Duration longest, String named) {
    assertThatThrownBy(() -> new RobotsPolicy(fresh, retry, retryMost, longest))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  @Test
  void policy_atItsLimits_isAccepted() {
    Duration day = Duration.ofHours(24);

    assertThat(new RobotsPolicy(day, day, day, Duration.ZERO).fresh()).isEqualTo(day);
  }
}
