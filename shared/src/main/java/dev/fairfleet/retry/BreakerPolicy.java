package dev.fairfleet.retry;

/**
 * Decides when a site is stopped: after so many failures of its servers in a row.
 *
 * <p>A failure of the site is one that says nothing about the page: DNS, connection, TLS, time-out,
 * a status of 500 or above but 503, or an answer that breaks off. 429 and 503, which ask for less,
 * are neither failure nor answer. An answer of any other kind ends the row, be it a 404. Pure and
 * immutable.
 *
 * @param failures in a row; 0 for no number of them
 */
public record BreakerPolicy(int failures) {
  /** Five in a row. */
  public static final BreakerPolicy DEFAULT = new BreakerPolicy(5);

  /** No site is ever stopped. */
  public static final BreakerPolicy NEVER = new BreakerPolicy(0);

  /**
   * @throws IllegalArgumentException if {@code failures} is negative
   */
  public BreakerPolicy {
    if (failures < 0) {
      throw new IllegalArgumentException(
          "A breaker opens after some failures, or with 0 never, but not after " + failures);
    }
  }

  /** Tells whether a site with so many failures in a row is stopped. */
  public boolean opens(int inARow) {
    return failures > 0 && inARow >= failures;
  }
}
