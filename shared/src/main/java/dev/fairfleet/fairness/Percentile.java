package dev.fairfleet.fairness;

/**
 * The share of active sites that were clearly served less than a given one lately: their count is
 * below {@link #CLEARLY_LESS} times its own, less {@link #SLACK} pages.
 *
 * @param value 0 (nobody was served less, or nobody is known) to 1 (everybody was)
 */
public record Percentile(double value) {
  /**
   * The factor in that comparison, so that sites that are served alike but for chance do not count
   * as served less.
   */
  public static final double CLEARLY_LESS = 0.8;

  /** The pages in that comparison, served now: about as many as a site can have in hand. */
  public static final int SLACK = 30;

  /** The percentile of a site that is alone, or of which nothing is known. */
  public static final Percentile LOWEST = new Percentile(0);

  /**
   * @throws IllegalArgumentException if {@code value} is not between 0 and 1
   */
  public Percentile {
    if (!(value >= 0 && value <= 1)) {
      throw new IllegalArgumentException("A percentile lies between 0 and 1, not " + value);
    }
  }

  /**
   * Returns the percentile of a site than which {@code below} sites were clearly served less, of
   * {@code active} in all, itself included; {@link #LOWEST} if no other is active.
   */
  public static Percentile of(long below, long active) {
    return active <= 1 ? LOWEST : new Percentile(Math.clamp((double) below / active, 0, 1));
  }
}
