package dev.fairfleet.frontier;

/**
 * How many links were followed from a root, which has depth 0. Not the depth of the URL's path.
 *
 * @param value 0 to 1,000,000
 */
public record CrawlDepth(int value) implements Comparable<CrawlDepth> {
  public static final CrawlDepth ROOT = new CrawlDepth(0);
  private static final int MAX = 1_000_000;

  /**
   * @throws IllegalArgumentException if {@code value} is out of range
   */
  public CrawlDepth {
    if (value < 0 || value > MAX) {
      throw new IllegalArgumentException(
          "A crawl depth lies between 0 and " + MAX + ", not " + value);
    }
  }

  /** Returns the depth of a link found on a page of this depth. */
  public CrawlDepth next() {
    return new CrawlDepth(value + 1);
  }

  @Override
  public int compareTo(CrawlDepth other) {
    return Integer.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Integer.toString(value);
  }
}
