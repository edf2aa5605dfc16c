package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.integer;
import static dev.fairfleet.dynamodb.Attributes.text;
import static dev.fairfleet.dynamodb.Attributes.time;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.record.Tombstone;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The form of a record in the table {@code records}: key {@code recordId}; {@code site, crawl,
 * naturalKey, url, contentHash}; {@code fields}, a map of texts; {@code cut}, the names of fields
 * that were cut, absent if none was; {@code firstSeen, lastChanged} in milliseconds; {@code
 * changes}, absent if there was none; {@code deletedAt, deletedBy, deletedReason} while it has a
 * tombstone; {@code returnedAt} once it had one and came back.
 *
 * <p>{@code feed} and {@code feedOrder} are the keys of the index {@code feed}: the site's id,
 * {@code #} and one of 4 shards, because an index partition, too, takes 1,000 write units a second
 * and holds up the table when it is full; and the text of a {@link FeedPosition}. That it holds the
 * record's id keeps entries of one millisecond apart, for DynamoDB in a stable order, for dynalite,
 * which tells entries with equal keys apart by 24 bits of a hash, at all. A version before the feed
 * wrote items without these two.
 */
final class RecordItem {
  static final String SITE = "site";
  static final String CRAWL = "crawl";
  static final String NATURAL_KEY = "naturalKey";
  static final String URL = "url";
  static final String FIELDS = "fields";
  static final String CUT = "cut";
  static final String CONTENT_HASH = "contentHash";
  static final String FIRST_SEEN = "firstSeen";
  static final String LAST_CHANGED = "lastChanged";
  static final String CHANGES = "changes";
  static final String DELETED_AT = "deletedAt";
  static final String DELETED_BY = "deletedBy";
  static final String DELETED_REASON = "deletedReason";
  static final String RETURNED_AT = "returnedAt";
  static final String FEED = "feed";
  static final String FEED_ORDER = "feedOrder";

  /** Longest natural key that is kept with its record, whose id is made of the whole key. */
  static final int MAX_NATURAL_KEY_BYTES = 8_192;

  // An item holds 400 KB (DynamoDB Developer Guide, "Quotas"), names included; the rest of the item
  // is a URL, a natural key and some forty bytes a field.
  private static final int MAX_FIELD_BYTES = 360_000;
  // Length of name and value (DynamoDB Developer Guide, "Item sizes and formats"), generously.
  private static final int FIELD_OVERHEAD = 8;
  private static final int FEED_SHARDS = 4;
  private static final int MAX_REASON_BYTES = 500;
  private static final String ID = "recordId";

  private RecordItem() {}

  static Map<String, AttributeValue> key(RecordId id) {
    return Map.of(ID, Attributes.value(id.value()));
  }

  /** Returns the key in a table or index entry that has more attributes. */
  static Map<String, AttributeValue> key(Map<String, AttributeValue> entry) {
    return key(id(entry));
  }

  static RecordId id(Map<String, AttributeValue> entry) {
    return new RecordId(text(entry, ID));
  }

  /** Returns the index partition of a record; at most 130 bytes. */
  static String feed(SiteId site, RecordId id) {
    return feed(site, Math.floorMod(id.value().hashCode(), FEED_SHARDS));
  }

  /** Returns the index partitions that hold the records of a site. */
  static Stream<String> feeds(SiteId site) {
    return IntStream.range(0, FEED_SHARDS).mapToObj(shard -> feed(site, shard));
  }

  private static String feed(SiteId site, int shard) {
    return site.value() + "#" + shard;
  }

  /** Returns the place of an item or index entry that has one. */
  static FeedPosition place(Map<String, AttributeValue> entry) {
    return FeedPosition.parse(text(entry, FEED_ORDER));
  }

  /** Returns a reason short enough to stay far below what an item holds. */
  static String reason(String reason) {
    return head(reason, MAX_REASON_BYTES);
  }

  static StoredRecord record(Map<String, AttributeValue> item) {
    return new StoredRecord(
        new CrawlRecord(
            id(item),
            new SiteId(text(item, SITE)),
            new CrawlId(text(item, CRAWL)),
            text(item, NATURAL_KEY),
            CrawlUrl.of(text(item, URL)),
            new TreeMap<>(Attributes.textMap(item, FIELDS)),
            text(item, CONTENT_HASH)),
        time(item, FIRST_SEEN),
        time(item, LAST_CHANGED),
        integer(item, CHANGES),
        timeIfAny(item, DELETED_AT).map(at -> new Tombstone(at, text(item, DELETED_REASON))),
        timeIfAny(item, RETURNED_AT));
  }

  private static Optional<Instant> timeIfAny(Map<String, AttributeValue> item, String name) {
    return item.containsKey(name) ? Optional.of(time(item, name)) : Optional.empty();
  }

  /**
   * Fields that fit into an item.
   *
   * @param cut names of those whose end is missing
   */
  record Fitting(SortedMap<String, String> fields, List<String> cut) {}

  /**
   * Returns the fields, the largest ones cut so that all fit: no field is cut below the share that
   * each of the largest gets.
   */
  static Fitting fit(SortedMap<String, String> fields) {
    SortedMap<String, byte[]> bytes = new TreeMap<>();
    fields.forEach((name, value) -> bytes.put(name, value.getBytes(UTF_8)));
    List<String> bySize = new ArrayList<>(bytes.keySet());
    bySize.sort(Comparator.comparingInt(name -> length(bytes, name)));

    int left = MAX_FIELD_BYTES;
    for (String name : bySize) {
      left -= name.getBytes(UTF_8).length + FIELD_OVERHEAD;
    }
    SortedMap<String, String> fitting = new TreeMap<>(fields);
    List<String> cut = new ArrayList<>();
    for (int i = 0; i < bySize.size(); i++) {
      String name = bySize.get(i);
      int share = Math.max(0, left) / (bySize.size() - i);
      if (length(bytes, name) > share) {
        fitting.put(name, head(fields.getOrDefault(name, ""), share));
        cut.add(name);
      }
      left -= Math.min(share, length(bytes, name));
    }
    Collections.sort(cut);
    return new Fitting(fitting, cut);
  }

  private static int length(Map<String, byte[]> bytes, String name) {
    return bytes.getOrDefault(name, new byte[0]).length;
  }

  /** Returns the longest beginning of a text that has at most {@code max} bytes in UTF-8. */
  static String head(String text, int max) {
    byte[] bytes = text.getBytes(UTF_8);
    if (bytes.length <= max) {
      return text;
    }
    int end = max;
    while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(bytes, 0, end, UTF_8);
  }
}
