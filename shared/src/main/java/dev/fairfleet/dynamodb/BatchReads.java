package dev.fairfleet.dynamodb;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * Reads many items of one table with BatchGetItem.
 *
 * <p>A partly throttled table answers 200 and names the keys it left out; those are asked for again
 * with exponential back-off and jitter, as the API reference advises. Thread-safe.
 */
final class BatchReads {
  /** Most keys of one request (API reference, BatchGetItem). */
  static final int MAX_KEYS = 100;

  private static final int MAX_TRIES = 10;
  private static final BackoffStrategy BACKOFF =
      BackoffStrategy.exponentialDelay(Duration.ofMillis(20), Duration.ofSeconds(1));

  private final DynamoDbClient client;
  private final String table;

  BatchReads(DynamoDbClient client, String table) {
    this.client = client;
    this.table = table;
  }

  /**
   * Returns the items that exist, in no particular order.
   *
   * @param keys distinct, 1 to {@link #MAX_KEYS}
   * @throws SdkClientException if the table left keys out ten times in a row
   */
  List<Map<String, AttributeValue>> read(
      Collection<Map<String, AttributeValue>> keys, boolean consistent) {
    List<Map<String, AttributeValue>> items = new ArrayList<>(keys.size());
    Map<String, KeysAndAttributes> wanted =
        Map.of(table, KeysAndAttributes.builder().keys(keys).consistentRead(consistent).build());
    for (int tries = 1; tries <= MAX_TRIES; tries++) {
      Map<String, KeysAndAttributes> requested = wanted;
      BatchGetItemResponse response =
          client.batchGetItem(
              r -> r.requestItems(requested).returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
      items.addAll(response.responses().getOrDefault(table, List.of()));
      wanted = response.unprocessedKeys();
      if (wanted.isEmpty()) {
        return items;
      }
      pause(BACKOFF.computeDelay(tries));
    }
    throw SdkClientException.create(
        "Table "
            + table
            + " is throttled: of "
            + keys.size()
            + " keys it left out some in each of "
            + MAX_TRIES
            + " reads. The read may be repeated");
  }

  private static void pause(Duration delay) {
    try {
      Thread.sleep(delay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.create("Interrupted between two reads of a batch", e);
    }
  }
}
