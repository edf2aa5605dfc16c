package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.text;
import static dev.fairfleet.dynamodb.Attributes.time;
import static dev.fairfleet.dynamodb.Attributes.value;

import dev.fairfleet.record.Changes;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * The records in the DynamoDB table {@code records}.
 *
 * <p>A put reads the item, decides, and writes on condition that the item is still as it was read.
 * Most puts of a fleet's life find the record unchanged; a consistent read of 4 KB costs them a
 * fifth of what a failed conditional write of one would. When the condition fails and the item has
 * the content, the crawl and the time that were to be written, an earlier attempt wrote it and its
 * reply was lost: the answer is what that one would have been.
 *
 * <p>Fields are cut at 360,000 bytes of UTF-8 in all, a natural key at 8 KiB; both hashes are made
 * of the whole. Times are kept to the millisecond. Thread-safe.
 */
public final class DynamoDbRecordStore implements RecordStore {
  // Each failed try means that another caller has written the same record since it was read.
  private static final int MAX_TRIES = 50;
  private static final int SEGMENTS = 4;
  private static final int READS_AT_ONCE = 4;

  private final DynamoDbClient client;
  private final String table;
  private final FeedIndex feed;
  private final BatchReads reads;
  private final BatchDeletes deletes;

  public DynamoDbRecordStore(DynamoDbClient client, TablePrefix prefix) {
    this.client = client;
    this.table = prefix.records();
    this.feed = new FeedIndex(client, table);
    this.reads = new BatchReads(client, table);
    this.deletes = new BatchDeletes(client, table);
  }

