package dev.fairfleet.worker;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Walk;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.url.CrawlUrl;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Finds the pages that a full crawl asks for because earlier crawls know them. Nothing is written
 * about a page that may be asked for. Safe for use by many threads.
 */
final class KnownPages {
  /** Where a walk is that has come to its end. */
  static final String END = "end";

  // A page that was gone in two crawls comes back by a link to it, or not at all.
  private static final int LONG_GONE = 2;

  // Together they take a few seconds at most, so that nobody takes the fill for abandoned.
  private static final int MOST_STEPS = 50;

  private final Frontier frontier;
  private final SiteCache sites;
  private final Bounds bounds;
  private final Supplier<AttemptToken> tokens;
  private final InstantSource clock;

  /** Uses the ports without closing any. */
  KnownPages(
      Frontier frontier,
      SiteCache sites,
      Bounds bounds,
      Supplier<AttemptToken> tokens,
      InstantSource clock) {
    this.frontier = frontier;
    this.sites = sites;
    this.bounds = bounds;
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * What was found.
   *
   * @param position where to go on; {@link #END} if there is no more
   */
  record Found(List<Page> pages, String position) {
    boolean isEnd() {
      return position.equals(END);
    }
  }

  /** Tells whether tasks of a site may be sent. */
  boolean isActive(Site site) {
    return sites.find(site.id()).filter(it -> it.state() == SiteState.ACTIVE).isPresent();
  }

  /** Tells whether a page that was gone that often is not asked for. */
  static boolean isLongGone(Page page) {
    return page.gone() >= LONG_GONE;
  }

  private boolean walks(Site site, CrawlId crawl) {
    return sites.run(site.id(), crawl).filter(CrawlRun::walksKnownPages).isPresent();
  }

  /**
   * Returns the next pages to ask for; those that a rule refuses today are settled with it.
   *
   * @param position as it was returned last; empty to begin
   * @param most how many pages, at least 1; fewer may come before the end
   */
  Found next(Site site, CrawlId crawl, String position, int most) {
    List<Page> found = new ArrayList<>();
    String at = walks(site, crawl) ? position : END;
    for (int step = 0; step < MOST_STEPS && !at.equals(END) && found.size() < most; step++) {
      Walk walk = frontier.walk(site.id(), crawl, at, most - found.size());
      found.addAll(admitted(site, crawl, walk.pages()));
      at = walk.next().isEmpty() ? END : walk.next();
    }
    return new Found(found, at);
  }

  private List<Page> admitted(Site site, CrawlId crawl, List<Page> pages) {
    List<Page> allowed = new ArrayList<>();
    for (Page page : pages) {
      // Roots are sent by whoever starts the crawl.
      if (isLongGone(page) || site.roots().contains(page.url())) {
        continue;
      }
      Optional<String> refusal = bounds.refusal(site, page.url(), page.depth(), page.kind());
      if (refusal.isPresent()) {
        boolean unused =
            frontier.settle(
                page.task(), Settlement.skipped(refusal.get()), tokens.get(), clock.instant());
      } else {
        allowed.add(page);
      }
    }
    Set<CrawlUrl> within =
        new HashSet<>(
            bounds.withinBudget(
                site, crawl, allowed.stream().filter(KnownPages::counts).map(Page::url).toList()));
    return allowed.stream().filter(page -> !counts(page) || within.contains(page.url())).toList();
  }

  /** Tells whether a site's page limit counts a page. */
  static boolean counts(Page page) {
    return page.kind() == PageKind.PAGE && page.hops() == 0;
  }
}
