package dev.fairfleet.sim;

import java.util.List;

/**
 * What a simulation showed.
 *
 * @param makespan seconds until every page was done
 * @param idealMakespan the same under ideal max-min sharing
 * @param sites the largest first
 * @param jain mean over time of Jain's fairness index, see {@link Sample#jain}
 * @param mostInFlight tasks of both queues together
 * @param violations what did not hold, each promise once; empty if all is well
 * @param events that happened
 */
public record Outcome(
    Policy policy,
    long seed,
    double makespan,
    double idealMakespan,
    List<SiteEnd> sites,
    Costs costs,
    Dwell dwell,
    double jain,
    long mostInFlight,
    Counts counts,
    List<Sample> samples,
    List<Violation> violations,
    long events) {

  /** When a site was finished, in seconds, and when it would have been ideally. */
  public record SiteEnd(String name, int pages, double finish, double ideal) {
    /** Returns how many times as late as ideally. */
    public double overIdeal() {
      return finish / ideal;
    }
  }

  /** Requests to SQS for a page, by kind, and received tasks for a page. */
  public record Costs(
      double receives, double receiveRequests, double sends, double deletes, double changes) {
    /** Returns requests of every kind. */
    public double requests() {
      return receiveRequests + sends + deletes + changes;
    }
  }

  /** Seconds from a page's turn to its request. */
  public record Dwell(double p50, double p95, double p99) {}

  /**
   * How often things happened.
   *
   * @param requests to sites
   * @param throttled tasks received before their turn and put back
   * @param shelvedAgain those of them that left SQS for the shelf
   * @param renewed tasks sent afresh because they were received often
   * @param healed tasks found lost, and sent again
   * @param copies tasks that SQS delivered twice by mistake
   * @param doubleWork pages asked for while they were in work elsewhere
   */
  public record Counts(
      long pages,
      long requests,
      long throttled,
      long shelvedAgain,
      long answered429,
      long renewed,
      long healed,
      long copies,
      long doubleWork,
      long kills,
      long emptyReceives) {}

  /**
   * How it stood at a moment, and what happened since the one before.
   *
   * @param at seconds from the start
   * @param pagesPerSecond done
   * @param throttledPerSecond tasks received before their turn, and put back
   * @param sqsPerSecond requests to SQS
   * @param jain Jain's fairness index of the pages that each site got so far, among sites that have
   *     pages left (Jain, Chiu and Hawe, "A Quantitative Measure of Fairness", DEC-TR-301, 1984);
   *     NaN if those are fewer than two, or than a tenth of all
   */
  public record Sample(
      double at,
      int visible,
      int inFlight,
      int delayed,
      double pagesPerSecond,
      double throttledPerSecond,
      double sqsPerSecond,
      double jain) {}

  /**
   * A promise that did not hold.
   *
   * @param at seconds from the start, when it first did not
   */
  public record Violation(double at, String promise, String what) {}

  /** Returns how many times as long as ideally all took. */
  public double makespanOverIdeal() {
    return makespan / idealMakespan;
  }

  /**
   * Returns a percentile of finish ÷ ideal among the smaller half of the sites.
   *
   * @param share above 0, up to 1
   */
  public double smallHalfOverIdeal(double share) {
    List<Double> sorted =
        sites.subList(sites.size() / 2, sites.size()).stream()
            .map(SiteEnd::overIdeal)
            .sorted()
            .toList();
    return sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
  }
}
