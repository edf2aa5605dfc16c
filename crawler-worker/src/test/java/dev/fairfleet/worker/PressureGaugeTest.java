package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.fairfleet.fairness.Pressure;
import dev.fairfleet.memory.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class PressureGaugeTest {
  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private final PressureGauge gauge = new PressureGauge(clock);

  private double after(Duration passed, Duration dwell) {
    clock.advance(passed);
    gauge.received(dwell);
    return gauge.pressure().value();
  }

  @Test
  void pressure_nothingReceived_isFull() {
    assertThat(gauge.pressure()).isEqualTo(Pressure.FULL);
  }

  @Test
  void received_nobodyWaited_halvesInFourSecondsAtFirst() {
    assertThat(after(Duration.ofSeconds(4), Duration.ZERO)).isCloseTo(0.5, offset(1e-9));
    assertThat(after(Duration.ofSeconds(4), Duration.ZERO)).isCloseTo(0.25, offset(1e-9));
  }

  @Test
  void received_watchedForLong_halvesInTwentySeconds() {
    assertThat(after(Duration.ofHours(1), Duration.ZERO)).isCloseTo(0, offset(1e-9));
    assertThat(after(Duration.ofSeconds(20), Pressure.FULL_FROM)).isCloseTo(0.5, offset(1e-9));
    assertThat(after(Duration.ZERO, Duration.ZERO)).isCloseTo(0.5, offset(1e-9));
  }

  @Test
  void received_clockSteppedBack_isUnchanged() {
    assertThat(after(Duration.ofMinutes(-1), Duration.ZERO)).isEqualTo(1);
  }
}
