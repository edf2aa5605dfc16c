package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.number;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * One reading of a crawl's shelf in the index {@code shelf} of table {@code pages}, the shallowest
 * page first: its shards, merged. Pages of one depth come in no particular order.
 *
 * <p>The index follows its table with a delay, so an entry may be of a page that left the shelf, or
 * be missing for one that has just come. Not thread-safe.
 */
final class ShelfIndex {
  private static final String NAME = "shelf";

  private final DynamoDbClient client;
  private final String table;
  private final List<Shard> shards;

  /**
   * @param shelves the index partitions, see {@link PageItem#shelves}
   */
  ShelfIndex(DynamoDbClient client, String table, Stream<String> shelves) {
    this.client = client;
    this.table = table;
    this.shards = shelves.map(Shard::new).toList();
  }

  /** Returns the keys of the next {@code count} pages; fewer only if there are no more. */
  List<Map<String, AttributeValue>> next(int count) {
    SideBySide.map(shards, shards.size(), shard -> shard.hold(count));
    List<Map<String, AttributeValue>> keys = new ArrayList<>(count);
    while (keys.size() < count) {
      Queue<Map<String, AttributeValue>> shallowest =
          shards.stream()
              .map(shard -> shard.held)
              .filter(held -> !held.isEmpty())
              .min(Comparator.comparingLong(held -> number(held.element(), PageItem.SHELF_ORDER)))
              .orElseGet(ArrayDeque::new);
      if (shallowest.isEmpty()) {
        break;
      }
      keys.add(PageItem.key(shallowest.remove()));
    }
    return keys;
  }

  /** The reading of one partition. */
  private final class Shard {
    private final Queue<Map<String, AttributeValue>> held = new ArrayDeque<>();
    private final String partition;
    private Map<String, AttributeValue> lastRead = Map.of();
    private boolean exhausted;

    Shard(String partition) {
      this.partition = partition;
    }

    /** Reads on until {@code count} entries are held, or all that are left; then it is true. */
    boolean hold(int count) {
      while (held.size() < count && !exhausted) {
        QueryRequest.Builder request =
            QueryRequest.builder()
                .tableName(table)
                .indexName(NAME)
                .keyConditionExpression(PageItem.SHELF + " = :partition")
                .expressionAttributeValues(Map.of(":partition", Attributes.value(partition)))
                .limit(count - held.size())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
        if (!lastRead.isEmpty()) {
          request.exclusiveStartKey(lastRead);
        }
        QueryResponse response = client.query(request.build());
        held.addAll(response.items());
        lastRead = response.lastEvaluatedKey();
        exhausted = lastRead.isEmpty();
      }
      return exhausted;
    }
  }
}
