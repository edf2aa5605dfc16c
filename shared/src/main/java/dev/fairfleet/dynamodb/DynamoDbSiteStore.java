package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.number;
import static dev.fairfleet.dynamodb.Attributes.text;
import static dev.fairfleet.dynamodb.Attributes.value;

import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;

/**
 * The sites in the DynamoDB table {@code sites}.
 *
 * <p>The lease that starts a crawl carries a random token, so that a caller whose successful
 * request lost its reply finds out that the lease is its own. Thread-safe.
 */
public final class DynamoDbSiteStore implements SiteStore {
  private static final Logger LOG = LoggerFactory.getLogger(DynamoDbSiteStore.class);
  private static final int AT_ONCE = 16;
  private static final int MOST_ASKED_FOR = 1_000;

  private final DynamoDbClient client;
  private final String table;
  private final RandomGenerator random;
  private final BatchReads reads;
  private final BatchPuts puts;

  /**
   * @param random draws the tokens of leases; thread-safe, and seeded differently in each process
   */
  public DynamoDbSiteStore(DynamoDbClient client, TablePrefix prefix, RandomGenerator random) {
    this.client = client;
    this.table = prefix.sites();
    this.random = random;
    this.reads = new BatchReads(client, table);
    this.puts = new BatchPuts(client, table);
  }

