package dev.fairfleet.sqs;

import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.Priority;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/**
 * Where the queues of a fleet are: the high and the low one, and a dead-letter queue for each.
 *
 * @param high URLs of the queue for pages near a root
 * @param low URLs of the queue for the rest
 */
public record Queues(Urls high, Urls low) {
  /**
   * The URLs of one queue.
   *
   * @param queue where tasks go
   * @param deadLetters where those go that cannot be read, or that were delivered too often
   */
  public record Urls(String queue, String deadLetters) {}

  /** Returns the URLs of a queue. */
  public Urls of(Priority priority) {
    return switch (priority) {
      case HIGH -> high;
      case LOW -> low;
    };
  }

  /**
   * Finds the queues of a fleet.
   *
   * @param prefix first part of each name; the rest is {@code high}, {@code high-dead}, {@code low}
   *     and {@code low-dead}
   * @throws IllegalStateException if one does not exist
   */
  public static Queues find(SqsClient client, String prefix) {
    return new Queues(find(client, prefix, Priority.HIGH), find(client, prefix, Priority.LOW));
  }

  private static Urls find(SqsClient client, String prefix, Priority priority) {
    QueueSettings.Names names = names(priority);
    return new Urls(url(client, prefix + names.queue()), url(client, prefix + names.deadLetters()));
  }

  private static String url(SqsClient client, String name) {
    try {
      return client.getQueueUrl(request -> request.queueName(name)).queueUrl();
    } catch (QueueDoesNotExistException e) {
      throw new IllegalStateException(
          "There is no SQS queue " + name + "; create it, or correct the prefix", e);
    }
  }

  /**
   * Creates those queues of a fleet that are missing, with the attributes of {@link
   * QueueSettings#DEFAULT}, and returns all.
   *
   * @param leases visibility timeout and redrive policy
   * @throws software.amazon.awssdk.services.sqs.model.SqsException if one exists with other
   *     attributes
   */
  public static Queues createMissing(SqsClient client, String prefix, LeasePolicy leases) {
    return new Queues(
        createMissing(client, prefix, leases, Priority.HIGH),
        createMissing(client, prefix, leases, Priority.LOW));
  }

  private static Urls createMissing(
      SqsClient client, String prefix, LeasePolicy leases, Priority priority) {
    QueueSettings settings = QueueSettings.DEFAULT;
    QueueSettings.Names names = names(priority);
    String retention = Long.toString(settings.retention().toSeconds());
    String deadLetters =
        create(
            client,
            prefix + names.deadLetters(),
            Map.of(QueueAttributeName.MESSAGE_RETENTION_PERIOD, retention));
    String arn =
        client
            .getQueueAttributes(
                request ->
                    request.queueUrl(deadLetters).attributeNames(QueueAttributeName.QUEUE_ARN))
            .attributes()
            .get(QueueAttributeName.QUEUE_ARN);
    String queue =
        create(
            client,
            prefix + names.queue(),
            Map.of(
                QueueAttributeName.MESSAGE_RETENTION_PERIOD,
                retention,
                QueueAttributeName.VISIBILITY_TIMEOUT,
                Long.toString(leases.visibility().toSeconds()),
                QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS,
                Long.toString(settings.receiveWait().toSeconds()),
                QueueAttributeName.REDRIVE_POLICY,
                "{\"deadLetterTargetArn\":\""
                    + arn
                    + "\",\"maxReceiveCount\":"
                    + leases.maxReceiveCount()
                    + "}"));
    return new Urls(queue, deadLetters);
  }

  private static String create(
      SqsClient client, String name, Map<QueueAttributeName, String> attributes) {
    return client.createQueue(request -> request.queueName(name).attributes(attributes)).queueUrl();
  }

  private static QueueSettings.Names names(Priority priority) {
    QueueSettings.Names names = QueueSettings.DEFAULT.names().get(priority);
    if (names == null) {
      throw new AssertionError("queues.json names no queue " + priority);
    }
    return names;
  }
}
