package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.text;
import static dev.fairfleet.dynamodb.Attributes.time;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The form of a record in the table {@code records}: key {@code recordId}; {@code site, crawl,
 * naturalKey, url, contentHash}; {@code fields}, a map of texts; {@code cut}, the names of fields
 * that were cut, absent if none was; {@code firstSeen, lastChanged} in milliseconds.
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

  /** Longest natural key that is kept with its record, whose id is made of the whole key. */
  static final int MAX_NATURAL_KEY_BYTES = 8_192;

  // An item holds 400 KB (DynamoDB Developer Guide, "Quotas"), names included; the rest of the item
  // is a URL, a natural key and some forty bytes a field.
  private static final int MAX_FIELD_BYTES = 360_000;
  // Length of name and value (DynamoDB Developer Guide, "Item sizes and formats"), generously.
  private static final int FIELD_OVERHEAD = 8;

  private RecordItem() {}

  static Map<String, AttributeValue> key(RecordId id) {
    return Map.of("recordId", Attributes.value(id.value()));
  }

  static StoredRecord record(Map<String, AttributeValue> item) {
    return new StoredRecord(
        new CrawlRecord(
            new RecordId(text(item, "recordId")),
            new SiteId(text(item, SITE)),
            new CrawlId(text(item, CRAWL)),
            text(item, NATURAL_KEY),
            CrawlUrl.of(text(item, URL)),
            new TreeMap<>(Attributes.textMap(item, FIELDS)),
            text(item, CONTENT_HASH)),
        time(item, FIRST_SEEN),
        time(item, LAST_CHANGED));
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
