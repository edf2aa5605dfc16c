package dev.fairfleet.dynamodb;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkClientException;
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
   * @throws NewerVersionException if a newer version of this program wrote one of them
   */
  List<Map<String, AttributeValue>> read(
      Collection<Map<String, AttributeValue>> keys, boolean consistent) {
    List<Map<String, AttributeValue>> items = new ArrayList<>(keys.size());
    Map<String, KeysAndAttributes> wanted =
        Map.of(table, KeysAndAttributes.builder().keys(keys).consistentRead(consistent).build());
    for (int tries = 1; tries <= Backoff.MAX_TRIES; tries++) {
      Map<String, KeysAndAttributes> requested = wanted;
      BatchGetItemResponse response =
          client.batchGetItem(
              r -> r.requestItems(requested).returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
      for (Map<String, AttributeValue> item : response.responses().getOrDefault(table, List.of())) {
        items.add(ItemVersion.check(table, item));
      }
      wanted = response.unprocessedKeys();
      if (wanted.isEmpty()) {
        return items;
      }
      Backoff.pause(tries);
    }
    throw SdkClientException.create(
        "Table "
            + table
            + " is throttled: of "
            + keys.size()
            + " keys it left out some in each of "
            + Backoff.MAX_TRIES
            + " reads. The read may be repeated");
  }
}
