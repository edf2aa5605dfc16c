package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.cli.RecordHistory.Period;
import dev.fairfleet.local.web.ChangingShop;
import dev.fairfleet.local.web.ChangingShopPlan;
import dev.fairfleet.memory.InMemoryRecordStore;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.record.Tombstone;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The judge of the deletions drill, given records that are right and records that are not. */
final class RecordHistoryTest {
  private static final SiteId SITE = new SiteId("shop");
  private static final CrawlUrl URL = CrawlUrl.of("http://shop.example/p");
  private static final Instant START = Instant.parse("2026-05-01T00:00:00Z");
  private static final ChangingShop SHOP =
      new ChangingShop("shop", ChangingShopPlan.usual(3, 400).withReturning(0.5), () -> START);
  private static final List<Period> CRAWLS = List.of(period(0), period(1), period(2));

  private final RecordStore store = new InMemoryRecordStore();

  private static Period period(int version) {
    Instant begin = START.plus(Duration.ofHours(version));
    return new Period(begin, begin.plusSeconds(60));
  }

  private static CrawlRecord record(CrawlId crawl, Map<String, String> fields) {
    return CrawlRecord.of(SITE, crawl, fields.getOrDefault("sku", ""), URL, fields, Set.of());
  }

  /** Does what a perfect crawl of a version would. */
  private void crawl(int version) {
    Instant now = CRAWLS.get(version).begin().plusSeconds(10);
    CrawlId crawl = CrawlId.scheduledFor(CRAWLS.get(version).begin());
    SHOP.truth(version).values().forEach(fields -> store.put(record(crawl, fields), now));
    if (version > 0) {
      SHOP.difference(version - 1, version)
          .removed()
          .forEach(sku -> store.delete(RecordId.of(SITE, sku), crawl, "gone", now.plusSeconds(20)));
    }
  }

  private Map<String, StoredRecord> records() {
    Map<String, StoredRecord> records = new TreeMap<>();
    store.forEach(SITE, stored -> records.put(stored.record().naturalKey(), stored));
    return records;
  }

  private List<String> faults(Map<String, StoredRecord> records) {
    return RecordHistory.faults(RecordHistory.of(SHOP, 2), records, CRAWLS);
  }

  @Test
  void of_productsOfThreeVersions_tellEachWhatBecameOfIt() {
    Map<String, RecordHistory> histories = RecordHistory.of(SHOP, 2);
    assertThat(histories.keySet()).hasSize(SHOP.truth(0).size() + 2 * 8);
    SHOP.difference(1, 2)
        .returned()
        .forEach(
            sku -> {
              assertThat(histories.get(sku))
                  .isNotNull()
                  .extracting(RecordHistory::returned, RecordHistory::removed)
                  .containsExactly(Optional.of(2), Optional.empty());
            });
    assertThat(histories.values())
        .filteredOn(history -> history.removed().isPresent())
        .hasSize(8 + 8 - 4);
  }

  @Test
  void faults_perfectCrawls_areNone() {
    for (int version = 0; version <= 2; version++) {
      crawl(version);
    }
    assertThat(faults(records())).isEmpty();
  }

  @Test
  void faults_whateverIsWrong_isNamed() {
    for (int version = 0; version <= 2; version++) {
      crawl(version);
    }
    Map<String, StoredRecord> right = records();
    String sku =
        right.entrySet().stream()
            .filter(entry -> entry.getValue().changes() == 1)
            .filter(entry -> entry.getValue().tombstone().isEmpty())
            .map(Map.Entry::getKey)
            .findFirst()
            .orElseThrow();
    StoredRecord it = right.getOrDefault(sku, right.values().iterator().next());
    Instant wrong = START.minusSeconds(1);
    List<StoredRecord> bad =
        List.of(
            new StoredRecord(
                it.record(), wrong, it.lastChanged(), 1, Optional.empty(), it.returned()),
            new StoredRecord(
                it.record(), it.firstSeen(), wrong, 1, Optional.empty(), it.returned()),
            new StoredRecord(
                it.record(), it.firstSeen(), it.lastChanged(), 2, Optional.empty(), it.returned()),
            new StoredRecord(
                it.record(),
                it.firstSeen(),
                it.lastChanged(),
                1,
                Optional.of(new Tombstone(START, "gone")),
                it.returned()),
            new StoredRecord(
                it.record(),
                it.firstSeen(),
                it.lastChanged(),
                1,
                Optional.empty(),
                Optional.of(wrong)),
            new StoredRecord(
                record(it.record().crawl(), Map.of("sku", sku, "price", "0.00")),
                it.firstSeen(),
                it.lastChanged(),
                1,
                Optional.empty(),
                it.returned()));
    for (StoredRecord each : bad) {
      Map<String, StoredRecord> records = new TreeMap<>(right);
      records.put(sku, each);
      assertThat(faults(records)).singleElement().asString().startsWith(sku + " ");
    }
    right.remove(sku);
    assertThat(faults(right)).containsExactly(sku + " has no record");
  }

  @Test
  void faults_recordOfNothing_isNamed() {
    for (int version = 0; version <= 2; version++) {
      crawl(version);
    }
    store.put(
        record(CrawlId.scheduledFor(START), Map.of("sku", "PHANTOM")), CRAWLS.getFirst().begin());
    assertThat(faults(records())).containsExactly("PHANTOM has a record, but there never was one");
  }

  @Test
  void told_recordsWrittenByALaterCrawl_areTheTrueDifference() {
    crawl(0);
    for (int version = 1; version <= 2; version++) {
      crawl(version);
      Instant since = CRAWLS.get(version).begin();
      List<StoredRecord> changes = new ArrayList<>(records().values());
      changes.removeIf(stored -> stored.writtenAt().isBefore(since));
      assertThat(RecordHistory.told(changes, since))
          .isEqualTo(SHOP.difference(version - 1, version));
    }
  }
}
