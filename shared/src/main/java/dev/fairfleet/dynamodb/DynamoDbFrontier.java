package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.integer;
import static dev.fairfleet.dynamodb.Attributes.text;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Remembered;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Walk;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * The frontier in the DynamoDB table {@code pages}.
 *
 * <p>Every write but the removal of a site is one conditional UpdateItem, and its condition is the
 * only arbiter. Times are kept to the millisecond, a reason to 500 characters. The SDK retries what
 * is throttled or transient; what it gives up passes as its {@code SdkException}. Thread-safe.
 */
public final class DynamoDbFrontier implements Frontier {
  /*
   * Why a claim may look at the table with eventually consistent reads, at half the price: all that
   * lets it skip a link stays true for ever (within a crawl the claimer of a URL never changes, a
   * final state stays final, and crawls only grow newer; what an earlier crawl read lies further
   * back than a replica lags). A stale answer can only call a link new that is not; then its
   * conditional write fails and shows the item as it is.
   *
   * Why a claim needs no attempt token: when the reply to its first write is lost, the SDK's retry
   * fails the condition and finds a page that the same parent claimed and that is unfinished, which
   * is the very case that a crash between claim and send leaves behind. It is claimed again, one
   * generation later, and the task that nobody saw is stale. Of a link that goes to the shelf the
   * retry finds it there, where it stays.
   *
   * Why taking a page from the shelf needs none either: when the reply is lost, the page is queued
   * and nobody has a task of it. That is what a crash between this write and the send leaves behind
   * too, and it heals the same way: the page is in its site's window, where it becomes overdue, and
   * whoever sweeps the window renews it. So nobody may let a page out of the window only because no
   * task of it was returned.
   *
   * Shelving a page raises its generation, taking it from the shelf does not: nobody holds a task of
   * the generation that lies on the shelf, so one task of it is handed out at most.
   *
   * A page that only an earlier crawl knows has tasks of generation 0, sent by a walk that wrote
   * nothing. A claim raises the generation that the earlier crawl left, so they are stale then. To
   * settle it takes the same single request as to settle a claimed page: what else adoption would
   * have to reset does not matter of a page that is settled, and its failures name their crawl. All
   * else that is done with such a page begins as if it were claimed, and is asked for a second time
   * with what adoption sets.
   */
  private static final int CALLS_AT_ONCE = 16;

  private static final int REMOVALS_AT_ONCE = 4;

  /** What holds of a page that is a crawl's own and not settled. */
  private static final String UNFINISHED = "#crawl = :crawl AND #state IN (:shelved, :queued)";

  private final DynamoDbClient client;
  private final String table;
  private final BatchReads reads;
  private final BatchDeletes deletes;
  private final SeenCache seen;

  /**
   * @param seenUrls most URLs that the process remembers as claimed, to skip their links without a
   *     request; about 150 bytes each
   */
  public DynamoDbFrontier(DynamoDbClient client, TablePrefix prefix, long seenUrls) {
    this.client = client;
    this.table = prefix.pages();
    this.reads = new BatchReads(client, table);
    this.deletes = new BatchDeletes(client, table);
    this.seen = new SeenCache(seenUrls);
  }

  @Override
  public List<CrawlUrl> unclaimed(Discovery found, List<CrawlUrl> links) {
    Claim claim = new Claim(found, Set.of());
    List<CrawlUrl> unknown = claim.unknown(links);
    Map<String, Map<String, AttributeValue>> items =
        items(unknown.stream().map(link -> PageItem.key(found.site(), link.hash())), false);
    return unknown.stream()
        .filter(
            link -> {
              String identity = PageItem.identity(PageItem.key(found.site(), link.hash()));
              @Nullable Map<String, AttributeValue> item = items.get(identity);
              return item == null || claim.looksNew(link, item);
            })
        .toList();
  }

