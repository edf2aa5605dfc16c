package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.dynamodb.DynamoDbSiteStore;
import dev.fairfleet.dynamodb.NewerVersionException;
import dev.fairfleet.dynamodb.Tables;
import dev.fairfleet.frontier.Race;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.site.SiteStoreContract;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
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
    assertThat(faulty().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)).isTrue();
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE)).isFalse();
  }

  /** Field report P93. */
  @Test
  void startCrawl_replyToTakingOverLost_isGranted_p93() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    Instant later = NOW.plus(LEASE);
    assertThat(faulty().startCrawl(id, CRAWL, CrawlMode.FULL, later, LEASE)).isTrue();
    assertThat(store().startCrawl(id, CRAWL, CrawlMode.FULL, later, LEASE)).isFalse();
  }

  /** Field report P93. */
  @Test
  void beginEnd_replyLost_isGranted_p93() {
    startCrawl();
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(faulty().beginEnd(id, CRAWL, NOW, LEASE)).isTrue();
    assertThat(store().beginEnd(id, CRAWL, NOW, LEASE)).isFalse();
  }

  /** Field report P93. */
  @Test
  void crawlEnded_replyLost_isEndedOnce_p93() {
    startCrawl();
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    faulty().crawlEnded(id, CRAWL, END);
    assertThat(status().run().flatMap(CrawlRun::end)).contains(END);
  }

  /** Field report P93. */
  @Test
  void setState_replyLost_saysThatItStoppedTheSite_p93() {
    startCrawl();
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(faulty().setState(id, SiteState.STOPPED, "five time-outs", NOW)).isTrue();
    assertThat(store().setState(id, SiteState.STOPPED, "five time-outs", NOW.plusMillis(1)))
        .isFalse();
  }

  /** Field report P96: a throttled table leaves items of a batch out. */
  @Test
  void putAll_tableLeavesItemsOut_sendsThemAgain_p96() {
    List<Site> many = sites(60);
    tables.faults().writePartially(4);
    faulty().putAll(many, done -> {});
    for (Site each : many) {
      assertThat(store().find(each.id())).contains(SiteStatus.ofNew(each));
    }
  }

  @Test
  void putAll_newSites_areWrittenInFullBatches() {
    SiteStore store = faulty();
    store.putAll(sites(250), done -> {});
    List<SdkRequest> requests = tables.faults().takeRequests();
    assertThat(requests).filteredOn(BatchWriteItemRequest.class::isInstance).hasSize(10);
    assertThat(requests).filteredOn(BatchGetItemRequest.class::isInstance).hasSize(3);
    assertThat(requests).hasSize(13);
  }

  @Test
  void putAll_moreSitesThanAreAskedFor_keepsTheCrawlsOfKnownOnes() {
    List<Site> many = sites(1_001);
    SiteId known = many.get(500).id();
    store().put(many.get(500));
    store().startCrawl(known, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store().putAll(many, done -> {});
    assertThat(store().find(known).flatMap(SiteStatus::crawl)).contains(CRAWL);
    assertThat(store().find(many.getLast().id())).contains(SiteStatus.ofNew(many.getLast()));
  }

  private List<Site> sites(int many) {
    Site site = site(60);
    return IntStream.range(0, many)
        .mapToObj(
            i ->
                new Site(
                    new SiteId(id + "-" + i),
                    site.roots(),
                    site.scope(),
                    site.limits(),
                    site.extraction()))
        .toList();
  }

  private void startCrawl() {
    store().put(site(60));
    store().startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store().crawlStarted(id, CRAWL);
  }

  @Test
  void everyUpdate_knownSite_keepsUnknownAttributes() {
    startCrawl();
    write("schedule", AttributeValue.fromS("daily"));
    store().putAll(List.of(site(90)), done -> {});
    store().beginEnd(id, CRAWL, NOW, LEASE);
    store().setState(id, SiteState.STOPPED, "", NOW);
    store().setState(id, SiteState.ACTIVE, "", NOW);
    store().crawlEnded(id, CRAWL, END);
    store().startCrawl(id, NEWER, CrawlMode.FULL, NOW, LEASE);
    assertThat(item()).containsEntry("schedule", AttributeValue.fromS("daily"));
  }

  private Map<String, AttributeValue> item() {
    return tables
        .client()
        .getItem(r -> r.tableName(tables.prefix().sites()).key(key()).consistentRead(true))
        .item();
  }

  @Test
  void put_knownSite_keepsUnknownAttributes() {
    store().put(site(60));
    write("schedule", AttributeValue.fromS("daily"));
    store().put(site(90));
    assertThat(item()).containsEntry("schedule", AttributeValue.fromS("daily"));
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
    store.startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store.startCrawl(id, CRAWL, CrawlMode.FULL, NOW, LEASE);
    store.crawlStarted(id, CRAWL);
    store.beginEnd(id, CRAWL, NOW, LEASE);
    store.setState(id, SiteState.STOPPED, "", NOW);
    store.crawlEnded(id, CRAWL, END);
    store.putAll(sites(2), done -> {});
    store.forEach(status -> {});
    store.remove(id);
    assertThat(tables.faults().takeRequests())
        .hasSizeGreaterThanOrEqualTo(12)
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

  @Test
  void everyOperation_siteOfANewerVersion_isRefusedAndTheItemStays() {
    Site mine = sites(1).getFirst();
    Site other = sites(2).get(1);
    store().putAll(List.of(mine, other), done -> {});
    tables
        .client()
        .updateItem(
            r ->
                r.tableName(tables.prefix().sites())
                    .key(Map.of("siteId", AttributeValue.fromS(mine.id().value())))
                    .updateExpression("SET v = :v, note = :note")
                    .expressionAttributeValues(
                        Map.of(
                            ":v", AttributeValue.fromN("3"),
                            ":note", AttributeValue.fromS("from the future"))));
    List<Runnable> operations =
        List.of(
            () -> store().find(mine.id()),
            () -> store().put(mine),
            () -> store().startCrawl(mine.id(), CRAWL, CrawlMode.FULL, NOW, Duration.ofMinutes(1)),
            () -> store().setState(mine.id(), SiteState.STOPPED, "test", NOW));
    for (Runnable operation : operations) {
      assertThatThrownBy(operation::run)
          .isInstanceOf(NewerVersionException.class)
          .hasMessageContaining("has version 3, and this program reads versions up to 2");
    }
    assertThat(store().all())
        .extracting(status -> status.site().id())
        .contains(other.id())
        .doesNotContain(mine.id());
  }
}
