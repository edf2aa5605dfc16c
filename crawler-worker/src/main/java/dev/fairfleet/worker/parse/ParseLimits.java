package dev.fairfleet.worker.parse;

/**
 * How much is taken from one page.
 *
 * @param links most links that are returned, each counted once
 * @param valueLength longest value of a field, in characters; the rest is cut off
 * @param depth deepest nesting of elements; deeper ones are hung up at that depth
 */
public record ParseLimits(int links, int valueLength, int depth) {
  /** 5,000 links, values of 10,000 characters, 256 levels. */
  public static final ParseLimits DEFAULT = new ParseLimits(5_000, 10_000, 256);

  /**
   * @throws IllegalArgumentException if a limit is not positive
   */
  public ParseLimits {
    if (links < 1 || valueLength < 1 || depth < 1) {
      throw new IllegalArgumentException(
          "Limits must be at least 1, not " + links + ", " + valueLength + ", " + depth);
    }
  }
}
