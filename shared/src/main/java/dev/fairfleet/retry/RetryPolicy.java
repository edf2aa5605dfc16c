package dev.fairfleet.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides what becomes of a page that failed.
 *
 * <p>After failure n the page waits a time drawn uniformly from half to all of min(cap, base ·
 * 2ⁿ⁻¹): exponential back-off with equal jitter (AWS Architecture Blog, "Exponential Backoff And
 * Jitter"). Pure but for the draw.
 *
 * @param maxAttempts failed attempts after which the page is given up, at least 1
 * @param base longest wait after the first failure
 * @param cap longest wait after any
 */
public record RetryPolicy(int maxAttempts, Duration base, Duration cap) {
  private static final int MAX_DOUBLINGS = 30;

  /**
   * @throws IllegalArgumentException if a parameter is out of range
   */
  public RetryPolicy {
    if (maxAttempts < 1 || base.isNegative() || cap.compareTo(base) < 0) {
      throw new IllegalArgumentException(
          "A retry policy needs maxAttempts ≥ 1 and 0 ≤ base ≤ cap, not "
              + maxAttempts
              + ", "
              + base
              + ", "
              + cap);
    }
  }

  /**
   * Returns what to do after a failure.
   *
   * @param attempts failed attempts so far, this one included, at least 1
   */
  public RetryDecision afterFailure(int attempts, RandomGenerator random) {
    if (attempts >= maxAttempts) {
      return new RetryDecision.GiveUp();
    }
    Duration longest = base.multipliedBy(1L << Math.min(attempts - 1, MAX_DOUBLINGS));
    Duration capped = longest.compareTo(cap) < 0 ? longest : cap;
    long half = capped.toMillis() / 2;
    return new RetryDecision.Retry(
        Duration.ofMillis(half + Math.round(random.nextDouble() * half)));
  }
}
