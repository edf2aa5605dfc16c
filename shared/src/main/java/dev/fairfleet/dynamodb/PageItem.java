package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.integer;
import static dev.fairfleet.dynamodb.Attributes.number;
import static dev.fairfleet.dynamodb.Attributes.text;
import static dev.fairfleet.dynamodb.Attributes.textSet;
import static dev.fairfleet.dynamodb.Attributes.time;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Fetch;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Remembered;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The form of a page in the table {@code pages}.
 *
 * <p>Key: {@code sitePartition} is the site's id, {@code #} and one of 16 shards, so that one site
 * is not bound to the 1,000 write units a second of one partition; {@code urlHash}. Attributes of
 * the crawl that claimed the page last: {@code crawl, url, parent, depth, state, generation,
 * attempts, reason, failedAt}, {@code kind} where it is no ordinary page, {@code hops} where there
 * were any, {@code modified} where a sitemap named a time. A later crawl may settle the page
 * without a claim, and then changes {@code crawl}, but not how it was found; {@code failedIn} is
 * the crawl whose failures {@code attempts} counts, and where it is absent, that is {@code crawl}.
 * Of whatever crawl read it last: {@code etag, lastModified, contentHash, outlinks, rules, record},
 * the set {@code lost}, {@code settledAt} and the exchange {@code status, bytes, fetchedAt, took}.
 * {@code gone} counts crawls in a row without the page. {@code token} marks the last settlement or
 * counted failure. Times and durations are in milliseconds; an empty text, an empty set and a zero
 * {@code gone} are no attributes. {@link ItemVersion} tells of {@code v}.
 *
 * <p>Version 1 knew neither {@code record} nor {@code lost}. Of a page that it read and that has a
 * record, the validators are not used, so that it is fetched whole once and learns its record.
 *
 * <p>Only a shelved page has {@code shelf} and {@code shelfOrder}, the keys of the sparse index
 * {@code shelf}: the site's id, {@code #}, the crawl, {@code #} and one of 4 shards, because an
 * index partition, too, takes 1,000 write units a second and holds up the table when it is full;
 * and the page's depth times a billion plus nine digits from the URL's hash. Without the digits
 * dynalite, which tells index entries of one key apart by 24 bits, would lose one of two pages in a
 * while.
 *
 * <p>With URLs of ordinary length an item stays well below the kilobyte that one write unit pays
 * for.
 */
final class PageItem {
  static final String SITE_PARTITION = "sitePartition";
  static final String CRAWL = "crawl";
  static final String URL = "url";
  static final String PARENT = "parent";
  static final String DEPTH = "depth";
  static final String KIND = "kind";
  static final String HOPS = "hops";
  static final String MODIFIED = "modified";
  static final String STATE = "state";
  static final String GENERATION = "generation";
  static final String ATTEMPTS = "attempts";
  static final String FAILED_IN = "failedIn";
  static final String REASON = "reason";
  static final String FAILED_AT = "failedAt";
  static final String ETAG = "etag";
  static final String LAST_MODIFIED = "lastModified";
  static final String CONTENT_HASH = "contentHash";
  static final String OUTLINKS = "outlinks";
  static final String RULES = "rules";
  static final String RECORD = "record";
  static final String LOST = "lost";
  static final String GONE = "gone";
  static final String SETTLED_AT = "settledAt";
  static final String STATUS = "status";
  static final String BYTES = "bytes";
  static final String FETCHED_AT = "fetchedAt";
  static final String TOOK = "took";
  static final String TOKEN = "token";
  static final String SHELF = "shelf";
  static final String SHELF_ORDER = "shelfOrder";

  private static final String URL_HASH = "urlHash";

  /** Names of the attributes by which an item can be deleted. */
  static final String KEY_AND_VERSION =
      SITE_PARTITION + ", " + URL_HASH + ", " + ItemVersion.ATTRIBUTE;

  private static final int SHARDS = 16;
  private static final int SHELF_SHARDS = 4;
  private static final long HASHES = 1_000_000_000;
  private static final int MAX_REASON = 500;
  private static final int MAX_VALIDATOR = 1_000;

  private PageItem() {}

  static Map<String, AttributeValue> key(SiteId site, UrlHash url) {
    return Map.of(
        SITE_PARTITION, Attributes.value(partition(site, shard(url, SHARDS))),
        URL_HASH, Attributes.value(url.value()));
  }

  /** Returns the key of the item that keeps a page's links: no site id holds a {@code #}. */
  static Map<String, AttributeValue> linksKey(SiteId site, UrlHash url) {
    return Map.of(
        SITE_PARTITION, Attributes.value(linksPartition(site, shard(url, SHARDS))),
        URL_HASH, Attributes.value(url.value()));
  }

  /** Returns the key in a table or index entry that has more attributes. */
  static Map<String, AttributeValue> key(Map<String, AttributeValue> entry) {
    return Map.of(SITE_PARTITION, entry.get(SITE_PARTITION), URL_HASH, entry.get(URL_HASH));
  }

  /** Returns the hash of the URL whose page has this key. */
  static UrlHash hash(Map<String, AttributeValue> key) {
    return new UrlHash(text(key, URL_HASH));
  }

