package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.dynamodb.DynamoDbSiteStore;
import dev.fairfleet.dynamodb.Tables;
import dev.fairfleet.frontier.Race;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.site.SiteStoreContract;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class DynamoDbSiteStoreIT extends SiteStoreContract {
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
  protected SiteStore store() {
    return new DynamoDbSiteStore(tables.client(), tables.prefix(), new SecureRandom());
  }

  private static SiteStore faulty() {
    tables.faults().takeRequests();
    return new DynamoDbSiteStore(tables.faultyClient(), tables.prefix(), new SecureRandom());
  }

  /** Field report P93: the write succeeds, its reply is lost, the retry sees its own item. */
  @Test
  void startCrawl_replyLost_isGranted() {
    store().put(site(60));
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(faulty().startCrawl(id, CRAWL, NOW, LEASE)).isTrue();
    assertThat(store().startCrawl(id, CRAWL, NOW, LEASE)).isFalse();
  }

  @Test
  void put_knownSite_keepsUnknownAttributes() {
    store().put(site(60));
    write("schedule", AttributeValue.fromS("daily"));
    store().put(site(90));
    assertThat(
            tables
                .client()
                .getItem(r -> r.tableName(tables.prefix().sites()).key(key()).consistentRead(true))
                .item())
        .containsEntry("schedule", AttributeValue.fromS("daily"));
  }

  @Test
  void forEach_itemThatIsNoSite_handsTheOthers() {
    store().put(site(60));
    SiteStatus status = status();
    tables
        .client()
        .putItem(
            r ->
                r.tableName(tables.prefix().sites())
                    .item(Map.of("siteId", AttributeValue.fromS("broken"))));
    assertThat(store().all()).contains(status);
  }

  @Test
  void everyRequest_asksForItsCost() {
    SiteStore store = faulty();
    store.put(site(60));
    store.find(id);
    store.startCrawl(id, CRAWL, NOW, LEASE);
    store.startCrawl(id, CRAWL, NOW, LEASE);
    store.crawlStarted(id, CRAWL);
    store.setState(id, SiteState.STOPPED, "");
    store.forEach(status -> {});
    assertThat(tables.faults().takeRequests())
        .hasSizeGreaterThanOrEqualTo(7)
        .allSatisfy(
            request ->
                assertThat(request.getValueForField("ReturnConsumedCapacity", String.class))
                    .contains("TOTAL"));
  }

  @Test
  void createMissing_byManyAtOnceAndAgain_succeeds() {
    try (TestTables fresh = new TestTables()) {
      fresh.client().deleteTable(r -> r.tableName(fresh.prefix().pages()));
      Race.of(
          4,
          i -> {
            Tables.createMissing(fresh.client(), fresh.prefix());
            return i;
          });
      assertThat(fresh.client().listTablesPaginator().tableNames())
          .contains(fresh.prefix().sites(), fresh.prefix().pages(), fresh.prefix().records());
    }
  }

  private Map<String, AttributeValue> key() {
    return Map.of("siteId", AttributeValue.fromS(id.value()));
  }

  private void write(String attribute, AttributeValue value) {
    tables
        .client()
        .updateItem(
            r ->
                r.tableName(tables.prefix().sites())
                    .key(key())
                    .updateExpression("SET " + attribute + " = :value")
                    .expressionAttributeValues(Map.of(":value", value)));
  }
}
