package dev.fairfleet.fairness;

/**
 * The share of active sites that have been served less than a given one lately.
 *
 * @param value 0 (nobody was served less, or nobody is known) to 1 (everybody was)
 */
public record Percentile(double value) {
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
   * Returns the percentile of a site that {@code below} of {@code active} sites were served less
   * than; {@link #LOWEST} if no other site is active.
   */
  public static Percentile of(long below, long active) {
    return active <= 1 ? LOWEST : new Percentile(Math.clamp((double) below / active, 0, 1));
  }
}