  private static int shard(UrlHash url, int shards) {
    return Math.floorMod(url.value().hashCode(), shards);
  }

  /** Returns one text that tells the item with this key, or a key, from all others. */
  static String identity(Map<String, AttributeValue> keyOrItem) {
    return text(keyOrItem, SITE_PARTITION) + "/" + text(keyOrItem, URL_HASH);
  }

  /** Returns the partitions that hold the pages of a site. */
  static Stream<String> partitions(SiteId site) {
    return IntStream.range(0, SHARDS).mapToObj(shard -> partition(site, shard));
  }

  /** Returns the partitions that hold where the pages of a site lead. */
  static Stream<String> linksPartitions(SiteId site) {
    return IntStream.range(0, SHARDS).mapToObj(shard -> linksPartition(site, shard));
  }

  private static String linksPartition(SiteId site, int shard) {
    return site.value() + "#links#" + shard;
  }

  private static String partition(SiteId site, int shard) {
    return site.value() + "#" + shard;
  }

  /** Returns the index partition of a page on the shelf; at most 151 bytes. */
  static String shelf(SiteId site, CrawlId crawl, UrlHash url) {
    return shelf(site, crawl, shard(url, SHELF_SHARDS));
  }

  /** Returns the index partitions that hold the shelf of a site's crawl. */
  static Stream<String> shelves(SiteId site, CrawlId crawl) {
    return IntStream.range(0, SHELF_SHARDS).mapToObj(shard -> shelf(site, crawl, shard));
  }

  /** Returns the order of a page in its index partition: by depth, then by hash. */
  static AttributeValue shelfOrder(CrawlDepth depth, UrlHash url) {
    return Attributes.value(depth.value() * HASHES + Math.floorMod(url.value().hashCode(), HASHES));
  }

  private static String shelf(SiteId site, CrawlId crawl, int shard) {
    return site.value() + "#" + crawl.value() + "#" + shard;
  }

  /** Returns a reason short enough for a small item. */
  static String reason(String reason) {
    return reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON - 1) + "…";
  }

  /** Returns a validator, or none if it is so long that a plain GET costs less than keeping it. */
  static String validator(String validator) {
    return validator.length() <= MAX_VALIDATOR ? validator : "";
  }

  /** Returns the text of a kind; an ordinary page, of which there are most, has none. */
  static String kind(PageKind kind) {
    return kind == PageKind.PAGE ? "" : kind.name();
  }

  private static PageKind kind(Map<String, AttributeValue> item) {
    return item.containsKey(KIND) ? PageKind.valueOf(text(item, KIND)) : PageKind.PAGE;
  }

  static PageState state(Map<String, AttributeValue> item) {
    return PageState.valueOf(text(item, STATE));
  }

  static Page page(SiteId site, Map<String, AttributeValue> item) {
    return page(site, CrawlUrl.of(text(item, URL)), item);
  }

  static Page page(SiteId site, CrawlUrl url, Map<String, AttributeValue> item) {
    String parent = text(item, PARENT);
    return new Page(
        site,
        new CrawlId(text(item, CRAWL)),
        url,
        parent.equals(url.toString()) ? url : CrawlUrl.of(parent),
        new CrawlDepth(integer(item, DEPTH)),
        kind(item),
        integer(item, HOPS),
        state(item),
        integer(item, GENERATION),
        attempts(item),
        text(item, REASON),
        remembered(item),
        integer(item, GONE),
        optionalTime(item, MODIFIED),
        item.containsKey(FETCHED_AT) ? Optional.of(fetch(item)) : Optional.empty(),
        optionalTime(item, SETTLED_AT));
  }

  /** Returns how often the page failed in the crawl that it belongs to. */
  static int attempts(Map<String, AttributeValue> item) {
    boolean ofThisCrawl =
        !item.containsKey(FAILED_IN) || text(item, FAILED_IN).equals(text(item, CRAWL));
    return ofThisCrawl ? integer(item, ATTEMPTS) : 0;
  }

  private static Remembered remembered(Map<String, AttributeValue> item) {
    boolean recordUnknown = item.containsKey(CONTENT_HASH) && !item.containsKey(RECORD);
    return new Remembered(
        recordUnknown
            ? Validators.NONE
            : new Validators(text(item, ETAG), text(item, LAST_MODIFIED)),
        text(item, CONTENT_HASH),
        text(item, OUTLINKS),
        text(item, RULES),
        Optional.of(text(item, RECORD)).filter(id -> !id.isEmpty()).map(RecordId::new),
        textSet(item, LOST).stream().map(RecordId::new).collect(Collectors.toSet()));
  }

  private static Fetch fetch(Map<String, AttributeValue> item) {
    return new Fetch(
        integer(item, STATUS),
        number(item, BYTES),
        time(item, FETCHED_AT),
        Duration.ofMillis(number(item, TOOK)));
  }

  private static Optional<Instant> optionalTime(Map<String, AttributeValue> item, String name) {
    return item.containsKey(name) ? Optional.of(time(item, name)) : Optional.empty();
  }
}