  @Override
  public void put(Site site) {
    Update update = update(site.id());
    SiteItem.attributes(site).forEach(update::set);
    update
        .setIfAbsent(SiteItem.STATE, value(SiteState.ACTIVE.name()))
        .send(client, ReturnValue.NONE);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Sites that exist are updated one by one, all others written in batches of 25, each in place
   * of whatever is there. So a site that another caller adds at the same time, and whose first
   * crawl starts before the batch is written, loses that crawl, and the next seed run starts it
   * again. Which sites exist is asked for by their keys, or, of more than 1,000, read once from the
   * whole table.
   */
  @Override
  public void putAll(Collection<Site> sites, IntConsumer done) {
    List<Site> distinct =
        List.copyOf(
            sites.stream()
                .collect(
                    Collectors.toMap(
                        Site::id, site -> site, (first, second) -> second, LinkedHashMap::new))
                .values());
    AtomicInteger put = new AtomicInteger(sites.size() - distinct.size());
    List<List<Site>> chunks = new ArrayList<>();
    for (int from = 0; from < distinct.size(); from += BatchReads.MAX_KEYS) {
      chunks.add(distinct.subList(from, Math.min(distinct.size(), from + BatchReads.MAX_KEYS)));
    }
    Optional<Set<String>> all =
        distinct.size() > MOST_ASKED_FOR ? Optional.of(allIds()) : Optional.empty();
    SideBySide.map(
        chunks,
        AT_ONCE,
        chunk -> {
          putChunk(chunk, all.orElseGet(() -> existing(chunk)));
          done.accept(put.addAndGet(chunk.size()));
          return chunk;
        });
  }

  private Set<String> allIds() {
    Set<String> ids = new HashSet<>();
    client
        .scanPaginator(
            ScanRequest.builder()
                .tableName(table)
                .projectionExpression(SiteItem.SITE_ID)
                .consistentRead(true)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build())
        .items()
        .forEach(item -> ids.add(text(item, SiteItem.SITE_ID)));
    return ids;
  }

  private Set<String> existing(List<Site> sites) {
    return reads.read(sites.stream().map(site -> SiteItem.key(site.id())).toList(), true).stream()
        .map(item -> text(item, SiteItem.SITE_ID))
        .collect(Collectors.toSet());
  }

  private void putChunk(List<Site> sites, Set<String> known) {
    List<Map<String, AttributeValue>> fresh = new ArrayList<>();
    for (Site site : sites) {
      if (known.contains(site.id().value())) {
        put(site);
      } else {
        fresh.add(SiteItem.ofNew(site));
      }
    }
    for (int from = 0; from < fresh.size(); from += BatchPuts.MAX_ITEMS) {
      puts.write(fresh.subList(from, Math.min(fresh.size(), from + BatchPuts.MAX_ITEMS)));
    }
  }

  @Override
  public Optional<SiteStatus> find(SiteId id) {
    Map<String, AttributeValue> item =
        client
            .getItem(
                r ->
                    r.tableName(table)
                        .key(SiteItem.key(id))
                        .consistentRead(true)
                        .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
            .item();
    return item.isEmpty()
        ? Optional.empty()
        : Optional.of(SiteItem.status(ItemVersion.check(table, item)));
  }

  /**
   * {@inheritDoc} An item that is no site, which only a foreign hand can write, or one of a newer
   * version, is logged.
   */
  @Override
  public void forEach(Consumer<SiteStatus> each) {
    client
        .scanPaginator(
            ScanRequest.builder()
                .tableName(table)
                .consistentRead(true)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build())
        .items()
        .forEach(item -> readable(item).ifPresent(each));
  }

  private Optional<SiteStatus> readable(Map<String, AttributeValue> item) {
    try {
      return Optional.of(SiteItem.status(ItemVersion.check(table, item)));
    } catch (RuntimeException e) {
      LOG.error(
          "Site {} in table {} cannot be read and is left out until its item is repaired: {}",
          text(item, SiteItem.SITE_ID),
          table,
          e.toString());
      return Optional.empty();
    }
  }

  @Override
  public boolean startCrawl(SiteId id, CrawlId crawl, CrawlMode mode, Instant now, Duration lease) {
    String token = token();
    Update newer =
        starting(id, crawl, mode, now.plus(lease), token)
            .setFrom(SiteItem.PREVIOUS, SiteItem.CRAWL, value(""))
            .remove(SiteItem.INTERRUPTED)
            .remove(SiteItem.END)
            .remove(SiteItem.END_UNTIL)
            .remove(SiteItem.END_TOKEN)
            .value("active", value(SiteState.ACTIVE.name()))
            .when("#state = :active AND (attribute_not_exists(#crawl) OR #crawl < :crawl)");
    Optional<Map<String, AttributeValue>> obstacle = refused(newer);
    if (obstacle.isEmpty() || text(obstacle.get(), SiteItem.LEASE_TOKEN).equals(token)) {
      return true;
    }
    if (!text(obstacle.get(), SiteItem.CRAWL).equals(crawl.value())) {
      return false;
    }
    Update abandoned =
        starting(id, crawl, mode, now.plus(lease), token)
            .value("now", value(now))
            .value("active", value(SiteState.ACTIVE.name()))
            .when(
                "#state = :active AND #crawl = :crawl AND #started = :started"
                    + " AND #leaseUntil <= :now");
    return refused(abandoned)
        .map(item -> text(item, SiteItem.LEASE_TOKEN).equals(token))
        .orElse(true);
  }

  private Update starting(SiteId id, CrawlId crawl, CrawlMode mode, Instant until, String token) {
    return update(id)
        .set(SiteItem.CRAWL, value(crawl.value()))
        .set(SiteItem.MODE, value(mode.name()))
        .set(SiteItem.STARTED, AttributeValue.fromBool(false))
        .set(SiteItem.LEASE_UNTIL, value(until))
        .set(SiteItem.LEASE_TOKEN, value(token));
  }

  private String token() {
    return Long.toHexString(random.nextLong());
  }

  /** Sends an update, and returns the item that made its condition fail, or nothing if it held. */
  private Optional<Map<String, AttributeValue>> refused(Update update) {
    try {
      update.send(client, ReturnValue.NONE);
      return Optional.empty();
    } catch (ConditionalCheckFailedException e) {
      return Optional.of(update.obstacle(client, e));
    }
  }

  @Override
  public void crawlStarted(SiteId id, CrawlId crawl) {
    Update started =
        update(id)
            .set(SiteItem.STARTED, AttributeValue.fromBool(true))
            .value("crawl", value(crawl.value()))
            .when("#crawl = :crawl");
    if (refused(started).isPresent()) {
      LOG.info("Crawl {} of site {} is no longer its newest", crawl, id);
    }
  }

  @Override
  public boolean beginEnd(SiteId id, CrawlId crawl, Instant now, Duration lease) {
    String token = token();
    Update update =
        update(id)
            .set(SiteItem.END_UNTIL, value(now.plus(lease)))
            .set(SiteItem.END_TOKEN, value(token))
            .value("crawl", value(crawl.value()))
            .value("now", value(now))
            .when(
                "#crawl = :crawl AND attribute_not_exists(#end)"
                    + " AND (attribute_not_exists(#endUntil) OR #endUntil <= :now)");
    return refused(update).map(item -> text(item, SiteItem.END_TOKEN).equals(token)).orElse(true);
  }

  @Override
  public void crawlEnded(SiteId id, CrawlId crawl, CrawlEnd end) {
    Optional<CrawlRun> run = find(id).flatMap(status -> status.runOf(crawl));
    if (run.isEmpty() || run.get().end().isPresent()) {
      return;
    }
    Update ended =
        update(id)
            .set(SiteItem.END, SiteItem.end(end))
            .set(SiteItem.LAST_ENDED, value(crawl.value()));
    if (run.get().mode() == CrawlMode.FULL) {
      ended.set(SiteItem.LAST_FULL, value(crawl.value()));
    }
    ended
        .value("crawl", value(crawl.value()))
        .when("#crawl = :crawl AND attribute_not_exists(#end)");
    if (refused(ended).isPresent()) {
      LOG.info("Crawl {} of site {} has ended before, or is no longer its newest", crawl, id);
    }
  }

  @Override
  public boolean setState(SiteId id, SiteState state, String reason, Instant now) {
    boolean goesOn = state == SiteState.STOPPED;
    while (true) {
      Update update =
          update(id)
              .set(SiteItem.STATE, value(state.name()))
              .setOrRemove(SiteItem.REASON, reason)
              .set(SiteItem.SINCE, value(now));
      if (state == SiteState.ACTIVE) {
        update.when("attribute_exists(#state) AND #state <> :state");
      } else if (goesOn) {
        update
            .set(SiteItem.INTERRUPTED, AttributeValue.fromBool(true))
            .when(
                "attribute_exists(#state) AND #state <> :state"
                    + " AND attribute_exists(#crawl) AND attribute_not_exists(#end)");
      } else {
        update.when(
            "attribute_exists(#state) AND #state <> :state"
                + " AND (attribute_not_exists(#crawl) OR attribute_exists(#end))");
      }
      Optional<Map<String, AttributeValue>> obstacle = refused(update);
      if (obstacle.isEmpty()) {
        return true;
      }
      Map<String, AttributeValue> item = obstacle.get();
      if (!item.containsKey(SiteItem.STATE)) {
        throw new NoSuchElementException("There is no site " + id + " to be set " + state);
      }
      if (text(item, SiteItem.STATE).equals(state.name())) {
        // A write of its own whose reply was lost looks like this.
        return item.containsKey(SiteItem.SINCE)
            && number(item, SiteItem.SINCE) == now.toEpochMilli()
            && text(item, SiteItem.REASON).equals(reason);
      }
      goesOn = item.containsKey(SiteItem.CRAWL) && !item.containsKey(SiteItem.END);
    }
  }

  @Override
  public void remove(SiteId id) {
    client.deleteItem(
        r ->
            r.tableName(table)
                .key(SiteItem.key(id))
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL));
  }

  private Update update(SiteId id) {
    return new Update(table, SiteItem.key(id));
  }
}
