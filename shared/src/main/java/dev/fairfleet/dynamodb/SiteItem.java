package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.integer;
import static dev.fairfleet.dynamodb.Attributes.map;
import static dev.fairfleet.dynamodb.Attributes.number;
import static dev.fairfleet.dynamodb.Attributes.text;
import static dev.fairfleet.dynamodb.Attributes.texts;
import static dev.fairfleet.dynamodb.Attributes.time;
import static dev.fairfleet.dynamodb.Attributes.value;

import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LinkPolicy;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SitemapPolicy;
import dev.fairfleet.site.TrapLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.url.IgnoredParameters;
import dev.fairfleet.url.UrlPattern;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The form of a site in the table {@code sites}: key {@code siteId}; what it is, {@code roots} and
 * {@code hosts} (lists of texts), {@code scope}, {@code limits}, {@code extraction}, {@code
 * discovery} and {@code recrawl} (maps); where it stands, {@code state, reason, since}; its newest
 * crawl, {@code crawl, mode, started, previous, interrupted} and {@code end} (a map); the newest
 * crawls that ended, {@code lastEnded} and {@code lastFull}; the lease of whoever starts its crawl,
 * {@code leaseUntil} (milliseconds) and {@code leaseToken}, and of whoever looks for its end,
 * {@code endUntil} and {@code endToken}.
 *
 * <p>An item of an older version has neither {@code scope} nor {@code discovery} nor {@code
 * recrawl}, nor the trap limits in {@code limits}; it gets their defaults. Its crawl has no {@code
 * mode} and never ended: it is read as a full one that goes on, so that somebody looks for its end,
 * after which the site becomes due again.
 */
final class SiteItem {
  static final String SITE_ID = "siteId";
  static final String ROOTS = "roots";
  static final String HOSTS = "hosts";
  static final String SCOPE = "scope";
  static final String LIMITS = "limits";
  static final String EXTRACTION = "extraction";
  static final String DISCOVERY = "discovery";
  static final String RECRAWL = "recrawl";
  static final String STATE = "state";
  static final String REASON = "reason";
  static final String SINCE = "since";
  static final String CRAWL = "crawl";
  static final String MODE = "mode";
  static final String STARTED = "started";
  static final String PREVIOUS = "previous";
  static final String INTERRUPTED = "interrupted";
  static final String END = "end";
  static final String LAST_ENDED = "lastEnded";
  static final String LAST_FULL = "lastFull";
  static final String LEASE_UNTIL = "leaseUntil";
  static final String LEASE_TOKEN = "leaseToken";
  static final String END_UNTIL = "endUntil";
  static final String END_TOKEN = "endToken";

  private SiteItem() {}

  static Map<String, AttributeValue> key(SiteId id) {
    return Map.of(SITE_ID, value(id.value()));
  }

  /** Returns what a site is, without its key and without where it stands. */
  static Map<String, AttributeValue> attributes(Site site) {
    return Map.of(
        ROOTS, roots(site),
        HOSTS, hosts(site),
        SCOPE, scope(site.scope()),
        LIMITS, limits(site.limits()),
        EXTRACTION, extraction(site.extraction()),
        DISCOVERY, discovery(site),
        RECRAWL, recrawl(site.recrawl()));
  }

  /** Returns the whole item of a site that is new. */
  static Map<String, AttributeValue> ofNew(Site site) {
    Map<String, AttributeValue> item = new HashMap<>(attributes(site));
    item.putAll(key(site.id()));
    item.put(STATE, value(SiteState.ACTIVE.name()));
    item.put(ItemVersion.ATTRIBUTE, value(ItemVersion.CURRENT));
    return item;
  }

  private static AttributeValue recrawl(RecrawlPolicy policy) {
    return AttributeValue.fromM(
        Map.of(
            "mode", value(policy.mode().name()),
            "every", value(policy.every().toString()),
            "fullEvery", value(policy.fullEvery().toString()),
            "lateness", value(policy.lateness().toString())));
  }

  static AttributeValue end(CrawlEnd end) {
    return AttributeValue.fromM(
        Map.of(
            "at", value(end.at()),
            "done", value(end.done()),
            "gone", value(end.gone()),
            "failed", value(end.failed()),
            "skipped", value(end.skipped()),
            "tombstones", value(end.tombstones()),
            "complete", AttributeValue.fromBool(end.complete()),
            "remark", value(end.remark())));
  }

  static AttributeValue roots(Site site) {
    return value(site.roots().stream().map(CrawlUrl::toString).toList());
  }

  static AttributeValue hosts(Site site) {
    return value(site.scope().hosts().stream().map(HostKey::toString).sorted().toList());
  }

  static AttributeValue scope(Scope scope) {
    return AttributeValue.fromM(
        Map.of(
            "subdomains", AttributeValue.fromBool(scope.subdomains()),
            "include", value(scope.include().stream().map(UrlPattern::text).toList()),
            "exclude", value(scope.exclude().stream().map(UrlPattern::text).toList()),
            "ignored", value(scope.ignored().names().stream().sorted().toList())));
  }

  static AttributeValue limits(SiteLimits limits) {
    TrapLimits traps = limits.traps();
    return AttributeValue.fromM(
        Map.of(
            "requestsPerHour", value(limits.requestsPerHour()),
            "minDelay", value(limits.minDelay().toString()),
            "maxDepth", value(limits.maxDepth()),
            "maxPages", value(limits.maxPages()),
            "maxUrlLength", value(traps.urlLength()),
            "maxParameters", value(traps.parameters()),
            "maxPathSegments", value(traps.pathSegments()),
            "maxRepeatedSegments", value(traps.repeatedSegments()),
            "calendarYears", value(traps.yearsAhead())));
  }

