package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.dynamodb.DynamoDbFrontier;
import dev.fairfleet.dynamodb.DynamoDbOutlinks;
import dev.fairfleet.dynamodb.NewerVersionException;
import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.RecrawlContract;
import dev.fairfleet.frontier.Remembered;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.frontier.Walk;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

class DynamoDbFrontierIT extends RecrawlContract {
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
              if (expression.contains("#record")) {
                r.expressionAttributeNames(Map.of("#record", "record"));
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
  void settle_longReasonAndValidators_keepsTheItemSmall() {
    Frontier frontier = open();
    Task task = frontier.claim(on(ROOT, CrawlDepth.ROOT), List.of(A)).getFirst();
    frontier.settle(
        task,
        new Settlement(
            PageState.FAILED,
            "x".repeat(10_000),
            Optional.of(
                new Remembered(
                    new Validators("e".repeat(1_001), "m".repeat(1_001)),
                    "",
                    "",
                    "",
                    Optional.empty(),
                    Set.of())),
            Optional.empty()),
        token(),
        NOW);
    assertThat(page(frontier, A).reason()).hasSize(500).startsWith("xxx").endsWith("…");
    assertThat(page(frontier, A).remembered()).isEqualTo(Remembered.NOTHING);
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

  // recrawls

  private static List<SdkRequest> requestsOf(Runnable calls) {
    tables.faults().takeRequests();
    calls.run();
    return tables.faults().takeRequests();
  }

  /** What a recrawl of an unchanged page costs: no read, and one write. */
  @Test
  void settle_pageOfAnEarlierCrawl_makesOneRequest() {
    Frontier frontier = faulty();
    known(frontier, A);
    assertThat(
            requestsOf(() -> assertThat(frontier.settle(walked(A), DONE, token(), NOW)).isTrue()))
        .singleElement()
        .isInstanceOf(UpdateItemRequest.class);
    assertThat(item(A).toString().length()).isLessThan(3_000);
  }

  @Test
  void claim_knownPages_areReadOnceAndNeverWritten() {
    Frontier frontier = faulty();
    known(frontier, A, B);
    Frontier another = faulty();
    assertThat(requestsOf(() -> another.claim(again(ROOT, ONE), List.of(A, B))))
        .singleElement()
        .isInstanceOf(BatchGetItemRequest.class);
    assertThat(requestsOf(() -> another.claim(again(OTHER_PAGE, TWO), List.of(A, B)))).isEmpty();
  }

  @Test
  void settle_unadoptedPageAndReplyLost_p93_isTrueAndCountsOnce() {
    Frontier frontier = faulty();
    known(frontier, A);
    Settlement gone = Settlement.of(PageState.GONE, "status 404", Optional.empty());
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(frontier.settle(walked(A), gone, token(), NOW)).isTrue();
    assertThat(item(A)).containsEntry("gone", AttributeValue.fromN("1"));
  }

  @Test
  void countFailure_unadoptedPageAndReplyLost_p93_countsOnce() {
    Frontier frontier = faulty();
    known(frontier, A);
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(frontier.countFailure(walked(A), "timeout", token(), NOW)).isEqualTo(1);
    assertThat(page(frontier, walked(A)).attempts()).isEqualTo(1);
  }

  @Test
  void shelveAndRenew_unadoptedPageAndReplyLost_p93_areDone() {
    Frontier frontier = faulty();
    known(frontier, A, B);
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    assertThat(frontier.shelve(walked(A))).isTrue();
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    Task renewed = frontier.renew(page(frontier, walked(B))).orElseThrow();
    assertThat(page(frontier, walked(A)).state()).isEqualTo(PageState.SHELVED);
    assertThat(page(frontier, renewed).makesStale(renewed)).isFalse();
  }

  @Test
  void claim_knownPageAndReplyLost_p93_returnsTaskThatIsNotStale() {
    Frontier frontier = faulty();
    known(frontier, A);
    tables.faults().loseReplies(UpdateItemRequest.class, 1);
    Task task =
        frontier.claim(again(ROOT, ONE).withAgain(Discovery.Again.ALL), List.of(A)).getFirst();
    assertThat(page(frontier, task).makesStale(task)).isFalse();
  }

  @Test
  void everyAdoption_longestUrl_p94_isKept() {
    Frontier frontier = open();
    CrawlUrl longest = url("/" + "x".repeat(CrawlUrl.MAX_LENGTH - url("/").toString().length()));
    known(frontier, longest);
    assertThat(frontier.walk(site, NEWER, "", 100).pages())
        .extracting(Page::url)
        .containsExactly(longest);
    assertThat(frontier.shelve(walked(longest))).isTrue();
    assertThat(frontier.shelf(site, NEWER, 1)).extracting(Page::url).containsExactly(longest);
    assertThat(frontier.settle(walked(longest), DONE, token(), NOW)).isTrue();
  }

  @Test
  void everyAdoption_thirtyPercentThrottled_p96_losesNone() {
    Frontier frontier = faulty();
    frontier.claim(on(ROOT, ONE), links(10));
    for (CrawlUrl link : links(10)) {
      frontier.settle(task(link), DONE, token(), NOW);
    }
    tables.faults().throttleEach(3);
    try {
      List<CrawlUrl> walked = new ArrayList<>();
      String from = "";
      do {
        Walk step = frontier.walk(site, NEWER, from, 7);
        step.pages().forEach(page -> walked.add(page.url()));
        from = step.next();
      } while (!from.isEmpty());
      assertThat(walked).containsExactlyInAnyOrderElementsOf(links(10));
      for (CrawlUrl link : links(10)) {
        assertThat(frontier.countFailure(walked(link), "timeout", token(), NOW)).isEqualTo(1);
        assertThat(frontier.settle(walked(link), DONE, token(), NOW)).isTrue();
      }
      frontier.removeAll(site);
      assertThat(pages(frontier, site)).isEmpty();
    } finally {
      tables.faults().throttleEach(0);
    }
  }

  @Test
  void removeAll_site_removesWhereItsPagesLead() {
    DynamoDbOutlinks outlinks = new DynamoDbOutlinks(tables.client(), tables.prefix());
    for (CrawlUrl link : links(60)) {
      outlinks.keep(site, link, links(3));
    }
    open().removeAll(site);
    assertThat(links(60)).allMatch(link -> outlinks.of(site, link).isEmpty());
  }

  /** P96: BatchWriteItem answers 200 and names what it left. */
  @Test
  void removeAll_itemsLeftUnprocessed_p96_areSentAgain() {
    open().claim(on(ROOT, ONE), links(60), Set.of());
    Frontier frontier = faulty();
    tables.faults().writePartially(6);
    frontier.removeAll(site);
    assertThat(pages(open(), site)).isEmpty();
    assertThat(tables.faults().takeRequests())
        .filteredOn(BatchWriteItemRequest.class::isInstance)
        .hasSizeGreaterThan(16);
  }

  @Test
  void removeAll_itemsLeftUnprocessedForTooLong_throws() {
    open().claim(on(ROOT, ONE), links(60), Set.of());
    Frontier frontier = faulty();
    tables.faults().writePartially(1_000);
    try {
      assertThatThrownBy(() -> frontier.removeAll(site))
          .isInstanceOf(SdkClientException.class)
          .hasMessageContaining("items to be deleted");
    } finally {
      tables.faults().writePartially(0);
    }
  }

  @Test
  void everyNewRequest_asksForItsCost() {
    Frontier frontier = faulty();
    known(frontier, A, B);
    List<SdkRequest> requests =
        requestsOf(
            () -> {
              frontier.walk(site, NEWER, "", 5);
              frontier.forget(page(frontier, A), Set.of(LOST));
              frontier.note(walked(A), "waits");
              frontier.removeAll(site);
            });
    assertThat(requests)
        .hasSizeGreaterThan(40)
        .allSatisfy(
            request ->
                assertThat(request.getValueForField("ReturnConsumedCapacity", String.class))
                    .contains("TOTAL"));
  }

  // versions

  @Test
  void everyItem_hasTheVersionThatIsWritten() {
    Frontier frontier = open();
    known(frontier, A);
    shelved(frontier, ONE, List.of(B));
    assertThat(item(A)).containsEntry("v", AttributeValue.fromN("2"));
    assertThat(item(B)).containsEntry("v", AttributeValue.fromN("2"));
  }

  @Test
  void read_pageOfVersion1WithRecord_isFetchedWholeOnce() {
    Frontier frontier = open();
    known(frontier, A, B);
    write(A, "REMOVE v, #record", Map.of());
    write(B, "REMOVE v, #record, contentHash", Map.of());
    assertThat(page(frontier, walked(A)).remembered())
        .returns(Validators.NONE, Remembered::validators)
        .returns(READ.contentHash(), Remembered::contentHash);
    assertThat(page(frontier, walked(B)).remembered().validators()).isEqualTo(READ.validators());

    assertThat(frontier.settle(walked(A), DONE, token(), NOW)).isTrue();
    assertThat(page(frontier, walked(A)).remembered()).isEqualTo(READ);
    assertThat(item(A)).containsEntry("v", AttributeValue.fromN("2"));
  }

  @Test
  void everyOperation_pageOfANewerVersion_throwsAndChangesNothing() {
    known(open(), A);
    write(A, "SET v = :v", Map.of(":v", AttributeValue.fromN("3")));
    Map<String, AttributeValue> before = item(A);
    Frontier frontier = open();
    Page page =
        new Page(
            site,
            NEWER,
            A,
            ROOT,
            ONE,
            PageKind.PAGE,
            0,
            PageState.QUEUED,
            0,
            0,
            "",
            READ,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.of(NOW));
    Discovery all = again(ROOT, ONE).withAgain(Discovery.Again.ALL);
    List<Runnable> operations =
        List.of(
            () -> frontier.read(List.of(walked(A))),
            () -> frontier.find(site, List.of(A.hash())),
            () -> frontier.unclaimed(all, List.of(A)),
            () -> frontier.claim(all, List.of(A), Set.of(A)),
            () -> frontier.refuse(all, Map.of(A, "exclude"), NOW),
            () -> frontier.settle(walked(A), DONE, token(), NOW),
            () -> frontier.countFailure(walked(A), "x", token(), NOW),
            () -> frontier.note(walked(A), "x"),
            () -> frontier.shelve(walked(A)),
            () -> frontier.renew(page),
            () -> frontier.unshelve(List.of(page)),
            () -> frontier.forget(page, Set.of(LOST)),
            () -> frontier.walk(site, NEWER, "", 100),
            () -> frontier.forEachPage(site, each -> {}),
            () -> frontier.removeAll(site));
    for (Runnable operation : operations) {
      assertThatThrownBy(operation::run)
          .isInstanceOf(NewerVersionException.class)
          .hasMessage(
              "Item %s/%s of table %s has version 3, and this program reads versions up to 2. It"
                  + " was not changed. Upgrade this program to the one that wrote it",
              text(before, "sitePartition"), text(before, "urlHash"), tables.prefix().pages());
    }
    assertThat(item(A)).isEqualTo(before);
  }

  private static String text(Map<String, AttributeValue> item, String name) {
    return Objects.requireNonNull(item.get(name)).s();
  }

  @Test
  void everyAdoption_unknownAttributes_keepsThem() {
    Frontier frontier = open();
    List<CrawlUrl> all = links(5);
    for (CrawlUrl link : all) {
      known(frontier, link);
      write(link, "SET note = :note", Map.of(":note", AttributeValue.fromS("kept")));
    }
    frontier.forget(page(frontier, task(all.get(0))), Set.of(LOST));
    frontier.settle(walked(all.get(0)), DONE, token(), NOW);
    frontier.countFailure(walked(all.get(1)), "timeout", token(), NOW);
    frontier.note(walked(all.get(2)), "waits");
    frontier.shelve(walked(all.get(3)));
    frontier.renew(page(frontier, walked(all.get(4))));
    for (CrawlUrl link : all) {
      assertThat(item(link)).containsEntry("note", AttributeValue.fromS("kept"));
      assertThat(item(link)).containsEntry("crawl", AttributeValue.fromS(NEWER.value()));
    }
  }
}