  @Override
  public Put put(CrawlRecord record, Instant now) {
    Map<String, AttributeValue> item = item(record.id());
    Optional<Put> tried = Optional.empty();
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      if (tried.isPresent() && isWritten(record, now, item)) {
        return tried.get();
      }
      Put put = outcome(record, item);
      if (put == Put.UNCHANGED && item.containsKey(RecordItem.FEED)) {
        return put;
      }
      Update update = put == Put.UNCHANGED ? entry(item) : content(record, item, put, now);
      try {
        update.send(client, ReturnValue.NONE);
        return put;
      } catch (ConditionalCheckFailedException e) {
        item = update.obstacle(client, e);
        tried = Optional.of(put);
      }
    }
    throw contended("put", record.id());
  }

  private static Put outcome(CrawlRecord record, Map<String, AttributeValue> item) {
    if (!isThere(item)) {
      return Put.CREATED;
    }
    if (isDeleted(item)) {
      return Put.RETURNED;
    }
    return hasContent(item, record) ? Put.UNCHANGED : Put.CHANGED;
  }

  private static boolean isWritten(
      CrawlRecord record, Instant now, Map<String, AttributeValue> item) {
    return hasContent(item, record)
        && !isDeleted(item)
        && text(item, RecordItem.CRAWL).equals(record.crawl().value())
        && RecordItem.place(item).equals(FeedPosition.of(record.id(), now));
  }

  private Update content(
      CrawlRecord record, Map<String, AttributeValue> item, Put put, Instant now) {
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
            .remove(RecordItem.DELETED_AT)
            .remove(RecordItem.DELETED_BY)
            .remove(RecordItem.DELETED_REASON);
    if (fitting.cut().isEmpty()) {
      update.remove(RecordItem.CUT);
    } else {
      update.set(RecordItem.CUT, value(fitting.cut()));
    }
    if (!hasContent(item, record)) {
      update.set(RecordItem.LAST_CHANGED, value(now));
      if (put != Put.CREATED) {
        update.increment(RecordItem.CHANGES);
      }
    }
    if (put == Put.RETURNED) {
      update.set(RecordItem.RETURNED_AT, value(now));
    }
    return whileStill(item, enter(update, record.site(), record.id(), now));
  }

  /** Gives an item that an older version wrote its place in the feed. */
  private Update entry(Map<String, AttributeValue> item) {
    StoredRecord stored = RecordItem.record(item);
    RecordId id = stored.record().id();
    Update update = new Update(table, RecordItem.key(id));
    return whileStill(item, enter(update, stored.record().site(), id, stored.writtenAt()));
  }

  private static Update enter(Update update, SiteId site, RecordId id, Instant time) {
    return update
        .set(RecordItem.FEED, value(RecordItem.feed(site, id)))
        .set(RecordItem.FEED_ORDER, value(FeedPosition.of(id, time).toString()));
  }

  /** Makes an update fail if the item is no longer as it was read. */
  private static Update whileStill(Map<String, AttributeValue> item, Update update) {
    if (!isThere(item)) {
      return update.when("attribute_not_exists(#contentHash)");
    }
    String read = "#contentHash = :readHash AND #crawl = :readCrawl AND ";
    update
        .value("readHash", value(text(item, RecordItem.CONTENT_HASH)))
        .value("readCrawl", value(text(item, RecordItem.CRAWL)));
    return isDeleted(item)
        ? update
            .when(read + "#deletedAt = :readDeletedAt")
            .value("readDeletedAt", value(time(item, RecordItem.DELETED_AT)))
        : update.when(read + "attribute_not_exists(#deletedAt)");
  }

  private static boolean isThere(Map<String, AttributeValue> item) {
    return item.containsKey(RecordItem.CONTENT_HASH);
  }

  private static boolean isDeleted(Map<String, AttributeValue> item) {
    return item.containsKey(RecordItem.DELETED_AT);
  }

  private static boolean hasContent(Map<String, AttributeValue> item, CrawlRecord record) {
    return text(item, RecordItem.CONTENT_HASH).equals(record.contentHash());
  }

  /**
   * {@inheritDoc}
   *
   * <p>A read and one conditional write. The fields stay, so that readers of the tombstone know
   * what has gone.
   */
  @Override
  public boolean delete(RecordId id, CrawlId crawl, String reason, Instant now) {
    Map<String, AttributeValue> item = item(id);
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      if (!isThere(item)) {
        return false;
      }
      if (isDeleted(item)) {
        return text(item, RecordItem.DELETED_BY).equals(crawl.value());
      }
      if (crawl.compareTo(new CrawlId(text(item, RecordItem.CRAWL))) < 0) {
        return false;
      }
      Update update =
          new Update(table, RecordItem.key(id))
              .set(RecordItem.DELETED_AT, value(now))
              .set(RecordItem.DELETED_BY, value(crawl.value()))
              .set(RecordItem.DELETED_REASON, value(RecordItem.reason(reason)));
      whileStill(item, enter(update, new SiteId(text(item, RecordItem.SITE)), id, now));
      try {
        update.send(client, ReturnValue.NONE);
        return true;
      } catch (ConditionalCheckFailedException e) {
        item = update.obstacle(client, e);
      }
    }
    throw contended("delete", id);
  }

  private SdkClientException contended(String what, RecordId id) {
    return SdkClientException.create(
        "Cannot "
            + what
            + " record "
            + id
            + " of table "
            + table
            + ": others wrote it between reading and writing in each of "
            + MAX_TRIES
            + " tries. It may be tried again");
  }

  @Override
  public Optional<StoredRecord> find(RecordId id) {
    Map<String, AttributeValue> item = item(id);
    return item.isEmpty() ? Optional.empty() : Optional.of(RecordItem.record(item));
  }

  private Map<String, AttributeValue> item(RecordId id) {
    return ItemVersion.check(
        table,
        client
            .getItem(
                r ->
                    r.tableName(table)
                        .key(RecordItem.key(id))
                        .consistentRead(true)
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
            .item());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Four queries of the index, half a read unit for 4 KB of entries of some 200 bytes, and one
   * consistent read of each record, a unit for 4 KB.
   */
  @Override
  public Changes changes(SiteId site, String from, int most) {
    FeedPosition place = FeedPosition.parse(from);
    FeedIndex.Step step = feed.after(place, site, most);
    Map<RecordId, Map<String, AttributeValue>> items = items(step.entries());
    List<StoredRecord> records = new ArrayList<>(step.entries().size());
    for (Map<String, AttributeValue> entry : step.entries()) {
      place = RecordItem.place(entry);
      Map<String, AttributeValue> item = items.getOrDefault(RecordItem.id(entry), Map.of());
      // One that moved on comes later; one that a slow clock moved back would not come again.
      if (isThere(item) && RecordItem.place(item).compareTo(place) <= 0) {
        records.add(RecordItem.record(item));
      }
    }
    return new Changes(records, place.toString(), step.end());
  }

  private Map<RecordId, Map<String, AttributeValue>> items(
      List<Map<String, AttributeValue>> entries) {
    List<Map<String, AttributeValue>> keys =
        entries.stream().map(RecordItem::key).distinct().toList();
    List<List<Map<String, AttributeValue>>> batches = new ArrayList<>();
    for (int i = 0; i < keys.size(); i += BatchReads.MAX_KEYS) {
      batches.add(keys.subList(i, Math.min(i + BatchReads.MAX_KEYS, keys.size())));
    }
    Map<RecordId, Map<String, AttributeValue>> items = new HashMap<>();
    SideBySide.map(batches, READS_AT_ONCE, batch -> reads.read(batch, true))
        .forEach(read -> read.forEach(item -> items.put(RecordItem.id(item), item)));
    return items;
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
        .scanPaginator(scan(site).build())
        .items()
        .forEach(item -> each.accept(RecordItem.record(ItemVersion.check(table, item))));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Scans the whole table like {@link #forEach}, because the index may be late, and does not
   * know the records of older versions; deletes 25 records with a request.
   */
  @Override
  public void removeAll(SiteId site) {
    SideBySide.map(
        IntStream.range(0, SEGMENTS).boxed().toList(),
        SEGMENTS,
        segment -> removeAll(scan(site).segment(segment).totalSegments(SEGMENTS)));
  }

  private int removeAll(ScanRequest.Builder scan) {
    List<Map<String, AttributeValue>> keys = new ArrayList<>();
    int removed = 0;
    for (Map<String, AttributeValue> item : client.scanPaginator(scan.build()).items()) {
      keys.add(RecordItem.key(ItemVersion.check(table, item)));
      if (keys.size() == BatchDeletes.MAX_ITEMS) {
        deletes.delete(keys);
        removed += keys.size();
        keys.clear();
      }
    }
    if (!keys.isEmpty()) {
      deletes.delete(keys);
    }
    return removed + keys.size();
  }

  private ScanRequest.Builder scan(SiteId site) {
    return ScanRequest.builder()
        .tableName(table)
        .filterExpression("#site = :site")
        .expressionAttributeNames(Map.of("#site", RecordItem.SITE))
        .expressionAttributeValues(Map.of(":site", value(site.value())))
        .consistentRead(true)
        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
  }
}
