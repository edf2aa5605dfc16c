package dev.fairfleet.worker;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.politeness.PageBudget;
import dev.fairfleet.robots.RobotsAnswer;
import dev.fairfleet.scope.ScopeDecision;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.robots.Robots;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What belongs to a crawl: the site's scope, robots.txt as far as it is known, and the page limit.
 * Safe for use by many threads.
 */
final class Bounds {
  /** The name of the rule that refuses other hosts. */
  static final String OTHER_HOST = "host";

  private static final String ROBOTS = "robots: ";

  private final ScopePolicy scope;
  private final Robots robots;
  private final PageBudget budget;
  private final InstantSource clock;

  Bounds(ScopePolicy scope, Robots robots, PageBudget budget, InstantSource clock) {
    this.scope = scope;
    this.robots = robots;
    this.budget = budget;
    this.clock = clock;
  }

  /**
   * Returns the rule by which {@code url} may not be crawled, or nothing if it may, as far as that
   * is known without asking for a robots.txt.
   */
  Optional<String> refusal(Site site, CrawlUrl url, CrawlDepth depth, PageKind kind) {
    return switch (kind) {
      case PAGE -> refusalOfPage(site, url, depth);
      case SITEMAP -> refusalOfSitemap(site, url);
    };
  }

  private Optional<String> refusalOfPage(Site site, CrawlUrl url, CrawlDepth depth) {
    ScopeDecision decision = scope.decide(site, url, depth, clock.instant());
    return decision instanceof ScopeDecision.Refused refused
        ? Optional.of(refused.rule())
        : barred(url);
  }

  /** A sitemap need not look like the pages of the site, but must lie on its hosts. */
  private Optional<String> refusalOfSitemap(Site site, CrawlUrl url) {
    return site.scope().contains(url.hostKey())
        ? barred(url)
        : Optional.of(OTHER_HOST + ": " + url.hostKey() + " is none of the site's hosts");
  }

  private Optional<String> barred(CrawlUrl url) {
    return robots
        .known(url)
        .map(rules -> rules.check(url))
        .filter(RobotsAnswer.Barred.class::isInstance)
        .map(answer -> barredBy(((RobotsAnswer.Barred) answer).rule()));
  }

  /** Returns the reason of a page that a line of robots.txt bars. */
  static String barredBy(String rule) {
    return ROBOTS + rule;
  }

  /** Tells whether a page was skipped because robots.txt bars it. */
  static boolean isBarred(String reason) {
    return reason.startsWith(ROBOTS);
  }

  /** Returns those of some pages that the site's page limit admits to a crawl, in their order. */
  List<CrawlUrl> withinBudget(Site site, CrawlId crawl, List<CrawlUrl> urls) {
    if (!site.limits().hasPageLimit() || urls.isEmpty()) {
      return urls;
    }
    // The site's roots count as pages, and first.
    Set<CrawlUrl> asked = new LinkedHashSet<>(site.roots());
    asked.addAll(urls);
    Set<CrawlUrl> admitted =
        new HashSet<>(budget.admit(site.id(), crawl, List.copyOf(asked), site.limits().maxPages()));
    return urls.stream().filter(admitted::contains).toList();
  }
}
