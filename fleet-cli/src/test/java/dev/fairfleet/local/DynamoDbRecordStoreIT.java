package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.dynamodb.DynamoDbRecordStore;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.RecordStoreContract;
import dev.fairfleet.record.StoredRecord;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
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

  /** Field report P93: the write succeeds, its reply is lost, the retry sees its own item. */
  @Test
  void put_replyLost_storesTheRecord() {
    CrawlRecord record = record(CRAWL, Map.of("title", "x"));
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(faulty().put(record, NOW)).isEqualTo(RecordStore.Put.UNCHANGED);
    assertThat(stored(record.id())).isEqualTo(new StoredRecord(record, NOW, NOW));
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
  void put_hugeNaturalKeyAndManyLargeFields_isStored() {
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
    tables
        .client()
        .updateItem(
            r ->
                r.tableName(tables.prefix().records())
                    .key(Map.of("recordId", AttributeValue.fromS(record.id().value())))
                    .updateExpression("SET tombstone = :t")
                    .expressionAttributeValues(Map.of(":t", AttributeValue.fromBool(true))));
    store().put(record(CRAWL, Map.of("title", "y")), NOW);
    assertThat(item(record.id())).containsEntry("tombstone", AttributeValue.fromBool(true));
  }

  @Test
  void everyRequest_asksForItsCost() {
    RecordStore store = faulty();
    CrawlRecord record = record(CRAWL, Map.of("title", "x"));
    store.put(record, NOW);
    store.find(record.id());
    store.forEach(site, stored -> {});
    assertThat(tables.faults().takeRequests())
        .hasSizeGreaterThanOrEqualTo(3)
        .allSatisfy(
            request ->
                assertThat(request.getValueForField("ReturnConsumedCapacity", String.class))
                    .contains("TOTAL"));
  }
}