  @Override
  public List<Task> claim(Discovery found, List<CrawlUrl> links, Set<CrawlUrl> queued) {
    Claim claim = new Claim(found, queued);
    return present(SideBySide.map(claim.unknown(links), CALLS_AT_ONCE, claim::take));
  }

  @Override
  public void refuse(Discovery found, Map<CrawlUrl, String> reasons, Instant now) {
    Discovery anew = found.withAgain(Discovery.Again.ALL);
    Claim claim = new Claim(anew, Set.of());
    List<CrawlUrl> fresh = unclaimed(anew, List.copyOf(reasons.keySet()));
    SideBySide.map(
        fresh, CALLS_AT_ONCE, url -> claim.refuse(url, reasons.getOrDefault(url, ""), now));
  }

  private static <T> List<T> present(List<Optional<T>> results) {
    return results.stream().flatMap(Optional::stream).toList();
  }

  /** Returns the items that exist, by {@link PageItem#identity}. */
  private Map<String, Map<String, AttributeValue>> items(
      Stream<Map<String, AttributeValue>> keys, boolean consistent) {
    Map<String, Map<String, AttributeValue>> distinct = new LinkedHashMap<>();
    keys.forEach(key -> distinct.put(PageItem.identity(key), key));
    List<Map<String, AttributeValue>> wanted = List.copyOf(distinct.values());
    List<List<Map<String, AttributeValue>>> batches = new ArrayList<>();
    for (int from = 0; from < wanted.size(); from += BatchReads.MAX_KEYS) {
      batches.add(wanted.subList(from, Math.min(wanted.size(), from + BatchReads.MAX_KEYS)));
    }
    Map<String, Map<String, AttributeValue>> items = new HashMap<>();
    SideBySide.map(batches, CALLS_AT_ONCE, batch -> reads.read(batch, consistent))
        .forEach(batch -> batch.forEach(item -> items.put(PageItem.identity(item), item)));
    return items;
  }

  /** The claim of what one page leads to. */
  private final class Claim {
    private final Discovery found;
    private final Set<CrawlUrl> queued;

    Claim(Discovery found, Set<CrawlUrl> queued) {
      this.found = found;
      this.queued = queued;
    }

    /** Returns the links whose fate only the table can tell. */
    List<CrawlUrl> unknown(List<CrawlUrl> links) {
      return links.stream()
          .distinct()
          .filter(found::canFind)
          .filter(link -> !seen.spares(found, link))
          .toList();
    }

    boolean looksNew(CrawlUrl link, Map<String, AttributeValue> item) {
      return isBefore(found.crawl(), item) ? isToBeReadAgain(link, item) : isOurs(link, item);
    }

    /** Tells whether a page that an earlier crawl knows is new to this one. */
    private boolean isToBeReadAgain(CrawlUrl link, Map<String, AttributeValue> item) {
      boolean again = PageItem.state(item) != PageState.DONE || found.again().includes(link);
      if (!again) {
        seen.known(found.site(), found.crawl(), link);
      }
      return again;
    }

    /** Tells whether this same parent claimed an unfinished page, of this crawl or a newer one. */
    private boolean isOurs(CrawlUrl link, Map<String, AttributeValue> item) {
      CrawlId claimedIn = new CrawlId(text(item, PageItem.CRAWL));
      String claimer = text(item, PageItem.PARENT);
      seen.claimed(found.site(), claimedIn, claimer, link);
      return claimedIn.equals(found.crawl())
          && claimer.equals(found.parent().toString())
          && !PageItem.state(item).isFinal();
    }

