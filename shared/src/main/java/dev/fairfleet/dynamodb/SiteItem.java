package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.integer;
import static dev.fairfleet.dynamodb.Attributes.map;
import static dev.fairfleet.dynamodb.Attributes.text;
import static dev.fairfleet.dynamodb.Attributes.texts;
import static dev.fairfleet.dynamodb.Attributes.value;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LinkPolicy;
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
 * {@code hosts} (lists of texts), {@code scope}, {@code limits}, {@code extraction} and {@code
 * discovery} (maps); where it stands, {@code state, reason, crawl, started}; the lease of whoever
 * starts its crawl, {@code leaseUntil} (milliseconds) and {@code leaseToken}.
 *
 * <p>An item of an older version has neither {@code scope} nor {@code discovery}, nor the trap
 * limits in {@code limits}; it gets their defaults.
 */
final class SiteItem {
  static final String SITE_ID = "siteId";
  static final String ROOTS = "roots";
  static final String HOSTS = "hosts";
  static final String SCOPE = "scope";
  static final String LIMITS = "limits";
  static final String EXTRACTION = "extraction";
  static final String DISCOVERY = "discovery";
  static final String STATE = "state";
  static final String REASON = "reason";
  static final String CRAWL = "crawl";
  static final String STARTED = "started";
  static final String LEASE_UNTIL = "leaseUntil";
  static final String LEASE_TOKEN = "leaseToken";

  private SiteItem() {}

  static Map<String, AttributeValue> key(SiteId id) {
    return Map.of(SITE_ID, value(id.value()));
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
            sitemaps(map(item, DISCOVERY))),
        SiteState.valueOf(text(item, STATE)),
        text(item, REASON),
        Optional.of(text(item, CRAWL)).filter(crawl -> !crawl.isEmpty()).map(CrawlId::new),
        isTrue(item, STARTED));
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
