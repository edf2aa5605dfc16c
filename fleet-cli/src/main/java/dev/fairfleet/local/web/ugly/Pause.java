package dev.fairfleet.local.web.ugly;

import java.io.InterruptedIOException;
import java.time.Duration;

/** A server that takes its time. */
final class Pause {
  private Pause() {}

  /** Waits; a connection that is closed meanwhile shows at the next write. */
  static void of(Duration time) throws InterruptedIOException {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The fake web is closing");
    }
  }
}
