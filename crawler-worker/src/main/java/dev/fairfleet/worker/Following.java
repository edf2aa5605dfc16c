package dev.fairfleet.worker;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.politeness.PageBudget;
import dev.fairfleet.robots.RobotsAnswer;
import dev.fairfleet.scope.ScopeDecision;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.robots.Robots;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
  private static final String OTHER_HOST = "host";
  private static final Set<String> ONLY_COUNTED = Set.of(OTHER_HOST, "depth");
  private static final String PAGE_LIMIT = "page limit";

  private final ScopePolicy scope;
  private final Robots robots;
  private final PageBudget budget;
  private final Frontier frontier;
  private final Scheduling scheduling;
  private final Meters meters;
  private final InstantSource clock;

  Following(
      ScopePolicy scope,
      Robots robots,
      PageBudget budget,
      Frontier frontier,
      Scheduling scheduling,
      Meters meters,
      InstantSource clock) {
    this.scope = scope;
    this.robots = robots;
    this.budget = budget;
    this.frontier = frontier;
    this.scheduling = scheduling;
    this.meters = meters;
    this.clock = clock;
  }

  /** Returns the URL by which the frontier knows what {@code url} leads to. */
  static CrawlUrl identity(Site site, CrawlUrl url) {
    return site.scope().ignored().apply(url);
  }

  /**
   * Returns the rule by which {@code url} may not be crawled, or nothing if it may, as far as that
   * is known without asking for a robots.txt.
   */
  Optional<String> refusal(Site site, CrawlUrl url, CrawlDepth depth) {
    ScopeDecision decision = scope.decide(site, url, depth, clock.instant());
    return decision instanceof ScopeDecision.Refused refused
        ? Optional.of(refused.rule())
        : barred(url);
  }

  private Optional<String> barred(CrawlUrl url) {
    return robots
        .known(url)
        .map(rules -> rules.check(url))
        .filter(RobotsAnswer.Barred.class::isInstance)
        .map(answer -> "robots: " + ((RobotsAnswer.Barred) answer).rule());
  }

  /** A sitemap need not look like the pages of the site, but must lie on its hosts. */
  private Optional<String> refusalOfSitemap(Site site, CrawlUrl url) {
    return site.scope().contains(url.hostKey())
        ? barred(url)
        : Optional.of(OTHER_HOST + ": " + url.hostKey() + " is none of the site's hosts");
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
      Optional<String> refusal =
          found.kind() == PageKind.SITEMAP
              ? refusalOfSitemap(site, url)
              : refusal(site, url, found.depth());
      refusal.ifPresentOrElse(rule -> refused.put(url, rule), () -> admitted.add(url));
    }
    record(found, refused);
    List<CrawlUrl> within = withinBudget(found, site, admitted);
    if (!within.isEmpty()) {
      scheduling.follow(found, site, within);
    }
    meters.add(Meter.LINK_REFUSED, refused.size());
    return summary(refused, admitted.size() - within.size());
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

  private List<CrawlUrl> withinBudget(Discovery found, Site site, List<CrawlUrl> urls) {
    boolean counts = found.kind() == PageKind.PAGE && found.hops() == 0;
    if (!site.limits().hasPageLimit() || !counts || urls.isEmpty()) {
      return urls;
    }
    // The site's roots count as pages, and first.
    Set<CrawlUrl> asked = new LinkedHashSet<>(site.roots());
    asked.addAll(urls);
    Set<CrawlUrl> admitted =
        new HashSet<>(
            budget.admit(site.id(), found.crawl(), List.copyOf(asked), site.limits().maxPages()));
    List<CrawlUrl> within = urls.stream().filter(admitted::contains).toList();
    meters.add(Meter.PAGE_OVER_BUDGET, urls.size() - within.size());
    return within;
  }

  private static String summary(Map<CrawlUrl, String> refused, int overBudget) {
    Map<String, Integer> byRule = new TreeMap<>();
    refused.values().forEach(rule -> byRule.merge(name(rule), 1, Integer::sum));
    // Nearly every page links to other hosts.
    byRule.remove(OTHER_HOST);
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
