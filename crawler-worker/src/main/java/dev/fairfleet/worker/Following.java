package dev.fairfleet.worker;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.record.Hashes;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.LastmodPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.url.UrlPattern;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.parse.SitemapEntry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which of the URLs that a page leads to belong to the crawl, sees to it that those are
 * sent, and records of the others which rule refused them. Safe for use by many threads.
 *
 * <p>A refusal is recorded in the frontier unless it is no property of the URL in this crawl: other
 * hosts, a depth that another way may undercut, and a page limit are only counted. So is what
 * exceeds {@value #MOST_RECORDED} refusals of one page, lest a trap fill the frontier.
 */
final class Following {
  private static final int MOST_RECORDED = 50;
  private static final Set<String> ONLY_COUNTED = Set.of(Bounds.OTHER_HOST, "depth");
  private static final String PAGE_LIMIT = "page limit";

  private final Bounds bounds;
  private final LastmodPolicy lastmod;
  private final SiteCache sites;
  private final boolean walks;
  private final Frontier frontier;
  private final Scheduling scheduling;
  private final Meters meters;
  private final InstantSource clock;

  /**
   * @param walks whether known pages are asked for without a link to them
   */
  Following(
      Bounds bounds,
      LastmodPolicy lastmod,
      SiteCache sites,
      boolean walks,
      Frontier frontier,
      Scheduling scheduling,
      Meters meters,
      InstantSource clock) {
    this.bounds = bounds;
    this.lastmod = lastmod;
    this.sites = sites;
    this.walks = walks;
    this.frontier = frontier;
    this.scheduling = scheduling;
    this.meters = meters;
    this.clock = clock;
  }

  /** Returns the URL by which the frontier knows what {@code url} leads to. */
  static CrawlUrl identity(Site site, CrawlUrl url) {
    return site.scope().ignored().apply(url);
  }

  /** Returns a hash of all of a site's rules that decide which links are followed. */
  static String rules(Site site) {
    Scope scope = site.scope();
    SiteLimits limits = site.limits();
    return Hashes.hex128(
        Stream.of(
                scope.hosts().stream().map(HostKey::toString).sorted().toList(),
                scope.subdomains(),
                scope.include().stream().map(UrlPattern::text).toList(),
                scope.exclude().stream().map(UrlPattern::text).toList(),
                scope.ignored().names().stream().sorted().toList(),
                limits.maxDepth(),
                limits.traps(),
                site.links().skippedRels().stream().sorted().toList())
            .map(Object::toString)
            .collect(Collectors.joining("\n")));
  }

  /** Returns which of the known pages that a page leads to are crawled again for that. */
  Discovery.Again again(Page page) {
    return seesToKnownPages(page) ? Discovery.Again.NONE : Discovery.Again.ALL;
  }

  /**
   * Returns which of the known sitemaps that a root or an index leads to are read again for that: a
   * crawl that does not walk known pages must read them to learn what changed.
   */
  Discovery.Again againForSitemaps(Page page) {
    return run(page).filter(run -> walks && run.walksKnownPages()).isPresent()
        ? Discovery.Again.NONE
        : Discovery.Again.ALL;
  }

  /** Tells whether known pages are asked for, or left out, without regard to links to them. */
  boolean seesToKnownPages(Page page) {
    return run(page)
        .filter(run -> run.mode() == CrawlMode.INCREMENTAL || (walks && run.walksKnownPages()))
        .isPresent();
  }

  private Optional<CrawlRun> run(Page page) {
    return sites.run(page.site(), page.crawl());
  }

  /**
   * Returns which of the known pages that a sitemap or feed names are crawled again for that: in an
   * incremental crawl those that may have changed since the last one.
   */
  Discovery.Again againOfSitemap(Page page, Site site, List<SitemapEntry> entries) {
    if (run(page).filter(it -> it.mode() == CrawlMode.INCREMENTAL).isEmpty()) {
      return again(page);
    }
    Optional<CrawlId> last = sites.find(page.site()).flatMap(SiteStatus::lastEnded);
    return last.isEmpty()
        ? Discovery.Again.ALL
        : changed(entries, site, site.recrawl().changedSince(last.get()))::contains;
  }

  private Set<CrawlUrl> changed(List<SitemapEntry> entries, Site site, Instant since) {
    boolean trusted =
        lastmod.isTrusted(entries.stream().flatMap(it -> it.modified().stream()).toList());
    Instant now = clock.instant();
    return entries.stream()
        .filter(it -> lastmod.mayHaveChanged(it.modified().filter(at -> trusted), since, now))
        .map(it -> identity(site, it.url()))
        .collect(Collectors.toSet());
  }

  /**
   * Returns the rule by which {@code url} may not be crawled, or nothing if it may, as far as that
   * is known without asking for a robots.txt.
   */
  Optional<String> refusal(Site site, CrawlUrl url, CrawlDepth depth) {
    return bounds.refusal(site, url, depth, PageKind.PAGE);
  }

  /**
   * Follows what a page leads to.
   *
   * <p>A site's page limit counts neither sitemaps nor what a redirect leads to.
   *
   * @return how many were refused, by the rule's name, as a text without those of other hosts;
   *     empty if there are none
   * @throws RuntimeException if a store or the queue failed; may be repeated then
   */
  String follow(Discovery found, Site site, List<CrawlUrl> urls) {
    Set<CrawlUrl> distinct = new LinkedHashSet<>();
    urls.forEach(url -> distinct.add(identity(site, url)));
    Map<CrawlUrl, String> refused = new LinkedHashMap<>();
    List<CrawlUrl> admitted = new ArrayList<>();
    for (CrawlUrl url : distinct) {
      bounds
          .refusal(site, url, found.depth(), found.kind())
          .ifPresentOrElse(rule -> refused.put(url, rule), () -> admitted.add(url));
    }
    record(found, refused);
    Admitted within = withinBudget(found, site, admitted);
    if (!within.urls().isEmpty()) {
      scheduling.follow(found, site, within.urls());
    }
    meters.add(Meter.LINK_REFUSED, refused.size());
    meters.add(Meter.PAGE_OVER_BUDGET, within.overBudget());
    return summary(refused, within.overBudget());
  }

  private void record(Discovery found, Map<CrawlUrl, String> refused) {
    Map<CrawlUrl, String> recorded =
        refused.entrySet().stream()
            .filter(refusal -> !ONLY_COUNTED.contains(name(refusal.getValue())))
            .limit(MOST_RECORDED)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    if (!recorded.isEmpty()) {
      frontier.refuse(found, recorded, clock.instant());
    }
  }

  private record Admitted(List<CrawlUrl> urls, int overBudget) {}

  private Admitted withinBudget(Discovery found, Site site, List<CrawlUrl> urls) {
    boolean counts = found.kind() == PageKind.PAGE && found.hops() == 0;
    if (!site.limits().hasPageLimit() || !counts || urls.isEmpty()) {
      return new Admitted(urls, 0);
    }
    // What is known is asked for in its own turn, or not at all, and counts then.
    List<CrawlUrl> fresh = frontier.unclaimed(found, urls);
    List<CrawlUrl> within = bounds.withinBudget(site, found.crawl(), fresh);
    return new Admitted(within, fresh.size() - within.size());
  }

  private static String summary(Map<CrawlUrl, String> refused, int overBudget) {
    Map<String, Integer> byRule = new TreeMap<>();
    refused.values().forEach(rule -> byRule.merge(name(rule), 1, Integer::sum));
    // Nearly every page links to other hosts.
    byRule.remove(Bounds.OTHER_HOST);
    if (overBudget > 0) {
      byRule.put(PAGE_LIMIT, overBudget);
    }
    return byRule.isEmpty()
        ? ""
        : byRule.entrySet().stream()
            .map(rule -> rule.getKey() + " " + rule.getValue())
            .collect(Collectors.joining(", ", "refused links: ", ""));
  }

  /** Returns what stands before the colon. */
  private static String name(String rule) {
    int colon = rule.indexOf(':');
    return colon < 0 ? rule : rule.substring(0, colon);
  }
}
