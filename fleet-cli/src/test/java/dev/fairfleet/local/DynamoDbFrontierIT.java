package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.dynamodb.DynamoDbFrontier;
import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.FrontierContract;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class DynamoDbFrontierIT extends FrontierContract {
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
  protected Frontier open() {
    return new DynamoDbFrontier(tables.client(), tables.prefix(), 10_000);
  }

  private static Frontier faulty() {
    tables.faults().takeRequests();
    return new DynamoDbFrontier(tables.faultyClient(), tables.prefix(), 10_000);
  }

  private static List<CrawlUrl> links(int count) {
    return IntStream.range(0, count).mapToObj(i -> url("/page/" + i)).toList();
  }

  private Map<String, AttributeValue> item(CrawlUrl url) {
    return tables
        .client()
        .getItem(r -> r.tableName(tables.prefix().pages()).key(key(url)).consistentRead(true))
        .item();
  }

  private Map<String, AttributeValue> key(CrawlUrl url) {
    int shard = Math.floorMod(url.hash().value().hashCode(), 16);
    return Map.of(
        "sitePartition", AttributeValue.fromS(site + "#" + shard),
        "urlHash", AttributeValue.fromS(url.hash().value()));
  }

  private List<Task> notStale(List<Task> tasks) {
    return tasks.stream().filter(task -> !page(open(), task.url()).makesStale(task)).toList();
  }

  /** Field report P93: the write succeeds, its reply is lost, the retry sees its own item. */
  @Test
  void claim_repliesLost_returnsTaskForEachLink() {
    Frontier frontier = faulty();
    tables.faults().loseReplies(UpdateItemRequest.class, 10);
    List<Task> tasks = frontier.claim(on(ROOT, ONE), links(30));
    assertThat(notStale(tasks)).extracting(Task::url).isEqualTo(links(30));
  }

  @Test
  void claim_sameParentAgainAndReplyLost_returnsTaskThatIsNotStale() {
    Frontier frontier = faulty();
    frontier.claim(on(ROOT, ONE), List.of(A));
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(notStale(frontier.claim(on(ROOT, ONE), List.of(A)))).hasSize(1);
  }

  @Test
  void settle_replyLost_isTrue() {
    Frontier frontier = faulty();
    Task task = frontier.claim(on(ROOT, ONE), List.of(A)).getFirst();
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(frontier.settle(task, DONE, token(), NOW)).isTrue();
  }

  @Test
  void countFailure_replyLost_countsOnce() {
    Frontier frontier = faulty();
    Task task = frontier.claim(on(ROOT, ONE), List.of(A)).getFirst();
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(frontier.countFailure(task, "timeout", token(), NOW)).isEqualTo(1);
    assertThat(page(frontier, A).attempts()).isEqualTo(1);
  }

  @Test
  void renew_replyLost_returnsTaskThatIsNotStale() {
    Frontier frontier = faulty();
    frontier.claim(on(ROOT, ONE), List.of(A));
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(notStale(List.of(frontier.renew(page(frontier, A)).orElseThrow()))).hasSize(1);
  }

  /** Field report P96: a throttled write is repeated, none is lost. */
  @Test
  void claim_everyThirdRequestThrottled_returnsTaskForEachLink() {
    Frontier frontier = faulty();
    tables.faults().throttleEach(3);
    try {
      assertThat(frontier.claim(on(ROOT, ONE), links(40)))
          .extracting(Task::url)
          .isEqualTo(links(40));
    } finally {
      tables.faults().throttleEach(0);
    }
  }

  /** P93 again: whatever reply was lost, a link is on the shelf or has a task. */
  @Test
  void claim_repliesLostAndSomeShelved_losesNoLink() {
    Frontier frontier = faulty();
    tables.faults().loseReplies(UpdateItemRequest.class, 15);
    List<Task> tasks = frontier.claim(on(ROOT, ONE), links(30), Set.copyOf(links(10)));
    assertThat(notStale(tasks)).extracting(Task::url).isEqualTo(links(10));
    assertThat(frontier.shelf(site, CRAWL, 30))
        .extracting(Page::url)
        .containsExactlyInAnyOrderElementsOf(links(30).subList(10, 30));
  }

  @Test
  void claim_queuedLinkGoesToTheShelfAndReplyLost_isThere() {
    Frontier frontier = faulty();
    frontier.claim(on(ROOT, ONE), List.of(A));
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    shelved(frontier, ONE, List.of(A));
    assertThat(frontier.shelf(site, CRAWL, 1)).extracting(Page::url).containsExactly(A);
  }

  @Test
  void shelve_replyLost_isTrue() {
    Frontier frontier = faulty();
    Task task = frontier.claim(on(ROOT, ONE), List.of(A)).getFirst();
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(frontier.shelve(task)).isTrue();
    assertThat(page(frontier, A).generation()).isEqualTo(1);
  }

  /** What the class comment says of lost replies: such a page is found by its hash, and renewed. */
  @Test
  void unshelve_repliesLost_leavesPagesThatCanBeRenewed() {
    Frontier frontier = faulty();
    shelved(frontier, ONE, links(10));
    List<Page> pages = frontier.shelf(site, CRAWL, 10);
    tables.faults().loseReplies(UpdateItemRequest.class, 3);

    List<Task> tasks = new ArrayList<>(frontier.unshelve(pages));

    assertThat(tasks).hasSize(7);
    for (Page page : frontier.find(site, links(10).stream().map(CrawlUrl::hash).toList())) {
      assertThat(page.state()).isEqualTo(PageState.QUEUED);
      if (tasks.stream().noneMatch(task -> task.url().equals(page.url()))) {
        tasks.add(frontier.renew(page).orElseThrow());
      }
    }
    assertThat(notStale(tasks))
        .extracting(Task::url)
        .containsExactlyInAnyOrderElementsOf(links(10));
  }

  /** Field report P96, with the index in the way too. */
  @Test
  void shelf_everyThirdRequestThrottled_losesNoPage() {
    Frontier frontier = faulty();
    tables.faults().throttleEach(3);
    try {
      shelved(frontier, ONE, links(10));
      List<Page> pages = frontier.shelf(site, CRAWL, 20);
      assertThat(pages).hasSize(10);
      List<Task> tasks = frontier.unshelve(pages);
      assertThat(tasks).extracting(Task::url).containsExactlyInAnyOrderElementsOf(links(10));
      assertThat(tasks.subList(0, 3)).allMatch(frontier::shelve);
      assertThat(frontier.shelf(site, CRAWL, 20)).hasSize(3);
    } finally {
      tables.faults().throttleEach(0);
    }
  }

  /**
   * Two URLs whose keys have the same first 24 bits of a hash by which dynalite orders an index.
   */
  @Test
  void shelf_pagesThatDynaliteMightTakeForOne_areBothThere() {
    Frontier frontier = open();
    SiteId twins = new SiteId("twins");
    List<CrawlUrl> links = List.of(url("/page/12836"), url("/page/17253"));
    frontier.claim(Discovery.ofLinks(twins, CRAWL, ROOT, ONE), links, Set.of());
    assertThat(frontier.shelf(twins, CRAWL, 3))
        .extracting(Page::url)
        .containsExactlyInAnyOrderElementsOf(links);
  }

  @Test
  void shelf_manyPages_lieEvenlyInFourIndexPartitions() {
    shelved(open(), ONE, links(400));
    for (int shard = 0; shard < 4; shard++) {
      assertThat(inIndex(site + "#" + CRAWL + "#" + shard)).hasSizeBetween(60, 140);
    }
  }

  private List<Map<String, AttributeValue>> inIndex(String shelf) {
    return tables
        .client()
        .query(
            r ->
                r.tableName(tables.prefix().pages())
                    .indexName("shelf")
                    .keyConditionExpression("shelf = :shelf")
                    .expressionAttributeValues(Map.of(":shelf", AttributeValue.fromS(shelf))))
        .items();
  }

  /** Field report P94 asks for the keys of indexes too. */
  @Test
  void shelf_longestSiteAndUrl_isThere() {
    Frontier frontier = open();
    SiteId longest = new SiteId(site + "x".repeat(128 - site.value().length()));
    CrawlUrl url = url("/" + "x".repeat(CrawlUrl.MAX_LENGTH - url("/").toString().length()));
    frontier.claim(
        Discovery.ofLinks(longest, CRAWL, ROOT, new CrawlDepth(1_000_000)), List.of(url), Set.of());
    assertThat(frontier.shelf(longest, CRAWL, 1)).extracting(Page::url).containsExactly(url);
  }

  @Test
  void everyWayFromTheShelf_takesThePageFromTheIndex() {
    Frontier frontier = open();
    shelved(frontier, TWO, links(5));
    for (CrawlUrl link : links(5)) {
      assertThat(item(link))
          .hasEntrySatisfying(
              "shelfOrder",
              order -> assertThat(Long.parseLong(order.n()) / 1_000_000_000).isEqualTo(2))
          .hasEntrySatisfying("shelf", shelf -> assertThat(shelf.s()).startsWith(site + "#"));
    }

    frontier.unshelve(List.of(page(frontier, links(5).get(0))));
    frontier.renew(page(frontier, links(5).get(1)));
    frontier.settle(new Task(site, CRAWL, links(5).get(2), TWO, 0), DONE, token(), NOW);
    frontier.claim(on(ROOT, TWO), List.of(links(5).get(3)));
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, TWO), List.of(links(5).get(4)));

    for (CrawlUrl link : links(5)) {
      assertThat(item(link)).doesNotContainKeys("shelf", "shelfOrder");
    }
  }

  /** The index follows its table with a delay: it may name pages that left the shelf. */
  @Test
  void shelf_staleIndexEntries_readsOnBehindThem() {
    Frontier frontier = open();
    frontier.claim(on(ROOT, ONE), links(12));
    frontier.claim(on(ROOT, TWO), List.of(A, B), Set.of());
    for (CrawlUrl stale : links(12)) {
      write(
          stale,
          "SET shelf = :shelf, shelfOrder = :one",
          Map.of(
              ":shelf", item(A).get("shelf"),
              ":one", AttributeValue.fromN("1")));
    }

    assertThat(frontier.shelf(site, CRAWL, 2))
        .extracting(Page::url)
        .containsExactlyInAnyOrder(A, B);
  }

  private void write(CrawlUrl url, String expression, Map<String, AttributeValue> values) {
    tables
        .client()
        .updateItem(
            r -> {
              r.tableName(tables.prefix().pages()).key(key(url)).updateExpression(expression);
              if (!values.isEmpty()) {
                r.expressionAttributeValues(values);
              }
            });
  }

  @Test
  void unshelve_itemWithoutIndexAttributes_isQueued() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A));
    write(A, "REMOVE shelf, shelfOrder", Map.of());

    assertThat(frontier.shelf(site, CRAWL, 1)).isEmpty();
    assertThat(frontier.find(site, List.of(A.hash()))).containsExactly(page(frontier, A));
    assertThat(frontier.unshelve(List.of(page(frontier, A)))).hasSize(1);
  }

  @Test
  void shelf_keysLeftUnprocessed_areReadAgain() {
    shelved(open(), ONE, links(5));
    Frontier frontier = faulty();
    tables.faults().readPartially(3);
    assertThat(frontier.shelf(site, CRAWL, 5)).hasSize(5);
  }

  @Test
  void claimAndRefill_makeOneWriteAPageAndFiveReadsARefill() {
    Frontier frontier = faulty();
    List<CrawlUrl> fresh = frontier.unclaimed(on(ROOT, ONE), links(30));
    frontier.claim(on(ROOT, ONE), fresh, Set.copyOf(links(10)));
    assertThat(tables.faults().takeRequests()).hasSize(31);

    List<Page> pages = frontier.shelf(site, CRAWL, 10);
    List<SdkRequest> requests = tables.faults().takeRequests();
    assertThat(requests).hasSize(5).filteredOn(QueryRequest.class::isInstance).hasSize(4);

    assertThat(frontier.unshelve(pages)).hasSize(10);
    assertThat(tables.faults().takeRequests()).hasSize(10);
  }

  @Test
  void claim_keysLeftUnprocessed_areReadAgain() {
    open().claim(on(OTHER_PAGE, ONE), links(6));
    Frontier frontier = faulty();
    tables.faults().readPartially(4);
    assertThat(frontier.claim(on(ROOT, ONE), links(7)))
        .extracting(Task::url)
        .containsExactly(url("/page/6"));
    assertThat(tables.faults().takeRequests())
        .filteredOn(UpdateItemRequest.class::isInstance)
        .hasSize(1);
  }

  @Test
  void read_keysLeftUnprocessed_areReadAgain() {
    List<Task> tasks = open().claim(on(ROOT, ONE), links(5));
    Frontier frontier = faulty();
    tables.faults().readPartially(3);
    assertThat(frontier.read(tasks)).containsOnlyKeys(tasks);
  }

  @Test
  void read_keysLeftUnprocessedForTooLong_throws() {
    List<Task> tasks = open().claim(on(ROOT, ONE), links(12));
    Frontier frontier = faulty();
    tables.faults().readPartially(10);
    assertThatThrownBy(() -> frontier.read(tasks))
        .isInstanceOf(SdkClientException.class)
        .hasMessageContaining("is throttled: of 12 keys");
  }

  @Test
  void claim_linksSeenBefore_makesNoRequest() {
    open().claim(on(OTHER_PAGE, ONE), links(3));
    Frontier frontier = faulty();
    frontier.claim(on(ROOT, ONE), links(5));
    tables.faults().takeRequests();

    frontier.claim(on(A, TWO), links(5));
    frontier.claim(Discovery.ofLinks(site, OLDER, A, TWO), links(5));

    assertThat(tables.faults().takeRequests()).isEmpty();
  }

  @Test
  void claim_newLinks_readsInHundredsAndWritesEachOnce() {
    Frontier frontier = faulty();
    frontier.claim(on(ROOT, ONE), links(201));
    List<SdkRequest> requests = tables.faults().takeRequests();
    assertThat(requests).filteredOn(BatchGetItemRequest.class::isInstance).hasSize(3);
    assertThat(requests).hasSize(204);
  }

  @Test
  void everyRequest_asksForItsCost() {
    Frontier frontier = faulty();
    frontier.claim(on(ROOT, ONE), List.of(A));
    Task task = frontier.claim(on(ROOT, ONE), List.of(A)).getFirst();
    frontier.read(List.of(task));
    frontier.countFailure(task, "timeout", token(), NOW);
    frontier.renew(page(frontier, A));
    AttemptToken token = token();
    frontier.settle(task, DONE, token, NOW);
    frontier.settle(task, DONE, token, NOW);
    shelved(frontier, ONE, List.of(B));
    Task unshelved = frontier.unshelve(frontier.shelf(site, CRAWL, 1)).getFirst();
    frontier.shelve(unshelved);
    frontier.shelve(unshelved);
    frontier.find(site, List.of(B.hash()));
    frontier.forEachPage(site, page -> {});

    assertThat(tables.faults().takeRequests())
        .hasSizeGreaterThan(20)
        .allSatisfy(
            request ->
                assertThat(request.getValueForField("ReturnConsumedCapacity", String.class))
                    .contains("TOTAL"));
  }

  @Test
  void everyWrite_keepsUnknownAttributes() {
    Frontier frontier = open();
    frontier.claim(on(ROOT, ONE), List.of(A));
    write(A, "SET note = :note", Map.of(":note", AttributeValue.fromS("kept")));

    Task task = frontier.claim(on(ROOT, ONE), List.of(A)).getFirst();
    frontier.shelve(task);
    frontier.unshelve(List.of(page(frontier, A)));
    frontier.countFailure(task, "timeout", token(), NOW);
    frontier.renew(page(frontier, A));
    frontier.settle(task, DONE, token(), NOW);
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A), Set.of());

    assertThat(item(A)).containsEntry("note", AttributeValue.fromS("kept"));
  }

  @Test
  void settle_unchangedPage_keepsContentHash() {
    Frontier frontier = open();
    frontier.settle(frontier.claim(on(ROOT, ONE), List.of(A)).getFirst(), DONE, token(), NOW);
    Task again = frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A)).getFirst();
    frontier.settle(
        again,
        new Settlement(PageState.DONE, "304", DONE.validators(), "", "", DONE.fetch()),
        token(),
        NOW);
    assertThat(item(A)).containsEntry("contentHash", AttributeValue.fromS(DONE.contentHash()));
  }

  @Test
  void settle_longReasonAndValidators_keepsTheItemSmall() {
    Frontier frontier = open();
    Task task = frontier.claim(on(ROOT, CrawlDepth.ROOT), List.of(A)).getFirst();
    frontier.settle(
        task,
        new Settlement(
            PageState.FAILED,
            "x".repeat(10_000),
            new Validators("e".repeat(1_001), "m".repeat(1_001)),
            "",
            "",
            Optional.empty()),
        token(),
        NOW);
    assertThat(page(frontier, A).reason()).hasSize(500).startsWith("xxx").endsWith("…");
    assertThat(page(frontier, A).validators()).isEqualTo(Validators.NONE);
  }

  @Test
  void settle_ordinaryPage_costsOneWriteUnit() {
    Frontier frontier = open();
    CrawlUrl usual = url("/catalogue/garden-and-outdoor/wheelbarrows?page=17&sort=price");
    Task task = frontier.claim(on(usual, ONE), List.of(A)).getFirst();
    frontier.settle(task, DONE, token(), NOW);
    Map<String, AttributeValue> item = new HashMap<>(item(A));
    int bytes =
        item.entrySet().stream()
            .mapToInt(e -> e.getKey().length() + String.valueOf(e.getValue().s()).length() + 4)
            .sum();
    assertThat(bytes).isLessThan(700);
  }
}
