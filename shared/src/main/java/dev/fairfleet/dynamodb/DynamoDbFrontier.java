package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.integer;
import static dev.fairfleet.dynamodb.Attributes.text;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * The frontier in the DynamoDB table {@code pages}.
 *
 * <p>Every write is one conditional UpdateItem, and its condition is the only arbiter. Times are
 * kept to the millisecond, a reason to 500 characters. The SDK retries what is throttled or
 * transient; what it gives up passes as its {@code SdkException}. Thread-safe.
 */
public final class DynamoDbFrontier implements Frontier {
  /*
   * Why a claim may look at the table with eventually consistent reads, at half the price: all that
   * lets it skip a link stays true for ever (within a crawl the claimer of a URL never changes, a
   * final state stays final, and crawls only grow newer). A stale answer can only call a link new
   * that is not; then its conditional write fails and shows the item as it is.
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
   */
  private static final int CALLS_AT_ONCE = 16;

  private final DynamoDbClient client;
  private final String table;
  private final BatchReads reads;
  private final SeenCache seen;

  /**
   * @param seenUrls most URLs that the process remembers as claimed, to skip their links without a
   *     request; about 150 bytes each
   */
  public DynamoDbFrontier(DynamoDbClient client, TablePrefix prefix, long seenUrls) {
    this.client = client;
    this.table = prefix.pages();
    this.reads = new BatchReads(client, table);
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
    Claim claim = new Claim(found, Set.of());
    List<CrawlUrl> fresh = unclaimed(found, List.copyOf(reasons.keySet()));
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
          .filter(link -> !seen.claimedByAnother(found.site(), found.crawl(), found.parent(), link))
          .toList();
    }

    boolean looksNew(CrawlUrl link, Map<String, AttributeValue> item) {
      return text(item, PageItem.CRAWL).compareTo(found.crawl().value()) < 0 || isOurs(link, item);
    }

    /** Tells whether this same parent claimed an unfinished page, of this crawl or a newer one. */
    private boolean isOurs(CrawlUrl link, Map<String, AttributeValue> item) {
      CrawlId claimedIn = new CrawlId(text(item, PageItem.CRAWL));
      String claimer = text(item, PageItem.PARENT);
      seen.remember(found.site(), claimedIn, claimer, link);
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
              .set(PageItem.GENERATION, Attributes.value(0))
              .set(PageItem.ATTEMPTS, Attributes.value(0))
              .setOrRemove(PageItem.KIND, PageItem.kind(found.kind()))
              .remove(PageItem.FAILED_AT)
              .when("attribute_not_exists(#crawl) OR #crawl < :crawl");
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
      try {
        update.send(client, ReturnValue.NONE);
      } catch (ConditionalCheckFailedException e) {
        return takeAgain(link, update.obstacle(client, e));
      }
      seen.remember(found.site(), found.crawl(), found.parent().toString(), link);
      return send ? Optional.of(task(link, 0)) : Optional.empty();
    }

    private Task task(CrawlUrl link, int generation) {
      return new Task(found.site(), found.crawl(), link, found.depth(), generation);
    }