    private Update claimed(CrawlUrl link) {
      Update update =
          new Update(table, PageItem.key(found.site(), link.hash()))
              .set(PageItem.CRAWL, Attributes.value(found.crawl().value()))
              .set(PageItem.URL, Attributes.value(link.toString()))
              .set(PageItem.PARENT, Attributes.value(found.parent().toString()))
              .set(PageItem.DEPTH, Attributes.value(found.depth().value()))
              .setNext(PageItem.GENERATION)
              .set(PageItem.ATTEMPTS, Attributes.value(0))
              .setOrRemove(PageItem.KIND, PageItem.kind(found.kind()))
              .remove(PageItem.FAILED_IN)
              .remove(PageItem.FAILED_AT);
      if (found.again().includes(link)) {
        update.when("attribute_not_exists(#crawl) OR #crawl < :crawl");
      } else {
        update
            .when("attribute_not_exists(#crawl) OR (#crawl < :crawl AND #state <> :done)")
            .value("done", Attributes.value(PageState.DONE.name()));
      }
      if (found.hops() == 0) {
        update.remove(PageItem.HOPS);
      } else {
        update.set(PageItem.HOPS, Attributes.value(found.hops()));
      }
      @Nullable Instant modified = found.modified().get(link);
      if (modified == null) {
        update.remove(PageItem.MODIFIED);
      } else {
        update.set(PageItem.MODIFIED, Attributes.value(modified));
      }
      return update;
    }

    Optional<Task> take(CrawlUrl link) {
      Update update = claimed(link).remove(PageItem.REASON);
      boolean send = queued.contains(link);
      if (send) {
        leaveShelf(update, PageState.QUEUED);
      } else {
        enterShelf(update, found.site(), found.crawl(), link, found.depth());
      }
      Map<String, AttributeValue> now;
      try {
        now = update.send(client, ReturnValue.UPDATED_NEW);
      } catch (ConditionalCheckFailedException e) {
        return takeAgain(link, update.obstacle(client, e));
      }
      seen.claimed(found.site(), found.crawl(), found.parent().toString(), link);
      return send ? Optional.of(task(link, integer(now, PageItem.GENERATION))) : Optional.empty();
    }

    private Task task(CrawlUrl link, int generation) {
      return new Task(found.site(), found.crawl(), link, found.depth(), generation);
    }

    private Optional<Task> takeAgain(CrawlUrl link, Map<String, AttributeValue> item) {
      if (isBefore(found.crawl(), item) || !isOurs(link, item)) {
        return Optional.empty();
      }
      if (queued.contains(link)) {
        return requeue(found.site(), found.crawl(), link, found.depth());
      }
      if (PageItem.state(item) != PageState.SHELVED) {
        shelve(task(link, integer(item, PageItem.GENERATION)));
      }
      return Optional.empty();
    }

    /** Returns whether the refusal was written. */
    boolean refuse(CrawlUrl link, String reason, Instant now) {
      Update update =
          claimed(link)
              .setOrRemove(PageItem.REASON, PageItem.reason(reason))
              .set(PageItem.SETTLED_AT, Attributes.value(now));
      leaveShelf(update, PageState.SKIPPED);
      try {
        update.send(client, ReturnValue.NONE);
      } catch (ConditionalCheckFailedException e) {
        return false;
      }
      seen.claimed(found.site(), found.crawl(), found.parent().toString(), link);
      return true;
    }
  }

  /** Moves a page to the shelf, in the same write as whatever else becomes of it. */
  private static void enterShelf(
      Update update, SiteId site, CrawlId crawl, CrawlUrl url, CrawlDepth depth) {
    update
        .set(PageItem.STATE, Attributes.value(PageState.SHELVED.name()))
        .set(PageItem.SHELF, Attributes.value(PageItem.shelf(site, crawl, url.hash())))
        .set(PageItem.SHELF_ORDER, PageItem.shelfOrder(depth, url.hash()));
  }

  /** Moves a page, on the shelf or not, to another state. */
  private static void leaveShelf(Update update, PageState state) {
    update
        .set(PageItem.STATE, Attributes.value(state.name()))
        .remove(PageItem.SHELF)
        .remove(PageItem.SHELF_ORDER);
  }

