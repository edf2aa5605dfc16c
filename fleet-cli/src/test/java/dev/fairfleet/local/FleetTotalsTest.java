package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.MetricsLine;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class FleetTotalsTest {
  private final FleetTotals totals = new FleetTotals();

  private void accept(String worker, Map<Meter, Double> amounts) {
    totals.accept(MetricsLine.of(worker, Instant.EPOCH, amounts));
  }

  @Test
  void accept_linesOfTwoWorkers_sumsThem() {
    accept("a", Map.of(Meter.PAGE_DONE, 3.0, Meter.PAGE_CLAIMED, 5.0, Meter.SQS_SEND, 1.0));
    accept("b", Map.of(Meter.PAGE_DONE, 1.0, Meter.PAGE_FAILED, 2.0, Meter.SQS_RECEIVE, 4.0));
    accept("a", Map.of(Meter.PAGE_GONE, 1.0, Meter.PAGE_SKIPPED, 1.0));

    assertThat(totals.settled()).isEqualTo(8);
    assertThat(totals.claimed()).isEqualTo(5);
    assertThat(totals.sqsRequests()).isEqualTo(5);
    assertThat(totals.dynamoUnits()).isZero();
  }

  @Test
  void accept_unitsOfReadAndWrite_areAddedInParts() {
    accept("a", Map.of(Meter.DYNAMODB_READ_UNITS, 0.5, Meter.DYNAMODB_WRITE_UNITS, 2.0));
    assertThat(totals.dynamoUnits()).isEqualTo(2.5);
  }

  @Test
  void accept_lineThatHoldsNoMetrics_addsNothing() {
    totals.accept("OpenJDK warning: something");
    totals.accept("");
    totals.accept("{\"service\":\"another\"}");
    assertThat(totals.sum(Meter.values())).isZero();
  }
}
