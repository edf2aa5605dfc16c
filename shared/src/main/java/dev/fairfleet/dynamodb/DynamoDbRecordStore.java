package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.value;

import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * The records in the DynamoDB table {@code records}.
 *
 * <p>A put is one conditional UpdateItem. When the reply to a successful one is lost, the SDK's
 * retry finds the record's own content hash and the answer is {@code UNCHANGED}: the record is
 * stored as asked, only a count of new records is one short. Fields are cut at 360,000 bytes of
 * UTF-8 in all, a natural key at 8 KiB; both hashes are made of the whole. Times are kept to the
 * millisecond. Thread-safe.
 */
public final class DynamoDbRecordStore implements RecordStore {
  private final DynamoDbClient client;
  private final String table;

  public DynamoDbRecordStore(DynamoDbClient client, TablePrefix prefix) {
    this.client = client;
    this.table = prefix.records();
  }

  @Override
  public Put put(CrawlRecord record, Instant now) {
    RecordItem.Fitting fitting = RecordItem.fit(record.fields());
    Update update =
        new Update(table, RecordItem.key(record.id()))
            .set(RecordItem.SITE, value(record.site().value()))
            .set(RecordItem.CRAWL, value(record.crawl().value()))
            .set(
                RecordItem.NATURAL_KEY,
                value(RecordItem.head(record.naturalKey(), RecordItem.MAX_NATURAL_KEY_BYTES)))
            .set(RecordItem.URL, value(record.url().toString()))
            .set(RecordItem.FIELDS, value(fitting.fields()))
            .set(RecordItem.CONTENT_HASH, value(record.contentHash()))
            .setIfAbsent(RecordItem.FIRST_SEEN, value(now))
            .set(RecordItem.LAST_CHANGED, value(now))
            .when("attribute_not_exists(#contentHash) OR #contentHash <> :contentHash");
    if (fitting.cut().isEmpty()) {
      update.remove(RecordItem.CUT);
    } else {
      update.set(RecordItem.CUT, value(fitting.cut()));
    }
    try {
      Map<String, AttributeValue> before = update.send(client, ReturnValue.UPDATED_OLD);
      return before.containsKey(RecordItem.CONTENT_HASH) ? Put.CHANGED : Put.CREATED;
    } catch (ConditionalCheckFailedException e) {
      return Put.UNCHANGED;
    }
  }

  @Override
  public Optional<StoredRecord> find(RecordId id) {
    Map<String, AttributeValue> item =
        client
            .getItem(
                r ->
                    r.tableName(table)
                        .key(RecordItem.key(id))
                        .consistentRead(true)
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
            .item();
    return item.isEmpty() ? Optional.empty() : Optional.of(RecordItem.record(item));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Scans the whole table, every site's records, with a filter: one read unit for each 4 KB that
   * the table holds, however few of them are the site's. Meant for exports, not for the crawl.
   */
  @Override
  public void forEach(SiteId site, Consumer<StoredRecord> each) {
    client
        .scanPaginator(
            ScanRequest.builder()
                .tableName(table)
                .filterExpression("#site = :site")
                .expressionAttributeNames(Map.of("#site", RecordItem.SITE))
                .expressionAttributeValues(Map.of(":site", value(site.value())))
                .consistentRead(true)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build())
        .items()
        .forEach(item -> each.accept(RecordItem.record(item)));
  }
}
