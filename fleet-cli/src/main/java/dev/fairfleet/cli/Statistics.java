package dev.fairfleet.cli;

import java.util.List;

/** Figures over a few numbers. */
final class Statistics {
  private Statistics() {}

  /**
   * Returns the percentile by the nearest-rank method: the smallest value that at least that share
   * of the values do not exceed; 0 for no values.
   *
   * @param share above 0, up to 1
   */
  static double percentile(List<Double> values, double share) {
    if (values.isEmpty()) {
      return 0;
    }
    List<Double> sorted = values.stream().sorted().toList();
    int rank = (int) Math.ceil(share * sorted.size());
    return sorted.get(Math.clamp(rank - 1, 0, sorted.size() - 1));
  }
}
