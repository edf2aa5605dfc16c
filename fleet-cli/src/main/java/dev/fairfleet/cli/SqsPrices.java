package dev.fairfleet.cli;

import dev.fairfleet.sim.Outcome;
import dev.fairfleet.sim.Policy;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What SQS costs, in dollars.
 *
 * @param perMillionFairRequests on top, where messages carry a message group
 */
record SqsPrices(
    String asOf, String region, double perMillionRequests, double perMillionFairRequests) {
  private static final String OWN = "sqs-prices.yaml";

  /**
   * Reads a price list.
   *
   * @param file null for the one that this command brings along
   * @throws UsageException if it cannot be read, or something in it has no meaning
   */
  static SqsPrices read(@Nullable Path file) {
    Settings settings =
        file == null ? Settings.ofResource(OWN).orElseThrow() : Settings.ofFile(file);
    settings.allowOnly(Set.of("asOf", "region", "perMillionRequests", "perMillionFairRequests"));
    return new SqsPrices(
        settings.get("asOf", text -> text, "an unknown date"),
        settings.get("region", text -> text, "an unknown region"),
        settings.decimal("perMillionRequests", 0),
        settings.decimal("perMillionFairRequests", 0));
  }

  /** Returns what the SQS requests for a million pages cost. */
  double forMillionPages(Policy policy, Outcome.Costs costs) {
    double fair = policy == Policy.FIFO ? 0 : perMillionFairRequests;
    return costs.requests() * (perMillionRequests + fair);
  }
}
