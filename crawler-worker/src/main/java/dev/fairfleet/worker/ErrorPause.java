package dev.fairfleet.worker;

import java.time.Duration;

/** How long to wait before a queue that could not be asked is asked again. */
final class ErrorPause {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private ErrorPause() {}

  /** Returns one second after the first error in a row, twice as long after each further one. */
  static Duration after(int errors) {
    Duration pause = Duration.ofMillis(500L << Math.min(errors, 10));
    return pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
  }
}
