package dev.fairfleet.dynamodb;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * Deletes many items of one table with BatchWriteItem.
 *
 * <p>A partly throttled table answers 200 and names the items that it left; those are sent again
 * with exponential back-off and jitter, as the API reference advises. Thread-safe.
 */
final class BatchDeletes {
  /** Most items of one request (API reference, BatchWriteItem). */
  static final int MAX_ITEMS = 25;

  private final DynamoDbClient client;
  private final String table;

  BatchDeletes(DynamoDbClient client, String table) {
    this.client = client;
    this.table = table;
  }

  /**
   * Deletes items; those that do not exist are no error.
   *
   * @param keys distinct, any number
   * @throws SdkClientException if the table left items ten times in a row; may be repeated
   */
  void delete(Collection<Map<String, AttributeValue>> keys) {
    List<WriteRequest> deletions =
        keys.stream()
            .map(key -> WriteRequest.builder().deleteRequest(r -> r.key(key)).build())
            .toList();
    for (int from = 0; from < deletions.size(); from += MAX_ITEMS) {
      send(deletions.subList(from, Math.min(deletions.size(), from + MAX_ITEMS)));
    }
  }

  private void send(List<WriteRequest> deletions) {
    Map<String, List<WriteRequest>> left = Map.of(table, deletions);
    for (int tries = 1; tries <= Backoff.MAX_TRIES; tries++) {
      Map<String, List<WriteRequest>> requested = left;
      BatchWriteItemResponse response =
          client.batchWriteItem(
              r -> r.requestItems(requested).returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
      left = response.unprocessedItems();
      if (left.isEmpty()) {
        return;
      }
      Backoff.pause(tries);
    }
    throw SdkClientException.create(
        "Table "
            + table
            + " is throttled: of "
            + deletions.size()
            + " items to be deleted it left some in each of "
            + Backoff.MAX_TRIES
            + " requests. The deletion may be repeated");
  }
}
