package dev.fairfleet.local;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.dynamodb.DynamoDbRecordStore;
import dev.fairfleet.dynamodb.NewerVersionException;
import dev.fairfleet.frontier.Race;
import dev.fairfleet.record.Changes;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.RecordStoreContract;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.record.Tombstone;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class DynamoDbRecordStoreIT extends RecordStoreContract {
  private static TestTables tables;

  @BeforeAll
  static void createTables() {
    tables = new TestTables();
  }

  @AfterAll
  static void deleteTables() {
    tables.close();
  }

  @Override
  protected RecordStore store() {
    return new DynamoDbRecordStore(tables.client(), tables.prefix());
  }

  private static RecordStore faulty() {
    tables.faults().takeRequests();
    return new DynamoDbRecordStore(tables.faultyClient(), tables.prefix());
  }

  private static Map<String, AttributeValue> item(RecordId id) {
    return tables
        .client()
        .getItem(
            r ->
                r.tableName(tables.prefix().records())
                    .key(Map.of("recordId", AttributeValue.fromS(id.value())))
                    .consistentRead(true))
        .item();
  }

  private static void update(RecordId id, String expression, Map<String, AttributeValue> values) {
    tables
        .client()
        .updateItem(
            r ->
                r.tableName(tables.prefix().records())
                    .key(Map.of("recordId", AttributeValue.fromS(id.value())))
                    .updateExpression(expression)
                    .expressionAttributeValues(values.isEmpty() ? null : values));
  }

  /** Makes a record look as a version before the feed wrote it. */
  private static void age(RecordId id) {
    update(id, "REMOVE feed, feedOrder", Map.of());
  }

  private static void loseNextReply() {
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
  }

  /** Field report P93: the write succeeds, its reply is lost, the retry sees its own item. */
  @Test
  void put_replyLost_isWhatItWas_p93() {
    RecordStore store = faulty();
    CrawlRecord record = record(CRAWL, Map.of("title", "x"));
    loseNextReply();
    assertThat(store.put(record, NOW)).isEqualTo(RecordStore.Put.CREATED);
    assertThat(stored(record.id())).isEqualTo(asStoredFirst(record, NOW));

    CrawlRecord changed = record(NEWER, Map.of("title", "y"));
    loseNextReply();
    assertThat(store.put(changed, LATER)).isEqualTo(RecordStore.Put.CHANGED);
    assertThat(stored(record.id()).changes()).isEqualTo(1);

    store.delete(record.id(), NEWER, "404", LATER);
    loseNextReply();
    assertThat(store.put(changed, LATER.plusSeconds(1))).isEqualTo(RecordStore.Put.RETURNED);
    assertThat(stored(record.id()).changes()).isEqualTo(1);
  }

  /** Field report P93. */
  @Test
  void delete_replyLost_isDoneOnce_p93() {
    RecordStore store = faulty();
    CrawlRecord record = record(CRAWL, Map.of("title", "x"));
    store.put(record, NOW);
    loseNextReply();
    assertThat(store.delete(record.id(), NEWER, "404", LATER)).isTrue();
    assertThat(stored(record.id()).tombstone()).contains(new Tombstone(LATER, "404"));
  }

  /** Field report P96: an index hashed on one value throttles at 1,000 writes a second. */
  @Test
  void put_recordsOfOneSite_lieInFourPartitionsOfTheIndex_p96() {
    Set<String> feeds = new TreeSet<>();
    for (int i = 0; i < 60; i++) {
      CrawlRecord record = thing("thing-" + i, "1");
      store().put(record, NOW);
      feeds.add(requireNonNull(item(record.id()).get("feed")).s());
    }
    assertThat(feeds).containsExactly(site + "#0", site + "#1", site + "#2", site + "#3");
  }

  /** Field report P96: one request in three is throttled. */
  @Test
  void everything_oftenThrottled_losesNothing_p96() {
    RecordStore store = faulty();
    tables.faults().throttleEach(3);
    try {
      Race.of(8, worker -> writeAll(store, worker));
      List<StoredRecord> walked = new ArrayList<>();
      String next = "";
      for (Changes step = store.changes(site, next, 50); ; step = store.changes(site, next, 50)) {
        walked.addAll(step.records());
        next = step.next();
        if (step.end()) {
          break;
        }
      }
      assertThat(walked).hasSize(80).allMatch(stored -> stored.changes() == 1);
      assertThat(walked.stream().filter(stored -> stored.tombstone().isPresent())).hasSize(16);

      store.removeAll(site);
      assertThat(store.changes(site, "", 50).records()).isEmpty();
    } finally {
      tables.faults().throttleEach(0);
    }
  }

  private boolean writeAll(RecordStore store, int worker) {
    for (int i = worker * 10; i < (worker + 1) * 10; i++) {
      CrawlRecord record = thing("thing-" + i, "1");
      store.put(record, NOW);
      store.put(thing("thing-" + i, "2"), LATER);
      if (i % 5 == 0) {
        store.delete(record.id(), CRAWL, "404", LATER);
      }
    }
    return true;
  }

  @Test
  void removeAll_deletionsLeftOut_sendsThemAgain_p96() {
    RecordStore store = faulty();
    for (int i = 0; i < 10; i++) {
      store.put(thing("thing-" + i, "1"), NOW);
    }
    tables.faults().writePartially(5);
    store.removeAll(site);
    List<StoredRecord> left = new ArrayList<>();
    store().forEach(site, left::add);
    assertThat(left).isEmpty();
  }

  @Test
  void removeAll_recordOfAnOlderVersion_isRemovedToo() {
    CrawlRecord record = thing("old", "1");
    store().put(record, NOW);
    age(record.id());
    store().removeAll(site);
    assertThat(store().find(record.id())).isEmpty();
  }

  @Test
  void changes_itemsLeftOut_readsThemAgain() {
    RecordStore store = faulty();
    for (int i = 0; i < 5; i++) {
      store.put(thing("thing-" + i, "1"), NOW);
    }
    tables.faults().readPartially(4);
    assertThat(store.changes(site, "", 10).records()).hasSize(5);
  }

  @Test
  void changes_writtenAfterItsEntryWasRead_comesLater() {
    CrawlRecord moves = thing("moves", "1");
    CrawlRecord goes = thing("goes", "1");
    CrawlRecord stays = thing("stays", "1");
    store().put(moves, NOW);
    store().put(goes, NOW.plusMillis(1));
    store().put(stays, NOW.plusMillis(2));
    RecordStore store = faulty();
    tables
        .faults()
        .before(
            BatchGetItemRequest.class,
            () -> {
              store().put(thing("moves", "2"), LATER);
              tables
                  .client()
                  .deleteItem(
                      r ->
                          r.tableName(tables.prefix().records())
                              .key(Map.of("recordId", AttributeValue.fromS(goes.id().value()))));
            });
    Changes step = store.changes(site, "", 10);
    assertThat(step.records()).containsExactly(stored(stays.id()));
    assertThat(step.end()).isTrue();
    assertThat(store.changes(site, step.next(), 10).records()).containsExactly(stored(moves.id()));
  }

  @Test
  void changes_movedBackByASlowClockMeanwhile_comesAtOnce() {
    CrawlRecord record = thing("moves", "1");
    store().put(record, LATER);
    RecordStore store = faulty();
    tables.faults().before(BatchGetItemRequest.class, () -> store().put(thing("moves", "2"), NOW));
    assertThat(store.changes(site, store.since(LATER), 10).records())
        .containsExactly(stored(record.id()));
  }

  @Test
  void put_unchangedRecordOfAnOlderVersion_getsItsPlaceInTheFeed() {
    CrawlRecord old = thing("old", "1");
    store().put(old, NOW);
    age(old.id());
    assertThat(store().changes(site, "", 10).records()).isEmpty();

    RecordStore store = faulty();
    assertThat(store.put(thing("old", "1"), LATER)).isEqualTo(RecordStore.Put.UNCHANGED);
    assertThat(stored(old.id())).isEqualTo(asStoredFirst(old, NOW));
    assertThat(store.changes(site, store.since(NOW), 10).records())
        .containsExactly(stored(old.id()));
    assertThat(store.changes(site, store.since(NOW.plusMillis(1)), 10).records()).isEmpty();

    tables.faults().takeRequests();
    assertThat(store.put(thing("old", "1"), LATER)).isEqualTo(RecordStore.Put.UNCHANGED);
    assertThat(tables.faults().takeRequests()).hasOnlyElementsOfType(GetItemRequest.class);
  }

  @Test
  void put_unchangedRecordOfAnOlderVersionReplyLost_isUnchanged_p93() {
    CrawlRecord old = thing("old", "1");
    store().put(old, NOW);
    age(old.id());
    RecordStore store = faulty();
    loseNextReply();
    assertThat(store.put(old, LATER)).isEqualTo(RecordStore.Put.UNCHANGED);
    assertThat(store.changes(site, "", 10).records()).containsExactly(asStoredFirst(old, NOW));
  }

  @Test
  void writes_recordOfAnOlderVersion_giveItItsPlaceInTheFeed() {
    for (String key : List.of("changed", "deleted")) {
      store().put(thing(key, "1"), NOW);
      age(thing(key, "1").id());
    }
    store().put(thing("changed", "2"), LATER);
    store().delete(thing("deleted", "1").id(), CRAWL, "404", LATER.plusMillis(1));
    assertThat(store().changes(site, store().since(LATER), 10).records())
        .containsExactly(stored(thing("changed", "1").id()), stored(thing("deleted", "1").id()));
  }

  @Test
  void everything_recordOfANewerVersion_isRefusedAndLeftAsItIs() {
    CrawlRecord record = thing("newer", "1");
    store().put(record, NOW);
    update(record.id(), "SET v = :v", Map.of(":v", AttributeValue.fromN("99")));
    Map<String, AttributeValue> before = item(record.id());
    List<ThrowingCallable> calls =
        List.of(
            () -> store().put(thing("newer", "2"), LATER),
            () -> store().delete(record.id(), CRAWL, "404", LATER),
            () -> store().find(record.id()),
            () -> store().changes(site, "", 10),
            () -> store().forEach(site, stored -> {}),
            () -> store().removeAll(site));
    assertThat(calls)
        .allSatisfy(
            call ->
                assertThatThrownBy(call)
                    .isInstanceOf(NewerVersionException.class)
                    .hasMessageContaining(record.id().value()));
    assertThat(item(record.id())).isEqualTo(before);
  }

  @Test
  void put_fieldsCut_namesThemUntilTheyFit() {
    CrawlRecord large = record(CRAWL, Map.of("title", "x", "body", "y".repeat(500_000)));
    store().put(large, NOW);
    assertThat(item(large.id()))
        .containsEntry("cut", AttributeValue.fromL(List.of(AttributeValue.fromS("body"))));

    CrawlRecord small = record(CRAWL, Map.of("title", "x"));
    store().put(small, LATER);
    assertThat(item(small.id())).doesNotContainKey("cut");
  }

  @Test
  void put_hugeNaturalKeyAndManyLargeFields_isStored_p95() {
    CrawlRecord record =
        CrawlRecord.of(
            site,
            CRAWL,
            "k".repeat(500_000),
            URL,
            Map.of("a", "ü".repeat(200_000), "b", "€".repeat(200_000), "c", "z".repeat(500_000)),
            Set.of());
    assertThat(store().put(record, NOW)).isEqualTo(RecordStore.Put.CREATED);
    assertThat(stored(record.id()).record().naturalKey()).isEqualTo("k".repeat(8_192));
  }

  @Test
  void put_changedRecord_keepsUnknownAttributes() {
    CrawlRecord record = record(CRAWL, Map.of("title", "x"));
    store().put(record, NOW);
    update(record.id(), "SET later = :t", Map.of(":t", AttributeValue.fromBool(true)));
    store().put(record(CRAWL, Map.of("title", "y")), NOW);
    assertThat(item(record.id())).containsEntry("later", AttributeValue.fromBool(true));
    store().delete(record.id(), CRAWL, "404", LATER);
    assertThat(item(record.id())).containsEntry("later", AttributeValue.fromBool(true));
  }

  @Test
  void everyRequest_asksForItsCost() {
    RecordStore store = faulty();
    CrawlRecord record = record(CRAWL, Map.of("title", "x"));
    store.put(record, NOW);
    store.find(record.id());
    store.forEach(site, stored -> {});
    store.changes(site, "", 10);
    store.delete(record.id(), CRAWL, "404", LATER);
    store.removeAll(site);
    assertThat(tables.faults().takeRequests())
        .hasSizeGreaterThanOrEqualTo(14)
        .allSatisfy(
            request ->
                assertThat(request.getValueForField("ReturnConsumedCapacity", String.class))
                    .contains("TOTAL"));
  }
}
