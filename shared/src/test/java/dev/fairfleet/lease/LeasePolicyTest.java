package dev.fairfleet.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeasePolicyTest {
  private static final Instant RECEIVED = Instant.parse("2026-11-30T12:00:00Z");

  private final LeasePolicy policy = new LeasePolicy(Duration.ofMinutes(2), 100);

  @Test
  void heartbeat_comesThriceALease() {
    assertThat(policy.heartbeat()).isEqualTo(Duration.ofSeconds(40));
  }

  /** P75: SQS counts the 12 hours from the receive, and refuses what goes beyond. */
  @ParameterizedTest
  @CsvSource({
    "0, 60, 60",
    "0, 43169, 43169",
    "0, 43170, 43170",
    "0, 43171, 43170",
    "0, 43200, 43170",
    "1, 43200, 43169",
    "43000, 100, 100",
    "43000, 170, 170",
    "43000, 171, 170",
    "43170, 5, 0",
    "43171, 5, 0",
    "50000, 5, 0",
    "10, 0, 0",
    "10, -1, 0",
  })
  void clamp_asked_staysWithinTwelveHoursOfTheReceive(long elapsed, long asked, long allowed) {
    assertThat(policy.clamp(Duration.ofSeconds(asked), RECEIVED, RECEIVED.plusSeconds(elapsed)))
        .isEqualTo(Duration.ofSeconds(allowed));
  }

  @ParameterizedTest
  @CsvSource({"1, false", "94, false", "95, true", "96, true", "100, true"})
  void nearsRedrive_receives_turnsFiveBeforeTheLimit(int receives, boolean near) {
    assertThat(policy.nearsRedrive(receives)).isEqualTo(near);
  }

  @ParameterizedTest
  @CsvSource({"0, 100", "43201, 100", "120, 5"})
  void new_outOfRange_isRefused(long visibility, int maxReceives) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LeasePolicy(Duration.ofSeconds(visibility), maxReceives));
  }

  @ParameterizedTest
  @CsvSource({"1, 6", "43200, 1000"})
  void new_atTheEdge_isAccepted(long visibility, int maxReceives) {
    assertThat(new LeasePolicy(Duration.ofSeconds(visibility), maxReceives).maxReceiveCount())
        .isEqualTo(maxReceives);
  }
}
