package dev.fairfleet.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.frontier.Race;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link RecordStore} promises. Tests share the storage; each has a site of its own. */
public abstract class RecordStoreContract {
  private static final AtomicInteger SITES = new AtomicInteger();

  protected static final CrawlId CRAWL = new CrawlId("20261130T120000.000Z");
  protected static final CrawlId NEWER = new CrawlId("20261201T120000.000Z");
  protected static final CrawlId NEWEST = new CrawlId("20261202T120000.000Z");
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

  /** Returns a record as it is after its first put. */
  protected static StoredRecord asStoredFirst(CrawlRecord record, Instant at) {
    return new StoredRecord(record, at, at, 0, Optional.empty(), Optional.empty());
  }

  protected CrawlRecord thing(String key, String price) {
    return CrawlRecord.of(site, CRAWL, key, URL, Map.of("price", price), Set.of());
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
    assertThat(stored(record.id())).isEqualTo(asStoredFirst(record, NOW));
  }

  @Test
  protected void put_sameContentAgain_isUnchangedAndWritesNothing() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    assertThat(store().put(record(NEWER, fields("12")), LATER))
        .isEqualTo(RecordStore.Put.UNCHANGED);
    assertThat(stored(record.id())).isEqualTo(asStoredFirst(record, NOW));
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
    assertThat(stored(changed.id()))
        .isEqualTo(new StoredRecord(changed, NOW, LATER, 1, Optional.empty(), Optional.empty()));
  }

  @Test
  protected void put_contentThatComesBack_isChangedAndCountsBoth() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    store().put(record(CRAWL, fields("13")), NOW);
    assertThat(store().put(record, LATER)).isEqualTo(RecordStore.Put.CHANGED);
    assertThat(stored(record.id()).changes()).isEqualTo(2);
    assertThat(stored(record.id()).lastChanged()).isEqualTo(LATER);
  }

  @Test
  protected void put_deletedAndUnchanged_returnsWithItsHistory() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    store().delete(record.id(), NEWER, "404", LATER);
    Instant back = LATER.plusSeconds(1);

    CrawlRecord again = record(NEWEST, fields("12"));
    assertThat(store().put(again, back)).isEqualTo(RecordStore.Put.RETURNED);
    assertThat(stored(record.id()))
        .isEqualTo(new StoredRecord(again, NOW, NOW, 0, Optional.empty(), Optional.of(back)));
    assertThat(store().put(again, back.plusSeconds(1))).isEqualTo(RecordStore.Put.UNCHANGED);
  }

  @Test
  protected void put_deletedAndChanged_returnsAsChanged() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    store().delete(record.id(), NEWER, "404", LATER);
    Instant back = LATER.plusSeconds(1);

    CrawlRecord again = record(NEWEST, fields("13"));
    assertThat(store().put(again, back)).isEqualTo(RecordStore.Put.RETURNED);
    assertThat(stored(record.id()))
        .isEqualTo(new StoredRecord(again, NOW, back, 1, Optional.empty(), Optional.of(back)));
  }

  @Test
  protected void put_changedAfterReturn_keepsWhenItReturned() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    store().delete(record.id(), CRAWL, "404", LATER);
    store().put(record, LATER.plusSeconds(1));
    store().put(record(NEWER, fields("13")), LATER.plusSeconds(2));
    assertThat(stored(record.id()).returned()).contains(LATER.plusSeconds(1));
    assertThat(stored(record.id()).changes()).isEqualTo(1);
  }

  @Test
  protected void delete_record_keepsItsFieldsUnderATombstone() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);

    assertThat(store().delete(record.id(), NEWER, "404 twice", LATER)).isTrue();

    StoredRecord deleted =
        new StoredRecord(
            record, NOW, NOW, 0, Optional.of(new Tombstone(LATER, "404 twice")), Optional.empty());
    assertThat(stored(record.id())).isEqualTo(deleted);
    assertThat(all(site)).containsExactly(deleted);
    assertThat(deleted.writtenAt()).isEqualTo(LATER);
  }

  @Test
  protected void delete_againByTheSameCrawl_isDoneAndKeepsTheFirst() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    store().delete(record.id(), NEWER, "404", LATER);
    assertThat(store().delete(record.id(), NEWER, "410", LATER.plusSeconds(1))).isTrue();
    assertThat(stored(record.id()).tombstone()).contains(new Tombstone(LATER, "404"));
  }

  @Test
  protected void delete_deletedByAnotherCrawl_isRefused() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    store().delete(record.id(), NEWER, "404", LATER);
    assertThat(store().delete(record.id(), NEWEST, "410", LATER.plusSeconds(1))).isFalse();
    assertThat(store().delete(record.id(), CRAWL, "410", LATER.plusSeconds(1))).isFalse();
    assertThat(stored(record.id()).tombstone()).contains(new Tombstone(LATER, "404"));
  }

  @Test
  protected void delete_writtenByTheSameCrawl_isDone() {
    CrawlRecord record = record(NEWER, fields("12"));
    store().put(record, NOW);
    assertThat(store().delete(record.id(), NEWER, "404", LATER)).isTrue();
  }

  @Test
  protected void delete_writtenByALaterCrawl_isRefused() {
    CrawlRecord record = record(NEWER, fields("12"));
    store().put(record, NOW);
    assertThat(store().delete(record.id(), CRAWL, "404", LATER)).isFalse();
    assertThat(stored(record.id()).tombstone()).isEmpty();
  }

  @Test
  protected void delete_returnedMeanwhile_deletesAnew() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    store().delete(record.id(), CRAWL, "404", LATER);
    store().put(record, LATER);
    assertThat(store().delete(record.id(), CRAWL, "410", LATER.plusSeconds(1))).isTrue();
    assertThat(stored(record.id()).tombstone())
        .contains(new Tombstone(LATER.plusSeconds(1), "410"));
    assertThat(stored(record.id()).returned()).contains(LATER);
  }

  @Test
  protected void delete_unknownRecord_isRefusedAndStoresNothing() {
    RecordId unknown = RecordId.of(site, "nothing");
    assertThat(store().delete(unknown, CRAWL, "404", NOW)).isFalse();
    assertThat(store().find(unknown)).isEmpty();
  }

  @Test
  protected void delete_manyAtOnce_setsOneTombstone() {
    CrawlRecord record = record(CRAWL, fields("12"));
    store().put(record, NOW);
    List<Boolean> deletes =
        Race.of(8, i -> store().delete(record.id(), NEWER, "run " + i, LATER.plusSeconds(i)));
    assertThat(deletes).containsOnly(true);
    Tombstone tombstone = stored(record.id()).tombstone().orElseThrow();
    assertThat(tombstone.at()).isBetween(LATER, LATER.plusSeconds(7));
    assertThat(store().delete(record.id(), NEWER, "later", LATER.plusSeconds(9))).isTrue();
    assertThat(stored(record.id()).tombstone()).contains(tombstone);
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
  protected void put_recordOver400Kb_isStoredWithSmallFieldsWhole_p95() {
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

    assertThat(store().delete(record.id(), CRAWL, "gone ".repeat(100_000), LATER)).isTrue();
    assertThat(stored(record.id()).record()).isEqualTo(kept);
    assertThat(stored(record.id()).tombstone().orElseThrow().reason()).startsWith("gone gone");
    assertThat(store().put(record, LATER)).isEqualTo(RecordStore.Put.RETURNED);
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
      expected.add(asStoredFirst(record, NOW));
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

  @Test
  protected void changes_siteWithoutRecords_isAtItsEnd() {
    assertThat(store().changes(site, "", 10).records()).isEmpty();
    assertThat(store().changes(site, "", 10).end()).isTrue();
    String later = store().since(LATER);
    assertThat(store().changes(site, later, 10)).isEqualTo(new Changes(List.of(), later, true));
  }

  @Test
  protected void changes_anyStepSize_handsAllInOrderOfWriting() {
    List<StoredRecord> expected = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      CrawlRecord record = thing("thing-" + i, "1");
      store().put(record, NOW.plusMillis(i));
      expected.add(asStoredFirst(record, NOW.plusMillis(i)));
    }
    store().put(CrawlRecord.of(new SiteId(site + "0"), CRAWL, "a", URL, Map.of(), Set.of()), NOW);

    for (int most : List.of(1, 2, 7, 59, 60, 61, 1_000)) {
      List<StoredRecord> walked = new ArrayList<>();
      String next = walk("", most, walked::add);
      assertThat(walked).as("in steps of %s", most).isEqualTo(expected);
      assertThat(store().changes(site, next, most)).isEqualTo(new Changes(List.of(), next, true));
    }
  }

  @Test
  protected void changes_oneMillisecond_handsAllInOrderOfTheirIds() {
    List<StoredRecord> expected = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      CrawlRecord record = thing("thing-" + i, "1");
      store().put(record, NOW.plusNanos(i));
      expected.add(asStoredFirst(record, NOW));
    }
    List<RecordId> walked = new ArrayList<>();
    walk("", 4, stored -> walked.add(stored.record().id()));
    assertThat(walked)
        .isEqualTo(
            expected.stream()
                .map(stored -> stored.record().id())
                .sorted(Comparator.comparing(RecordId::value))
                .toList());
  }

  @Test
  protected void changes_since_beginsWithThatMillisecond() {
    CrawlRecord record = thing("a", "1");
    store().put(record, NOW);
    assertThat(idsSince(NOW.minusMillis(1))).containsExactly(record.id());
    assertThat(idsSince(NOW)).containsExactly(record.id());
    assertThat(idsSince(NOW.plusNanos(999_999))).containsExactly(record.id());
    assertThat(idsSince(NOW.plusMillis(1))).isEmpty();
    assertThat(idsSince(Instant.MIN)).containsExactly(record.id());
    assertThat(idsSince(Instant.MAX)).isEmpty();
  }

  private List<RecordId> idsSince(Instant time) {
    return store().changes(site, store().since(time), 10).records().stream()
        .map(stored -> stored.record().id())
        .toList();
  }

  @Test
  protected void changes_writtenAgain_comesOnceAtItsLastPlace() {
    CrawlRecord first = thing("first", "1");
    CrawlRecord second = thing("second", "1");
    store().put(first, NOW);
    store().put(second, NOW.plusMillis(1));
    String between = store().changes(site, "", 1).next();
    store().put(thing("first", "1"), NOW.plusMillis(2));
    assertThat(idsSince(NOW)).containsExactly(first.id(), second.id());

    store().delete(first.id(), CRAWL, "404", NOW.plusMillis(3));
    assertThat(idsSince(NOW)).containsExactly(second.id(), first.id());
    assertThat(store().changes(site, between, 10).records())
        .containsExactly(stored(second.id()), stored(first.id()));

    store().put(second, NOW.plusMillis(4));
    store().put(first, NOW.plusMillis(5));
    store().put(thing("second", "2"), NOW.plusMillis(6));
    assertThat(idsSince(NOW.plusMillis(4))).containsExactly(first.id(), second.id());
  }

  @Test
  protected void changes_noCursor_isRefused() {
    for (String wrong : List.of("yesterday", "2026-11-30T12:00:00Z", "17#x", " ")) {
      assertThatThrownBy(() -> store().changes(site, wrong, 10))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(wrong);
    }
  }

  /** Who follows a site, in steps of any size between any writes, ends with what is stored. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  protected void changes_followedWhileOthersWrite_leadToWhatIsStored(long seed) {
    RandomGenerator random = new Random(seed);
    Map<RecordId, StoredRecord> followed = new HashMap<>();
    Instant now = NOW;
    String next = "";
    for (int i = 0; i < 150; i++) {
      now = now.plusMillis(1);
      if (random.nextInt(4) == 0) {
        Changes step = store().changes(site, next, 1 + random.nextInt(5));
        step.records().forEach(stored -> followed.put(stored.record().id(), stored));
        next = step.next();
      } else {
        write(random, now);
      }
    }
    walk(next, 3, stored -> followed.put(stored.record().id(), stored));
    assertThat(followed.values())
        .as("seed %s", seed)
        .containsExactlyInAnyOrderElementsOf(all(site));
  }

  /**
   * Clocks of writers differ; walks that begin a little before the end of the last miss nothing.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  protected void changes_clocksDiffer_overlappingWalksMissNothing(long seed) {
    RandomGenerator random = new Random(seed);
    Map<RecordId, StoredRecord> followed = new HashMap<>();
    Instant now = NOW;
    String next = "";
    for (int i = 0; i < 150; i++) {
      now = now.plusMillis(random.nextInt(20_000));
      if (random.nextInt(10) == 0) {
        String end = walk(next, 3, stored -> followed.put(stored.record().id(), stored));
        next = FeedPosition.parse(end).resumption(now).toString();
      } else {
        write(random, now.plusMillis(random.nextInt(-55_000, 55_000)));
      }
    }
    walk(next, 3, stored -> followed.put(stored.record().id(), stored));
    assertThat(followed.values())
        .as("seed %s", seed)
        .containsExactlyInAnyOrderElementsOf(all(site));
  }

  /** Puts or deletes one of a dozen things. */
  private void write(RandomGenerator random, Instant now) {
    CrawlRecord record = thing("thing-" + random.nextInt(12), "" + random.nextInt(3));
    if (random.nextInt(3) == 0) {
      store().delete(record.id(), CRAWL, "404", now);
    } else {
      store().put(record, now);
    }
  }

  /** Walks to the end in steps of at most {@code most}; returns where it is. */
  private String walk(String from, int most, Consumer<StoredRecord> each) {
    String next = from;
    boolean end = false;
    while (!end) {
      Changes step = store().changes(site, next, most);
      assertThat(step.records()).hasSizeLessThanOrEqualTo(most);
      assertThat(step.next()).matches("[!-~]+");
      assertThat(step.end() || !step.next().equals(next)).as("the step leads on").isTrue();
      step.records().forEach(each);
      next = step.next();
      end = step.end();
    }
    return next;
  }

  @Test
  protected void removeAll_site_leavesOtherSites() {
    SiteId other = new SiteId(site + "0");
    CrawlRecord theirs = CrawlRecord.of(other, CRAWL, "sku-1", URL, fields("1"), Set.of());
    store().put(theirs, NOW);
    List<CrawlRecord> ours =
        IntStream.range(0, 60).mapToObj(i -> thing("thing-" + i, "1")).toList();
    ours.forEach(record -> store().put(record, NOW));
    store().delete(ours.getFirst().id(), CRAWL, "404", NOW);

    store().removeAll(site);
    store().removeAll(site);

    assertThat(all(site)).isEmpty();
    assertThat(ours).allSatisfy(record -> assertThat(store().find(record.id())).isEmpty());
    assertThat(store().changes(site, "", 100))
        .isEqualTo(new Changes(List.of(), store().since(Instant.EPOCH), true));
    assertThat(all(other)).containsExactly(asStoredFirst(theirs, NOW));
    assertThat(store().put(ours.getFirst(), NOW)).isEqualTo(RecordStore.Put.CREATED);
  }
}
