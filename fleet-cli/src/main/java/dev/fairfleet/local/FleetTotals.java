package dev.fairfleet.local;

import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.MetricsLine;
import java.util.EnumMap;
import java.util.Map;

/**
 * What all workers counted so far, summed from the lines of metrics that they print. A worker that
 * is killed takes what it counted since its last line with it. Safe for use by many threads.
 */
public final class FleetTotals {
  private final Map<Meter, Double> sums = new EnumMap<>(Meter.class);

  /** Adds a line of a worker's output; a line that holds no metrics adds nothing. */
  public void accept(String line) {
    MetricsLine.parse(line).ifPresent(this::add);
  }

  private synchronized void add(Map<Meter, Double> amounts) {
    amounts.forEach((meter, amount) -> sums.merge(meter, amount, Double::sum));
  }

  /** Returns the sum of some meters. */
  public synchronized double sum(Meter... meters) {
    double sum = 0;
    for (Meter meter : meters) {
      sum += sums.getOrDefault(meter, 0.0);
    }
    return sum;
  }

  /** Returns the pages that reached a final state. */
  public long settled() {
    return Math.round(sum(Meter.PAGE_DONE, Meter.PAGE_GONE, Meter.PAGE_SKIPPED, Meter.PAGE_FAILED));
  }

  /**
   * Returns the URLs that were claimed as links or sent because they are known; roots are sent by
   * the seed, not by a worker.
   */
  public long claimed() {
    return Math.round(sum(Meter.PAGE_CLAIMED, Meter.PAGE_RECALLED));
  }

  /** Returns requests to SQS by all workers. */
  public double sqsRequests() {
    return sum(
        Meter.SQS_RECEIVE, Meter.SQS_SEND, Meter.SQS_DELETE, Meter.SQS_VISIBILITY, Meter.SQS_OTHER);
  }

  /** Returns capacity units consumed at DynamoDB by all workers, read and write. */
  public double dynamoUnits() {
    return sum(Meter.DYNAMODB_READ_UNITS, Meter.DYNAMODB_WRITE_UNITS);
  }
}