  static AttributeValue discovery(Site site) {
    return AttributeValue.fromM(
        Map.of(
            "skipRel", value(site.links().skippedRels().stream().sorted().toList()),
            "useRobotsSitemaps", AttributeValue.fromBool(site.sitemaps().fromRobots()),
            "sitemaps", value(site.sitemaps().listed().stream().map(CrawlUrl::toString).toList())));
  }

  static AttributeValue extraction(ExtractionRules rules) {
    Map<String, AttributeValue> values = new HashMap<>();
    values.put("fields", value(rules.fields()));
    rules.naturalKey().ifPresent(name -> values.put("naturalKey", value(name)));
    values.put("volatileFields", value(rules.volatileFields().stream().sorted().toList()));
    return AttributeValue.fromM(values);
  }

  /**
   * Reads an item.
   *
   * @throws RuntimeException if it is no site
   */
  static SiteStatus status(Map<String, AttributeValue> item) {
    List<CrawlUrl> roots = texts(item, ROOTS).stream().map(CrawlUrl::of).toList();
    Set<HostKey> hosts =
        texts(item, HOSTS).stream().map(SiteItem::hostKey).collect(Collectors.toSet());
    return new SiteStatus(
        new Site(
            new SiteId(text(item, SITE_ID)),
            roots,
            scope(hosts, map(item, SCOPE)),
            limits(map(item, LIMITS)),
            extraction(map(item, EXTRACTION)),
            links(map(item, DISCOVERY)),
            sitemaps(map(item, DISCOVERY)),
            recrawl(map(item, RECRAWL))),
        SiteState.valueOf(text(item, STATE)),
        text(item, REASON),
        item.containsKey(SINCE) ? Optional.of(time(item, SINCE)) : Optional.empty(),
        crawl(item, CRAWL).map(crawl -> run(crawl, item)),
        crawl(item, LAST_ENDED),
        crawl(item, LAST_FULL));
  }

  private static Optional<CrawlId> crawl(Map<String, AttributeValue> item, String name) {
    return Optional.of(text(item, name)).filter(crawl -> !crawl.isEmpty()).map(CrawlId::new);
  }

  private static CrawlRun run(CrawlId crawl, Map<String, AttributeValue> item) {
    return new CrawlRun(
        crawl,
        mode(item),
        isTrue(item, STARTED),
        crawl(item, PREVIOUS),
        isTrue(item, INTERRUPTED),
        item.containsKey(END) ? Optional.of(end(map(item, END))) : Optional.empty());
  }

  private static CrawlMode mode(Map<String, AttributeValue> values) {
    String mode = text(values, MODE);
    return mode.isEmpty() ? CrawlMode.FULL : CrawlMode.valueOf(mode);
  }

  private static CrawlEnd end(Map<String, AttributeValue> values) {
    return new CrawlEnd(
        time(values, "at"),
        number(values, "done"),
        number(values, "gone"),
        number(values, "failed"),
        number(values, "skipped"),
        number(values, "tombstones"),
        isTrue(values, "complete"),
        text(values, "remark"));
  }

  private static RecrawlPolicy recrawl(Map<String, AttributeValue> values) {
    return values.isEmpty()
        ? RecrawlPolicy.DEFAULT
        : new RecrawlPolicy(
            mode(values),
            Duration.parse(text(values, "every")),
            Duration.parse(text(values, "fullEvery")),
            Duration.parse(text(values, "lateness")));
  }

  private static HostKey hostKey(String text) {
    int colon = text.lastIndexOf(':');
    return new HostKey(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  private static Scope scope(Set<HostKey> hosts, Map<String, AttributeValue> values) {
    if (values.isEmpty()) {
      return new Scope(hosts);
    }
    return new Scope(
        hosts,
        isTrue(values, "subdomains"),
        texts(values, "include").stream().map(UrlPattern::new).toList(),
        texts(values, "exclude").stream().map(UrlPattern::new).toList(),
        new IgnoredParameters(Set.copyOf(texts(values, "ignored"))));
  }

  private static SiteLimits limits(Map<String, AttributeValue> values) {
    return new SiteLimits(
        integer(values, "requestsPerHour"),
        Duration.parse(text(values, "minDelay")),
        integer(values, "maxDepth"),
        integer(values, "maxPages"),
        traps(values));
  }

  private static TrapLimits traps(Map<String, AttributeValue> values) {
    if (!values.containsKey("maxUrlLength")) {
      return TrapLimits.DEFAULT;
    }
    return new TrapLimits(
        integer(values, "maxUrlLength"),
        integer(values, "maxParameters"),
        integer(values, "maxPathSegments"),
        integer(values, "maxRepeatedSegments"),
        integer(values, "calendarYears"));
  }

  private static LinkPolicy links(Map<String, AttributeValue> values) {
    return values.isEmpty()
        ? LinkPolicy.DEFAULT
        : new LinkPolicy(Set.copyOf(texts(values, "skipRel")));
  }

  private static SitemapPolicy sitemaps(Map<String, AttributeValue> values) {
    return values.isEmpty()
        ? SitemapPolicy.DEFAULT
        : new SitemapPolicy(
            isTrue(values, "useRobotsSitemaps"),
            texts(values, "sitemaps").stream().map(CrawlUrl::of).toList());
  }

  private static boolean isTrue(Map<String, AttributeValue> values, String name) {
    AttributeValue value = values.get(name);
    return value != null && Boolean.TRUE.equals(value.bool());
  }

  private static ExtractionRules extraction(Map<String, AttributeValue> values) {
    return new ExtractionRules(
        Attributes.textMap(values, "fields"),
        Optional.of(text(values, "naturalKey")).filter(name -> !name.isEmpty()),
        Set.copyOf(texts(values, "volatileFields")));
  }
}
