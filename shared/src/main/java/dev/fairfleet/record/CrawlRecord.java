package dev.fairfleet.record;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One thing that was extracted from a page.
 *
 * @param naturalKey what the thing is (an SKU, a listing id, else the canonical URL), never when or
 *     where on a page it was seen
 * @param url the page it was read from
 * @param fields name to value, in the order of the names
 * @param contentHash of the fields that are not volatile; equal hashes mean an unchanged thing
 */
public record CrawlRecord(
    RecordId id,
    SiteId site,
    CrawlId crawl,
    String naturalKey,
    CrawlUrl url,
    SortedMap<String, String> fields,
    String contentHash) {
  public CrawlRecord {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  /**
   * Returns the record of one thing.
   *
   * @param volatileFields names that the content hash leaves out
   */
  public static CrawlRecord of(
      SiteId site,
      CrawlId crawl,
      String naturalKey,
      CrawlUrl url,
      Map<String, String> fields,
      Set<String> volatileFields) {
    return new CrawlRecord(
        RecordId.of(site, naturalKey),
        site,
        crawl,
        naturalKey,
        url,
        new TreeMap<>(fields),
        hash(fields, volatileFields));
  }

  private static String hash(Map<String, String> fields, Set<String> volatileFields) {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(fields)
        .forEach(
            (name, value) -> {
              if (!volatileFields.contains(name)) {
                text.append(name.length()).append(':').append(name);
                text.append(value.length()).append(':').append(value);
              }
            });
    return Hashes.hex128(text.toString());
  }
}
