package dev.fairfleet.sqs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.Priority;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names and attributes of the queues, as {@code queues.json} states them for the local fleet
 * and for whoever creates queues elsewhere.
 *
 * @param names of the two queues and their dead-letter queues, without the fleet's prefix
 * @param leases visibility timeout and redrive policy, unless the fleet is configured otherwise
 * @param retention how long a message is kept; SQS allows 14 days
 * @param receiveWait how long a receive waits that does not say
 */
public record QueueSettings(
    Map<Priority, Names> names, LeasePolicy leases, Duration retention, Duration receiveWait) {

  /** The settings in {@code queues.json}. */
  public static final QueueSettings DEFAULT = load();

  /**
   * The names of one queue.
   *
   * @param queue where tasks go
   * @param deadLetters where those go that cannot be read, or that were delivered too often
   */
  public record Names(String queue, String deadLetters) {}

  public QueueSettings {
    names = Map.copyOf(names);
  }

  private static QueueSettings load() {
    try (@Nullable InputStream in =
        QueueSettings.class.getResourceAsStream("/dev/fairfleet/queues.json")) {
      if (in == null) {
        throw new AssertionError("queues.json is missing from the jar");
      }
      JsonNode root = new JsonMapper().readTree(in);
      Map<Priority, Names> names = new EnumMap<>(Priority.class);
      for (Priority priority : Priority.values()) {
        JsonNode queue = root.required("queues").required(priority.name().toLowerCase(Locale.ROOT));
        names.put(
            priority,
            new Names(
                queue.required("name").textValue(), queue.required("deadLetters").textValue()));
      }
      return new QueueSettings(
          names,
          new LeasePolicy(
              seconds(root, "visibilityTimeoutSeconds"),
              root.required("maxReceiveCount").intValue()),
          seconds(root, "messageRetentionSeconds"),
          seconds(root, "receiveWaitSeconds"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Duration seconds(JsonNode root, String field) {
    return Duration.ofSeconds(root.required(field).intValue());
  }
}