    private Optional<Task> takeAgain(CrawlUrl link, Map<String, AttributeValue> item) {
      if (!isOurs(link, item)) {
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
      seen.remember(found.site(), found.crawl(), found.parent().toString(), link);
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
    Update update =
        new Update(table, PageItem.key(site, url.hash())).increment(PageItem.GENERATION);
    leaveShelf(update, PageState.QUEUED);
    whenUnfinished(update, crawl, "");
    try {
      Map<String, AttributeValue> now = update.send(client, ReturnValue.UPDATED_NEW);
      return Optional.of(new Task(site, crawl, url, depth, integer(now, PageItem.GENERATION)));
    } catch (ConditionalCheckFailedException e) {
      return Optional.empty();
    }
  }

  private static void whenUnfinished(Update update, CrawlId crawl, String more) {
    update
        .when("#crawl = :crawl AND #state IN (:shelved, :queued)" + more)
        .value("crawl", Attributes.value(crawl.value()))
        .value("shelved", Attributes.value(PageState.SHELVED.name()))
        .value("queued", Attributes.value(PageState.QUEUED.name()));
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
    Update update =
        new Update(table, PageItem.key(task.site(), task.url().hash()))
            .increment(PageItem.GENERATION)
            .value("generation", Attributes.value(task.generation()));
    enterShelf(update, task.site(), task.crawl(), task.url(), task.depth());
    whenUnfinished(update, task.crawl(), " AND #generation = :generation");
    try {
      update.send(client, ReturnValue.NONE);
      return true;
    } catch (ConditionalCheckFailedException e) {
      Map<String, AttributeValue> item = update.obstacle(client, e);
      return isOf(task.crawl(), item)
          && PageItem.state(item) == PageState.SHELVED
          && integer(item, PageItem.GENERATION) == task.generation() + 1;
    }
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
        pages.put(task, PageItem.page(task.site(), task.url(), item));
      }
    }
    return pages;
  }

  @Override
  public boolean settle(Task task, Settlement settlement, AttemptToken token, Instant now) {
    Update update =
        new Update(table, PageItem.key(task.site(), task.url().hash()))
            .set(PageItem.SETTLED_AT, Attributes.value(now))
            .set(PageItem.TOKEN, Attributes.value(token.value()))
            .setOrRemove(PageItem.REASON, PageItem.reason(settlement.reason()))
            .setOrRemove(PageItem.ETAG, PageItem.validator(settlement.validators().etag()))
            .setOrRemove(
                PageItem.LAST_MODIFIED, PageItem.validator(settlement.validators().lastModified()));
    leaveShelf(update, settlement.state());
    if (!settlement.contentHash().isEmpty()) {
      update.set(PageItem.CONTENT_HASH, Attributes.value(settlement.contentHash()));
    }
    update.setOrRemove(PageItem.OUTLINKS, settlement.outlinks());
    settlement
        .fetch()
        .ifPresent(
            fetch ->
                update
                    .set(PageItem.STATUS, Attributes.value(fetch.status()))
                    .set(PageItem.BYTES, Attributes.value(fetch.bytes()))
                    .set(PageItem.FETCHED_AT, Attributes.value(fetch.at()))
                    .set(PageItem.TOOK, Attributes.value(fetch.took().toMillis())));
    whenUnfinished(update, task.crawl(), "");
    try {
      update.send(client, ReturnValue.NONE);
      return true;
    } catch (ConditionalCheckFailedException e) {
      Map<String, AttributeValue> item = update.obstacle(client, e);
      return isOf(task.crawl(), item) && text(item, PageItem.TOKEN).equals(token.value());
    }
  }

  @Override
  public int countFailure(Task task, String reason, AttemptToken token, Instant now) {
    Update update =
        new Update(table, PageItem.key(task.site(), task.url().hash()))
            .set(PageItem.TOKEN, Attributes.value(token.value()))
            .set(PageItem.FAILED_AT, Attributes.value(now))
            .setOrRemove(PageItem.REASON, PageItem.reason(reason))
            .increment(PageItem.ATTEMPTS);
    whenUnfinished(update, task.crawl(), " AND (attribute_not_exists(#token) OR #token <> :token)");
    try {
      return integer(update.send(client, ReturnValue.UPDATED_NEW), PageItem.ATTEMPTS);
    } catch (ConditionalCheckFailedException e) {
      Map<String, AttributeValue> item = update.obstacle(client, e);
      return isOf(task.crawl(), item) ? integer(item, PageItem.ATTEMPTS) : 0;
    }
  }

  @Override
  public boolean note(Task task, String reason) {
    Update update =
        new Update(table, PageItem.key(task.site(), task.url().hash()))
            .setOrRemove(PageItem.REASON, PageItem.reason(reason));
    whenUnfinished(update, task.crawl(), "");
    try {
      update.send(client, ReturnValue.NONE);
      return true;
    } catch (ConditionalCheckFailedException e) {
      return false;
    }
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
                    .queryPaginator(
                        QueryRequest.builder()
                            .tableName(table)
                            .keyConditionExpression(PageItem.SITE_PARTITION + " = :partition")
                            .expressionAttributeValues(
                                Map.of(":partition", Attributes.value(partition)))
                            .consistentRead(true)
                            .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                            .build())
                    .items()
                    .forEach(item -> each.accept(PageItem.page(site, item))));
  }
}
