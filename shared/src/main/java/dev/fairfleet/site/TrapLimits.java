package dev.fairfleet.site;

/**
 * How far a URL may go before it is taken for a crawler trap: a part of a site that makes up ever
 * new URLs for ever the same pages.
 *
 * @param urlLength longest URL, in characters of its canonical form
 * @param parameters most parameters in a query
 * @param pathSegments most path segments
 * @param repeatedSegments how often one path segment, or one sequence of them, may stand in a path
 * @param yearsAhead how many years after the current one a calendar may name; 0 allows this year
 */
public record TrapLimits(
    int urlLength, int parameters, int pathSegments, int repeatedSegments, int yearsAhead) {
  /**
   * 2,048 characters, which every browser and server takes; 20 parameters, 20 segments (as
   * Heritrix), the same segment three times, two years ahead.
   */
  public static final TrapLimits DEFAULT = new TrapLimits(2_048, 20, 20, 3, 2);

  /**
   * @throws IllegalArgumentException if a limit is below its least value; the message names it
   */
  public TrapLimits {
    require(urlLength, 16, "maxUrlLength");
    require(parameters, 0, "maxParameters");
    require(pathSegments, 1, "maxPathSegments");
    require(repeatedSegments, 1, "maxRepeatedSegments");
    require(yearsAhead, 0, "calendarYears");
  }

  private static void require(int value, int least, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ", not " + value);
    }
  }
}
