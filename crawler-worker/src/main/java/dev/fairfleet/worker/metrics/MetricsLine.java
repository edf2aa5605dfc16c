package dev.fairfleet.worker.metrics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * One line of metrics in CloudWatch's embedded metric format (CloudWatch User Guide,
 * "Specification: Embedded metric format"): what was counted since the line before, by service; the
 * worker's name is a property and no dimension, so that metrics stay few.
 */
public final class MetricsLine {
  private static final String NAMESPACE = "Fairfleet";
  private static final String SERVICE = "crawler-worker";
  private static final JsonMapper JSON = new JsonMapper();

  private MetricsLine() {}

  /** Returns the line, without a line break. */
  public static String of(String worker, Instant now, Map<Meter, Double> amounts) {
    ObjectNode line = JSON.createObjectNode();
    ObjectNode aws = line.putObject("_aws");
    aws.put("Timestamp", now.toEpochMilli());
    ObjectNode directive = aws.putArray("CloudWatchMetrics").addObject();
    directive.put("Namespace", NAMESPACE);
    directive.putArray("Dimensions").addArray().add("service");
    ArrayNode metrics = directive.putArray("Metrics");
    line.put("service", SERVICE);
    line.put("worker", worker);
    amounts.forEach(
        (meter, amount) -> {
          metrics
              .addObject()
              .put("Name", meter.meterName())
              .put("Unit", meter.unit().cloudWatchName());
          line.put(meter.meterName(), amount);
        });
    return line.toString();
  }

  /** Returns the amounts of a line, or nothing if it is no line of metrics. */
  public static Optional<Map<Meter, Double>> parse(String line) {
    if (!line.startsWith("{\"_aws\"")) {
      return Optional.empty();
    }
    try {
      JsonNode node = JSON.readTree(line);
      Map<Meter, Double> amounts = new EnumMap<>(Meter.class);
      for (Meter meter : Meter.values()) {
        JsonNode amount = node.get(meter.meterName());
        if (amount != null && amount.isNumber()) {
          amounts.put(meter, amount.doubleValue());
        }
      }
      return Optional.of(amounts);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
