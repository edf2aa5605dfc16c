package dev.fairfleet.dynamodb;

import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.site.SiteId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/**
 * The index {@code feed} of table {@code records}: its shards, merged.
 *
 * <p>The index follows its table with a delay, so an entry may be of a record that was written
 * again meanwhile, or be missing for one that was written just now. Thread-safe.
 */
final class FeedIndex {
  private static final String NAME = "feed";
  // Hashes spread records unevenly: with so many more than its share from each shard, a step of a
  // hundred records is seldom cut short because one shard ran out before the others.
  private static final int SPARE = 16;

  private final DynamoDbClient client;
  private final String table;

  FeedIndex(DynamoDbClient client, String table) {
    this.client = client;
    this.table = table;
  }

  /**
   * Entries in the order of their places.
   *
   * @param end whether there are no more
   */
  record Step(List<Map<String, AttributeValue>> entries, boolean end) {}

  /**
   * Returns the entries after a place: at least one unless there are none, at most {@code most}.
   */
  Step after(FeedPosition from, SiteId site, int most) {
    List<String> feeds = RecordItem.feeds(site).toList();
    int each = Math.min(most, most / feeds.size() + SPARE);
    List<Shard> shards =
        SideBySide.map(feeds, feeds.size(), feed -> new Shard(query(feed, from, each)));
    List<Map<String, AttributeValue>> entries = new ArrayList<>();
    while (entries.size() < most && shards.stream().noneMatch(Shard::hidesNext)) {
      Optional<Shard> next =
          shards.stream()
              .filter(shard -> !shard.held.isEmpty())
              .min(Comparator.comparing(shard -> RecordItem.place(shard.held.element())));
      if (next.isEmpty()) {
        return new Step(entries, true);
      }
      entries.add(next.get().held.remove());
    }
    return new Step(entries, shards.stream().allMatch(Shard::isAtEnd));
  }

  private QueryResponse query(String feed, FeedPosition from, int limit) {
    return client.query(
        r ->
            r.tableName(table)
                .indexName(NAME)
                .keyConditionExpression("feed = :feed AND feedOrder > :from")
                .expressionAttributeValues(
                    Map.of(
                        ":feed",
                        Attributes.value(feed),
                        ":from",
                        Attributes.value(from.toString())))
                .limit(limit)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
  }

  /** What was read of one index partition. */
  private static final class Shard {
    private final Queue<Map<String, AttributeValue>> held;
    private final boolean readToEnd;

    Shard(QueryResponse response) {
      held = new ArrayDeque<>(response.items());
      readToEnd = response.lastEvaluatedKey().isEmpty();
    }

    /** Returns whether the next entry may lie in what was not read. */
    boolean hidesNext() {
      return held.isEmpty() && !readToEnd;
    }

    boolean isAtEnd() {
      return held.isEmpty() && readToEnd;
    }
  }
}
