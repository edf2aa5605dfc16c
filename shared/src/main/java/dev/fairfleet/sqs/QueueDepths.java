package dev.fairfleet.sqs;

import dev.fairfleet.queue.QueueDepth;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** Asks SQS how many messages a queue holds. */
final class QueueDepths {
  private static final List<QueueAttributeName> ATTRIBUTES =
      List.of(
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED);

  private QueueDepths() {}

  static QueueDepth of(SqsClient client, String url) {
    Map<QueueAttributeName, String> counts =
        client
            .getQueueAttributes(request -> request.queueUrl(url).attributeNames(ATTRIBUTES))
            .attributes();
    return new QueueDepth(
        count(counts, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
        count(counts, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE),
        count(counts, QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED));
  }

  private static long count(Map<QueueAttributeName, String> counts, QueueAttributeName name) {
    return Long.parseLong(counts.getOrDefault(name, "0"));
  }
}
