package dev.fairfleet.dynamodb;

import java.time.Duration;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.retries.api.BackoffStrategy;

/** The pauses between requests that each do what a throttled table left of the one before. */
final class Backoff {
  /** Most requests for one batch. */
  static final int MAX_TRIES = 10;

  private static final BackoffStrategy DELAYS =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(20), Duration.ofSeconds(1));

  private Backoff() {}

  /**
   * Waits after a request.
   *
   * @param tries how many there were
   * @throws AbortedException if the caller is interrupted
   */
  static void pause(int tries) {
    try {
      Thread.sleep(DELAYS.computeDelay(tries));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.create("Interrupted between two requests of a batch", e);
    }
  }
}