  /**
   * Returns the task of the next generation, or nothing if the page is settled or of another crawl.
   * A lost reply makes the generation rise twice, which nobody minds.
   */
  private Optional<Task> requeue(SiteId site, CrawlId crawl, CrawlUrl url, CrawlDepth depth) {
    Update own = new Update(table, PageItem.key(site, url.hash())).increment(PageItem.GENERATION);
    Update adoption =
        adoption(site, crawl, url, 1, 0).remove(PageItem.REASON).remove(PageItem.FAILED_AT);
    leaveShelf(own, PageState.QUEUED);
    leaveShelf(adoption, PageState.QUEUED);
    whenUnfinished(own, crawl, "");
    Answer answer = send(crawl, own, adoption, ReturnValue.UPDATED_NEW);
    return answer.written()
        ? Optional.of(
            new Task(site, crawl, url, depth, integer(answer.item(), PageItem.GENERATION)))
        : Optional.empty();
  }

  private static void whenUnfinished(Update update, CrawlId crawl, String more) {
    unfinished(update, crawl).when(UNFINISHED + more);
  }

  /** Binds what {@link #UNFINISHED} names. */
  private static Update unfinished(Update update, CrawlId crawl) {
    return update
        .value("crawl", Attributes.value(crawl.value()))
        .value("shelved", Attributes.value(PageState.SHELVED.name()))
        .value("queued", Attributes.value(PageState.QUEUED.name()));
  }

  /**
   * Returns the update that makes a page of an earlier crawl one of {@code crawl}, as {@link
   * Page#recalled} has it; state, reason and time of the last failure are left to be said.
   */
  private Update adoption(SiteId site, CrawlId crawl, CrawlUrl url, int generation, int attempts) {
    return new Update(table, PageItem.key(site, url.hash()))
        .set(PageItem.CRAWL, Attributes.value(crawl.value()))
        .set(PageItem.GENERATION, Attributes.value(generation))
        .set(PageItem.ATTEMPTS, Attributes.value(attempts))
        .set(PageItem.FAILED_IN, Attributes.value(crawl.value()))
        .when("#crawl < :crawl");
  }

  /**
   * What became of an update.
   *
   * @param item what was asked for if it was written, and otherwise what stood in its way
   */
  private record Answer(boolean written, Map<String, AttributeValue> item) {}

  /** Sends the update of a page of {@code crawl}, or its adoption if it is of an earlier one. */
  private Answer send(CrawlId crawl, Update own, Update adoption, ReturnValue returned) {
    Update next = own;
    boolean triedAgain = false;
    while (true) {
      try {
        return new Answer(true, next.send(client, returned));
      } catch (ConditionalCheckFailedException e) {
        Map<String, AttributeValue> item = next.obstacle(client, e);
        if (isBefore(crawl, item)) {
          next = adoption;
        } else if (next == own && (triedAgain || !isUnfinished(crawl, item))) {
          return new Answer(false, item);
        } else if (next == own) {
          // Perhaps adopted between the failure and a look at the item, see Update.obstacle.
          triedAgain = true;
        } else {
          // Adopted meanwhile, by somebody else or by this request, whose reply was lost.
          next = own;
        }
      }
    }
  }

  @Override
  public List<Page> shelf(SiteId site, CrawlId crawl, int most) {
    ShelfIndex index = new ShelfIndex(client, table, PageItem.shelves(site, crawl));
    List<Page> pages = new ArrayList<>();
    while (pages.size() < most) {
      List<Map<String, AttributeValue>> keys = index.next(most - pages.size());
      if (keys.isEmpty()) {
        break;
      }
      Map<String, Map<String, AttributeValue>> items = items(keys.stream(), false);
      keys.stream()
          .map(key -> items.getOrDefault(PageItem.identity(key), Map.of()))
          .filter(item -> isOf(crawl, item) && PageItem.state(item) == PageState.SHELVED)
          .map(item -> PageItem.page(site, item))
          .forEach(pages::add);
    }
    return pages;
  }

  @Override
  public List<Task> unshelve(Collection<Page> pages) {
    return present(SideBySide.map(List.copyOf(pages), CALLS_AT_ONCE, this::unshelve));
  }

