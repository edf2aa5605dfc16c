package dev.fairfleet.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Race;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What every {@link RecordStore} promises. Tests share the storage; each has a site of its own. */
public abstract class RecordStoreContract {
  private static final AtomicInteger SITES = new AtomicInteger();

  protected static final CrawlId CRAWL = new CrawlId("20261130T120000.000Z");
  protected static final CrawlId NEWER = new CrawlId("20261201T120000.000Z");
  protected static final CrawlUrl URL = CrawlUrl.of("http://a.test/p?id=1");
  protected static final Instant NOW = Instant.parse("2026-11-30T12:00:05.678Z");
  protected static final Instant LATER = NOW.plusSeconds(86_400);

  protected final SiteId site = new SiteId("site-" + SITES.incrementAndGet());

  /** Returns the store under test. */
  protected abstract RecordStore store();

  protected CrawlRecord record(CrawlId crawl, Map<String, String> fields) {
    return CrawlRecord.of(site, crawl, "sku-1", URL, fields, Set.of("seenAt"));
  }

  private static Map<String, String> fields(String price) {
    return Map.of("price", price, "title", "Räder & \"Co\" 🚲");
  }

  protected StoredRecord stored(RecordId id) {
    return store().find(id).orElseThrow();
  }

  private List<StoredRecord> all(SiteId of) {
    List<StoredRecord> all = new ArrayList<>();
    store().forEach(of, all::add);
    return all;
  }

  @Test
  protected void put_newRecord_isCreatedAndKept() {
    CrawlRecord record = record(CRAWL, fields("12"));
    assertThat(store().put(record, NOW)).isEqualTo(RecordStore.Put.CREATED);
    assertThat(stored(record.id())).isEqualTo(new StoredRecord(record, NOW, NOW));
  }

  @Test
  protected void put_sameContentAgain_isUnchangedAndWritesNothing() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    assertThat(store().put(record(NEWER, fields("12")), LATER))
        .isEqualTo(RecordStore.Put.UNCHANGED);
    assertThat(stored(record.id())).isEqualTo(new StoredRecord(record, NOW, NOW));
  }

  @Test
  protected void put_onlyVolatileFieldDiffers_isUnchanged() {
    CrawlRecord record = record(CRAWL, Map.of("price", "12", "seenAt", "noon"));
    store().put(record, NOW);
    assertThat(store().put(record(CRAWL, Map.of("price", "12", "seenAt", "night")), LATER))
        .isEqualTo(RecordStore.Put.UNCHANGED);
    assertThat(stored(record.id()).record().fields()).containsEntry("seenAt", "noon");
  }

  @Test
  protected void put_otherContent_isChangedAndKeepsFirstSighting() {
    store().put(record(CRAWL, Map.of("price", "12", "colour", "red")), NOW);
    CrawlRecord changed = record(NEWER, fields("13"));
    assertThat(store().put(changed, LATER)).isEqualTo(RecordStore.Put.CHANGED);
    assertThat(stored(changed.id())).isEqualTo(new StoredRecord(changed, NOW, LATER));
  }

  @Test
  protected void put_contentThatComesBack_isChanged() {
    store().put(record(CRAWL, fields("12")), NOW);
    store().put(record(CRAWL, fields("13")), NOW);
    assertThat(store().put(record(CRAWL, fields("12")), LATER)).isEqualTo(RecordStore.Put.CHANGED);
  }

  @Test
  protected void put_emptyFields_areKept() {
    CrawlRecord empty = record(CRAWL, Map.of());
    CrawlRecord blank = record(CRAWL, Map.of("title", ""));
    store().put(empty, NOW);
    assertThat(stored(empty.id()).record()).isEqualTo(empty);
    store().put(blank, NOW);
    assertThat(stored(empty.id()).record()).isEqualTo(blank);
  }

  @Test
  protected void put_sameNaturalKeyOnAnotherSite_isAnotherRecord() {
    store().put(record(CRAWL, fields("12")), NOW);
    CrawlRecord theirs =
        CrawlRecord.of(
            new SiteId(site + "-neighbour"), CRAWL, "sku-1", URL, fields("12"), Set.of());
    assertThat(store().put(theirs, NOW)).isEqualTo(RecordStore.Put.CREATED);
  }

  /** Field report P95: an item over 400 KB fails. */
  @Test
  protected void put_recordOver400Kb_isStoredWithSmallFieldsWhole() {
    Map<String, String> fields = new HashMap<>(fields("12"));
    fields.put("body", "ä€🚲 ".repeat(80_000));
    fields.put("comments", "x".repeat(300_000));
    CrawlRecord record = record(CRAWL, fields);

    assertThat(store().put(record, NOW)).isEqualTo(RecordStore.Put.CREATED);

    CrawlRecord kept = stored(record.id()).record();
    assertThat(kept.contentHash()).isEqualTo(record.contentHash());
    assertThat(kept.fields()).containsAllEntriesOf(fields("12"));
    for (String large : List.of("body", "comments")) {
      assertThat(record.fields().get(large)).startsWith(kept.fields().get(large));
      assertThat(kept.fields().get(large)).hasSizeGreaterThan(50_000);
    }
    assertThat(store().put(record, LATER)).isEqualTo(RecordStore.Put.UNCHANGED);
  }

  @Test
  protected void put_manyAtOnce_createsOneRecord() {
    CrawlRecord record = record(CRAWL, fields("12"));
    List<RecordStore.Put> puts = Race.of(8, i -> store().put(record, NOW.plusSeconds(i)));
    assertThat(puts).containsOnlyOnce(RecordStore.Put.CREATED);
    assertThat(puts).doesNotContain(RecordStore.Put.CHANGED);
    assertThat(stored(record.id()).firstSeen())
        .isEqualTo(NOW.plusSeconds(puts.indexOf(RecordStore.Put.CREATED)));
  }

  @Test
  protected void find_unknownId_returnsNothing() {
    assertThat(store().find(RecordId.of(site, "nothing"))).isEmpty();
  }

  @Test
  protected void forEach_site_handsEachOfItsRecordsOnce() {
    List<StoredRecord> expected = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      CrawlRecord record = CrawlRecord.of(site, CRAWL, "sku-" + i, URL, fields("" + i), Set.of());
      store().put(record, NOW);
      expected.add(new StoredRecord(record, NOW, NOW));
    }
    store()
        .put(
            CrawlRecord.of(new SiteId(site + "0"), CRAWL, "sku-1", URL, fields("1"), Set.of()),
            NOW);
    assertThat(all(site)).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  protected void forEach_siteWithoutRecords_handsNothing() {
    assertThat(all(site)).isEmpty();
  }
}
