package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.text;
import static dev.fairfleet.dynamodb.Attributes.value;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
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

  private final DynamoDbClient client;
  private final String table;
  private final RandomGenerator random;

  /**
   * @param random draws the tokens of leases; thread-safe, and seeded differently in each process
   */
  public DynamoDbSiteStore(DynamoDbClient client, TablePrefix prefix, RandomGenerator random) {
    this.client = client;
    this.table = prefix.sites();
    this.random = random;
  }

  @Override
  public void put(Site site) {
    update(site.id())
        .set(SiteItem.ROOTS, SiteItem.roots(site))
        .set(SiteItem.HOSTS, SiteItem.hosts(site))
        .set(SiteItem.SCOPE, SiteItem.scope(site.scope()))
        .set(SiteItem.LIMITS, SiteItem.limits(site.limits()))
        .set(SiteItem.EXTRACTION, SiteItem.extraction(site.extraction()))
        .set(SiteItem.DISCOVERY, SiteItem.discovery(site))
        .setIfAbsent(SiteItem.STATE, value(SiteState.ACTIVE.name()))
        .send(client, ReturnValue.NONE);
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
    return item.isEmpty() ? Optional.empty() : Optional.of(SiteItem.status(item));
  }

  /** {@inheritDoc} An item that is no site, which only a foreign hand can write, is logged. */
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
      return Optional.of(SiteItem.status(item));
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
  public boolean startCrawl(SiteId id, CrawlId crawl, Instant now, Duration lease) {
    String token = Long.toHexString(random.nextLong());
    Update update =
        update(id)
            .set(SiteItem.CRAWL, value(crawl.value()))
            .set(SiteItem.STARTED, AttributeValue.fromBool(false))
            .set(SiteItem.LEASE_UNTIL, value(now.plus(lease)))
            .set(SiteItem.LEASE_TOKEN, value(token))
            .value("now", value(now))
            .value("active", value(SiteState.ACTIVE.name()))
            .when(
                "#state = :active AND (attribute_not_exists(#crawl) OR #crawl < :crawl OR "
                    + "(#crawl = :crawl AND #started = :started AND #leaseUntil <= :now))");
    try {
      update.send(client, ReturnValue.NONE);
      return true;
    } catch (ConditionalCheckFailedException e) {
      return text(update.obstacle(client, e), SiteItem.LEASE_TOKEN).equals(token);
    }
  }

  @Override
  public void crawlStarted(SiteId id, CrawlId crawl) {
    try {
      update(id)
          .set(SiteItem.STARTED, AttributeValue.fromBool(true))
          .value("crawl", value(crawl.value()))
          .when("#crawl = :crawl")
          .send(client, ReturnValue.NONE);
    } catch (ConditionalCheckFailedException e) {
      LOG.info("Crawl {} of site {} is no longer its newest", crawl, id);
    }
  }

  @Override
  public void setState(SiteId id, SiteState state, String reason) {
    try {
      update(id)
          .set(SiteItem.STATE, value(state.name()))
          .setOrRemove(SiteItem.REASON, reason)
          .when("attribute_exists(#state)")
          .send(client, ReturnValue.NONE);
    } catch (ConditionalCheckFailedException e) {
      NoSuchElementException unknown =
          new NoSuchElementException("There is no site " + id + " to be set " + state);
      unknown.initCause(e);
      throw unknown;
    }
  }

  private Update update(SiteId id) {
    return new Update(table, SiteItem.key(id));
  }
}
