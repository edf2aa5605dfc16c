package dev.fairfleet.retry;

import java.time.Duration;

/** What becomes of a page that failed. */
public sealed interface RetryDecision {
  /** It is tried again {@code after} this time. */
  record Retry(Duration after) implements RetryDecision {}

  /** It is settled as failed. */
  record GiveUp() implements RetryDecision {}
}
