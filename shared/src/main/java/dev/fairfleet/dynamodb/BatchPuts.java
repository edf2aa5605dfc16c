package dev.fairfleet.dynamodb;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Writes many items of one table with BatchWriteItem, each in place of whatever is there.
 *
 * <p>A partly throttled table answers 200 and names the items it left out; those are sent again
 * with exponential back-off and jitter, as the API reference advises. Thread-safe.
 */
final class BatchPuts {
  /** Most items of one request (API reference, BatchWriteItem). */
  static final int MAX_ITEMS = 25;

  private static final int MAX_TRIES = 12;
  private static final BackoffStrategy BACKOFF =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(20), Duration.ofSeconds(2));

  private final DynamoDbClient client;
  private final String table;

  BatchPuts(DynamoDbClient client, String table) {
    this.client = client;
    this.table = table;
  }

  /**
   * Writes the items.
   *
   * @param items of distinct keys, 1 to {@link #MAX_ITEMS}
   * @throws SdkClientException if the table left items out twelve times in a row
   */
  void write(Collection<Map<String, AttributeValue>> items) {
    Map<String, List<WriteRequest>> wanted =
        Map.of(table, items.stream().map(BatchPuts::request).toList());
    for (int tries = 1; tries <= MAX_TRIES; tries++) {
      Map<String, List<WriteRequest>> requested = wanted;
      wanted =
          client
              .batchWriteItem(
                  r ->
                      r.requestItems(requested)
                          .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
              .unprocessedItems();
      if (wanted.isEmpty()) {
        return;
      }
      pause(BACKOFF.computeDelay(tries));
    }
    throw SdkClientException.create(
        "Table "
            + table
            + " is throttled: of "
            + items.size()
            + " items it left out some in each of "
            + MAX_TRIES
            + " writes. The write may be repeated");
  }

  private static WriteRequest request(Map<String, AttributeValue> item) {
    return WriteRequest.builder().putRequest(PutRequest.builder().item(item).build()).build();
  }

  private static void pause(Duration delay) {
    try {
      Thread.sleep(delay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.create("Interrupted between two writes of a batch", e);
    }
  }
}
