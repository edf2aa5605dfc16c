package dev.fairfleet.infra;

import com.fasterxml.jackson.databind.JsonNode;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.sqs.DeadLetterQueue;
import software.amazon.awscdk.services.sqs.Queue;
import software.amazon.awscdk.services.sqs.QueueEncryption;
import software.constructs.Construct;

/**
 * The high and the low queue, each with its dead-letter queue, as {@code queues.json} describes
 * them. All are encrypted and refuse plain HTTP.
 */
public final class FrontierQueues extends Construct {
  private final Queue high;
  private final Queue low;

  FrontierQueues(Construct scope, String id, String prefix) {
    super(scope, id);
    JsonNode description = Description.read("queues.json");
    this.high = create("high", prefix, description);
    this.low = create("low", prefix, description);
  }

  /** Returns the queue of pages near a root. */
  public Queue high() {
    return high;
  }

  /** Returns the queue of all other pages. */
  public Queue low() {
    return low;
  }

  private Queue create(String queue, String prefix, JsonNode description) {
    JsonNode names = description.required("queues").required(queue);
    Queue deadLetters =
        builder(names.required("deadLetters").textValue(), prefix, description).build();
    return builder(names.required("name").textValue(), prefix, description)
        .visibilityTimeout(seconds(description, "visibilityTimeoutSeconds"))
        .receiveMessageWaitTime(seconds(description, "receiveWaitSeconds"))
        .deadLetterQueue(
            DeadLetterQueue.builder()
                .queue(deadLetters)
                .maxReceiveCount(description.required("maxReceiveCount").intValue())
                .build())
        .build();
  }

  private Queue.Builder builder(String name, String prefix, JsonNode description) {
    return Queue.Builder.create(this, name)
        .queueName(prefix + "-" + name)
        .retentionPeriod(seconds(description, "messageRetentionSeconds"))
        .encryption(QueueEncryption.SQS_MANAGED)
        .enforceSsl(true);
  }

  private static Duration seconds(JsonNode description, String field) {
    return Duration.seconds(description.required(field).intValue());
  }
}
