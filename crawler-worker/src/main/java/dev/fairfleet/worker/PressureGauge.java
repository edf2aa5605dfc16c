package dev.fairfleet.worker;

import dev.fairfleet.fairness.Pressure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The fleet's pressure, as this worker sees it in what it receives. Begins full, because who has
 * seen nothing yet does not know that nobody waits. Safe for use by many threads.
 */
final class PressureGauge {
  private final InstantSource clock;
  private Pressure pressure = Pressure.FULL;
  private final Instant beganAt;
  private Instant at;

  PressureGauge(InstantSource clock) {
    this.clock = clock;
    this.beganAt = clock.instant();
    this.at = beganAt;
  }

  /**
   * Is told of a receive.
   *
   * @param dwell mean dwell time of what it brought; zero if that was nothing
   */
  synchronized void received(Duration dwell) {
    Instant now = clock.instant();
    pressure = pressure.after(dwell, Duration.between(at, now), Duration.between(beganAt, now));
    at = now;
  }

  /** Returns the pressure now. */
  synchronized Pressure pressure() {
    return pressure;
  }
}