  private Optional<Task> unshelve(Page page) {
    Update update =
        new Update(table, PageItem.key(page.site(), page.url().hash()))
            .when("#crawl = :crawl AND #state = :shelved")
            .value("crawl", Attributes.value(page.crawl().value()))
            .value("shelved", Attributes.value(PageState.SHELVED.name()));
    leaveShelf(update, PageState.QUEUED);
    try {
      Map<String, AttributeValue> item = update.send(client, ReturnValue.ALL_NEW);
      return Optional.of(
          new Task(
              page.site(),
              page.crawl(),
              page.url(),
              page.depth(),
              integer(item, PageItem.GENERATION)));
    } catch (ConditionalCheckFailedException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean shelve(Task task) {
    Update own =
        new Update(table, PageItem.key(task.site(), task.url().hash()))
            .increment(PageItem.GENERATION)
            .value("generation", Attributes.value(task.generation()));
    Update adoption =
        adoption(task.site(), task.crawl(), task.url(), task.generation() + 1, 0)
            .remove(PageItem.REASON)
            .remove(PageItem.FAILED_AT);
    enterShelf(own, task.site(), task.crawl(), task.url(), task.depth());
    enterShelf(adoption, task.site(), task.crawl(), task.url(), task.depth());
    whenUnfinished(own, task.crawl(), " AND #generation = :generation");
    Answer answer = send(task.crawl(), own, adoption, ReturnValue.NONE);
    return answer.written()
        || (isOf(task.crawl(), answer.item())
            && PageItem.state(answer.item()) == PageState.SHELVED
            && integer(answer.item(), PageItem.GENERATION) == task.generation() + 1);
  }

  @Override
  public Map<Task, Page> read(Collection<Task> tasks) {
    Map<String, Map<String, AttributeValue>> items =
        items(tasks.stream().map(task -> PageItem.key(task.site(), task.url().hash())), true);
    Map<Task, Page> pages = new HashMap<>();
    for (Task task : tasks) {
      String identity = PageItem.identity(PageItem.key(task.site(), task.url().hash()));
      @Nullable Map<String, AttributeValue> item = items.get(identity);
      if (item != null) {
        Page page = PageItem.page(task.site(), task.url(), item);
        pages.put(task, isBefore(task.crawl(), item) ? page.recalled(task.crawl()) : page);
      }
    }
    return pages;
  }

  @Override
  public boolean settle(Task task, Settlement settlement, AttemptToken token, Instant now) {
    Update update =
        new Update(table, PageItem.key(task.site(), task.url().hash()))
            .set(PageItem.CRAWL, Attributes.value(task.crawl().value()))
            .set(PageItem.SETTLED_AT, Attributes.value(now))
            .set(PageItem.TOKEN, Attributes.value(token.value()))
            .setOrRemove(PageItem.REASON, PageItem.reason(settlement.reason()));
    leaveShelf(update, settlement.state());
    switch (settlement.state()) {
      case GONE -> update.increment(PageItem.GONE);
      case DONE -> update.remove(PageItem.GONE);
      case FAILED, SKIPPED, SHELVED, QUEUED -> {}
    }
    settlement
        .remembered()
        .ifPresentOrElse(it -> remember(update, it), () -> forgetValidators(update));
    settlement
        .fetch()
        .ifPresent(
            fetch ->
                update
                    .set(PageItem.STATUS, Attributes.value(fetch.status()))
                    .set(PageItem.BYTES, Attributes.value(fetch.bytes()))
                    .set(PageItem.FETCHED_AT, Attributes.value(fetch.at()))
                    .set(PageItem.TOOK, Attributes.value(fetch.took().toMillis())));
    unfinished(update, task.crawl()).when("#crawl < :crawl OR (" + UNFINISHED + ")");
    try {
      update.send(client, ReturnValue.NONE);
      return true;
    } catch (ConditionalCheckFailedException e) {
      Map<String, AttributeValue> item = update.obstacle(client, e);
      return isOf(task.crawl(), item) && text(item, PageItem.TOKEN).equals(token.value());
    }
  }

  private static void remember(Update update, Remembered remembered) {
    update
        .setOrRemove(PageItem.ETAG, PageItem.validator(remembered.validators().etag()))
        .setOrRemove(
            PageItem.LAST_MODIFIED, PageItem.validator(remembered.validators().lastModified()))
        .setOrRemove(PageItem.CONTENT_HASH, remembered.contentHash())
        .setOrRemove(PageItem.OUTLINKS, remembered.outlinks())
        .setOrRemove(PageItem.RULES, remembered.rules())
        .setOrRemove(PageItem.RECORD, remembered.record().map(RecordId::value).orElse(""))
        .setOrRemove(PageItem.LOST, values(remembered.lost()));
  }

  private static Set<String> values(Set<RecordId> records) {
    return records.stream().map(RecordId::value).collect(Collectors.toSet());
  }

  /** Takes away what would let a server answer "not modified". */
  private static void forgetValidators(Update update) {
    update
        .remove(PageItem.ETAG)
        .remove(PageItem.LAST_MODIFIED)
        .remove(PageItem.OUTLINKS)
        .remove(PageItem.RULES);
  }

  @Override
  public int countFailure(Task task, String reason, AttemptToken token, Instant now) {
    Update own =
        new Update(table, PageItem.key(task.site(), task.url().hash()))
            .increment(PageItem.ATTEMPTS)
            .set(PageItem.FAILED_IN, Attributes.value(task.crawl().value()));
    Update adoption = adoption(task.site(), task.crawl(), task.url(), 0, 1);
    for (Update update : List.of(own, adoption)) {
      update
          .set(PageItem.TOKEN, Attributes.value(token.value()))
          .set(PageItem.FAILED_AT, Attributes.value(now))
          .setOrRemove(PageItem.REASON, PageItem.reason(reason));
    }
    leaveShelf(adoption, PageState.QUEUED);
    whenUnfinished(own, task.crawl(), " AND (attribute_not_exists(#token) OR #token <> :token)");
    Answer answer = send(task.crawl(), own, adoption, ReturnValue.ALL_NEW);
    return isOf(task.crawl(), answer.item()) ? PageItem.attempts(answer.item()) : 0;
  }

  @Override
  public boolean note(Task task, String reason) {
    Update own = new Update(table, PageItem.key(task.site(), task.url().hash()));
    Update adoption =
        adoption(task.site(), task.crawl(), task.url(), 0, 0).remove(PageItem.FAILED_AT);
    for (Update update : List.of(own, adoption)) {
      update.setOrRemove(PageItem.REASON, PageItem.reason(reason));
    }
    leaveShelf(adoption, PageState.QUEUED);
    whenUnfinished(own, task.crawl(), "");
    return send(task.crawl(), own, adoption, ReturnValue.NONE).written();
  }

  private static boolean isUnfinished(CrawlId crawl, Map<String, AttributeValue> item) {
    return isOf(crawl, item) && !PageItem.state(item).isFinal();
  }

  /** Tells whether an item that exists is of an earlier crawl. */
  private static boolean isBefore(CrawlId crawl, Map<String, AttributeValue> item) {
    return item.containsKey(PageItem.CRAWL)
        && text(item, PageItem.CRAWL).compareTo(crawl.value()) < 0;
  }

  private static boolean isOf(CrawlId crawl, Map<String, AttributeValue> item) {
    return text(item, PageItem.CRAWL).equals(crawl.value());
  }

  @Override
  public Optional<Task> renew(Page page) {
    return requeue(page.site(), page.crawl(), page.url(), page.depth());
  }

  @Override
  public List<Page> find(SiteId site, Collection<UrlHash> urls) {
    return items(urls.stream().map(url -> PageItem.key(site, url)), true).values().stream()
        .map(item -> PageItem.page(site, item))
        .toList();
  }

  /** {@inheritDoc} One consistent query for each of the site's 16 partitions, a page at a time. */
  @Override
  public void forEachPage(SiteId site, Consumer<Page> each) {
    PageItem.partitions(site)
        .forEach(
            partition ->
                client
                    .queryPaginator(query(partition).build())
                    .items()
                    .forEach(
                        item -> each.accept(PageItem.page(site, ItemVersion.check(table, item)))));
  }

  private QueryRequest.Builder query(String partition) {
    return QueryRequest.builder()
        .tableName(table)
        .keyConditionExpression(PageItem.SITE_PARTITION + " = :partition")
        .expressionAttributeValues(Map.of(":partition", Attributes.value(partition)))
        .consistentRead(true)
        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL);
  }

  /** {@inheritDoc} By partition, and in each by hash of URL. */
  @Override
  public Walk walk(SiteId site, CrawlId crawl, String from, int most) {
    List<String> partitions = PageItem.partitions(site).toList();
    List<Page> pages = new ArrayList<>();
    WalkPosition at = WalkPosition.parse(from, partitions.size());
    int left = most;
    while (left > 0 && at.shard() < partitions.size()) {
      QueryRequest.Builder request = query(partitions.get(at.shard())).limit(left);
      at.after().ifPresent(url -> request.exclusiveStartKey(PageItem.key(site, url)));
      QueryResponse response = client.query(request.build());
      for (Map<String, AttributeValue> item : response.items()) {
        if (isBefore(crawl, ItemVersion.check(table, item))) {
          pages.add(PageItem.page(site, item).recalled(crawl));
        }
      }
      left -= response.items().size();
      at =
          response.lastEvaluatedKey().isEmpty()
              ? new WalkPosition(at.shard() + 1, Optional.empty())
              : new WalkPosition(
                  at.shard(), Optional.of(PageItem.hash(response.lastEvaluatedKey())));
    }
    return new Walk(pages, at.shard() < partitions.size() ? at.toString() : "");
  }

  @Override
  public void forget(Page page, Set<RecordId> records) {
    Remembered remembered = page.remembered();
    Set<RecordId> lost = new HashSet<>(records);
    lost.retainAll(remembered.lost());
    boolean own = remembered.record().filter(records::contains).isPresent();
    if (lost.isEmpty() && !own) {
      return;
    }
    Update update =
        new Update(table, PageItem.key(page.site(), page.url().hash()))
            .value("crawl", Attributes.value(page.crawl().value()));
    if (!lost.isEmpty()) {
      update.delete(PageItem.LOST, values(lost));
    }
    if (own) {
      forgetValidators(update.remove(PageItem.RECORD));
    }
    page.settledAt()
        .ifPresentOrElse(
            at ->
                update
                    .when("#crawl = :crawl AND #settledAt = :settledAt")
                    .value(PageItem.SETTLED_AT, Attributes.value(at)),
            () -> update.when("#crawl = :crawl AND attribute_not_exists(#settledAt)"));
    try {
      update.send(client, ReturnValue.NONE);
    } catch (ConditionalCheckFailedException e) {
      // A crawl claimed or settled it since, and knows better.
      return;
    }
  }

  /** {@inheritDoc} A consistent query of the keys of 32 partitions, and one write for each page. */
  @Override
  public void removeAll(SiteId site) {
    List<String> partitions =
        Stream.concat(PageItem.partitions(site), PageItem.linksPartitions(site)).toList();
    SideBySide.map(partitions, REMOVALS_AT_ONCE, this::empty);
  }

  /** Deletes the items of a partition, and returns how many there were. */
  private int empty(String partition) {
    int deleted = 0;
    for (QueryResponse response :
        client.queryPaginator(
            query(partition).projectionExpression(PageItem.KEY_AND_VERSION).build())) {
      response.items().forEach(item -> ItemVersion.check(table, item));
      deletes.delete(response.items().stream().map(PageItem::key).toList());
      deleted += response.items().size();
    }
    return deleted;
  }
}
