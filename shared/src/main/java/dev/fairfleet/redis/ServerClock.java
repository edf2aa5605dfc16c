package dev.fairfleet.redis;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** What a script takes for now: the server's own clock, or one that a test sets. */
@FunctionalInterface
interface ServerClock {
  /** The server's own clock, the only one that all workers share. */
  ServerClock OWN = () -> "";

  /** Returns the script's argument: microseconds since the epoch, or empty for the server's own. */
  String argument();

  /** Returns a clock that a test sets. */
  static ServerClock set(InstantSource clock) {
    return () -> Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()));
  }
}
