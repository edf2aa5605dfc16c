package dev.fairfleet.cli;

import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.record.Tombstone;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Records of one site, for tests of what is written of them. */
final class Stored {
  static final SiteId SITE = new SiteId("books");
  static final CrawlId CRAWL = new CrawlId("20261130T120000.000Z");
  static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

  private Stored() {}

  static CrawlRecord record(String key, Map<String, String> fields) {
    return CrawlRecord.of(
        SITE, CRAWL, key, CrawlUrl.of("http://books.test/" + key), fields, Set.of());
  }

  /** Returns a record that was seen first at noon. */
  static StoredRecord fresh(String key, Map<String, String> fields) {
    return new StoredRecord(record(key, fields), NOON, NOON, 0, Optional.empty(), Optional.empty());
  }

  /** Returns a record that changed an hour after noon, was deleted, and came back after two. */
  static StoredRecord returned(String key, Map<String, String> fields) {
    return new StoredRecord(
        record(key, fields),
        NOON,
        NOON.plusSeconds(3_600),
        1,
        Optional.empty(),
        Optional.of(NOON.plusSeconds(7_200)));
  }

  /** Returns a record that was deleted an hour after noon. */
  static StoredRecord deleted(String key, Map<String, String> fields, String reason) {
    return new StoredRecord(
        record(key, fields),
        NOON,
        NOON,
        0,
        Optional.of(new Tombstone(NOON.plusSeconds(3_600), reason)),
        Optional.empty());
  }
}
