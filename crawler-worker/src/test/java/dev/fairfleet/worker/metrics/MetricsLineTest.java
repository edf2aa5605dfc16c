package dev.fairfleet.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MetricsLineTest {
  @Test
  void of_amounts_isEmbeddedMetricFormat() {
    String line = MetricsLine.of("w1", Instant.ofEpochMilli(1_000), Map.of(Meter.PAGE_DONE, 3.0));
    assertThat(line)
        .isEqualTo(
            "{\"_aws\":{\"Timestamp\":1000,\"CloudWatchMetrics\":[{\"Namespace\":\"Fairfleet\","
                + "\"Dimensions\":[[\"service\"]],\"Metrics\":[{\"Name\":\"crawler.page.done\","
                + "\"Unit\":\"Count\"}]}]},\"service\":\"crawler-worker\",\"worker\":\"w1\","
                + "\"crawler.page.done\":3.0}");
  }

  @Test
  void parse_lineOfMetrics_returnsTheAmounts() {
    Map<Meter, Double> amounts = Map.of(Meter.FETCH_BYTES, 1.5e9, Meter.SQS_SEND, 1.0);
    assertThat(MetricsLine.parse(MetricsLine.of("w", Instant.EPOCH, amounts))).contains(amounts);
  }

  @Test
  void parse_otherLine_returnsNothing() {
    assertThat(MetricsLine.parse("started")).isEmpty();
    assertThat(MetricsLine.parse("{\"_aws\":")).isEmpty();
  }

  @Test
  void meterName_ofAll_isUniqueAndWellFormed() {
    assertThat(Arrays.stream(Meter.values()).map(Meter::meterName))
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("crawler\\.[a-z0-9]+\\.[a-zA-Z]+"));
  }

  @Test
  void drain_afterAdds_returnsSumsOnce() {
    Meters meters = new Meters();
    meters.add(Meter.PAGE_DONE);
    meters.add(Meter.PAGE_DONE, 2);
    assertThat(meters.drain()).containsExactly(Map.entry(Meter.PAGE_DONE, 3.0));
    assertThat(meters.drain()).isEmpty();
  }
}
