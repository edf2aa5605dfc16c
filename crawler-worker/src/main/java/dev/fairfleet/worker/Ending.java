package dev.fairfleet.worker;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.EndPolicy;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether a crawl has ended. If so, what it found deleted gets a tombstone, and the site is
 * told what the crawl came to; if not, what holds it up is mended.
 *
 * <p>Reads every page of the site once, and three times more if something may have been deleted: a
 * fifth of a read unit a page each time, because pages are small and read in sequence. Every step
 * may be repeated, so whoever is killed half-way is followed by one who begins anew. Safe for use
 * by many threads; throws what a store throws.
 */
final class Ending {
  private static final Logger log = LoggerFactory.getLogger(Ending.class);

  /** How long a window must be empty before pages that are queued count as lost. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  // More are found the next time.
  private static final int MOST_LOST = 10_000;

  private static final int A_FEW = 100;

  private final Bounds bounds;
  private final SiteStore sites;
  private final Frontier frontier;
  private final TaskQueue queue;
  private final SiteWindow windows;
  private final Refill refill;
  private final Deletions deletions;
  private final EndPolicy policy;
  private final boolean keepsWindows;
  private final Meters meters;
  private final InstantSource clock;

  /**
   * Uses the ports without closing any.
   *
   * @param keepsWindows whether every task in SQS is inside its site's window
   */
  Ending(
      Bounds bounds,
      SiteStore sites,
      Frontier frontier,
      TaskQueue queue,
      SiteWindow windows,
      Refill refill,
      Deletions deletions,
      EndPolicy policy,
      boolean keepsWindows,
      Meters meters,
      InstantSource clock) {
    this.bounds = bounds;
    this.sites = sites;
    this.frontier = frontier;
    this.queue = queue;
    this.windows = windows;
    this.refill = refill;
    this.deletions = deletions;
    this.policy = policy;
    this.keepsWindows = keepsWindows;
    this.meters = meters;
    this.clock = clock;
  }

  /** Looks whether the crawl of a task of kind END has ended. */
  void look(Task task) {
    Optional<SiteStatus> status =
        sites.find(task.site()).filter(it -> it.state() == SiteState.ACTIVE);
    Optional<CrawlRun> run =
        status
            .flatMap(it -> it.runOf(task.crawl()))
            .filter(it -> it.started() && it.end().isEmpty());
    if (status.isPresent() && run.isPresent()) {
      look(status.get().site(), run.get());
    }
  }

  private void look(Site site, CrawlRun run) {
    if (isUnderWay(site)) {
      return;
    }
    Count count = new Count(run.id());
    frontier.forEachPage(site.id(), count::add);
    if (isUnderWay(site)) {
      // Pages may have been found behind the reader's back.
      return;
    }
    boolean left = keepsWindows && run.walksKnownPages() && count.unasked > 0;
    boolean unasked = left && mayBeAsked(site, run.id(), count.someUnasked);
    EndPolicy.Tally tally = count.tally(left && !unasked ? site.limits().maxPages() : 0);
    boolean nothing = tally.pages() + count.unfinished == 0;
    boolean rootsSent = (nothing || unasked) && sendRoots(site, run.id());
    if (count.unfinished > 0 || unasked || rootsSent) {
      mend(site, run.id(), count, unasked);
      return;
    }
    EndPolicy.Verdict verdict = policy.judge(run, site.limits(), tally);
    Deletions.Outcome outcome = new Deletions.Outcome(0, 0);
    if (verdict.complete()) {
      outcome =
          deletions.run(site.id(), count.ifComplete, count.inDoubtIfComplete, policy.mostGone());
      verdict = outcome.withheld() > 0 ? policy.tooMany(outcome.withheld()) : verdict;
    }
    if (verdict.trusted() && !verdict.complete()) {
      outcome = deletions.run(site.id(), count.inAnyCase, count.inDoubtInAnyCase, 1);
    }
    sites.crawlEnded(
        site.id(),
        run.id(),
        new CrawlEnd(
            clock.instant(),
            tally.done(),
            tally.gone(),
            tally.failed(),
            tally.skipped(),
            outcome.deleted(),
            verdict.complete(),
            verdict.remark()));
    // After the end is told: before, whoever begins anew would not count the same tombstones.
    if (verdict.trusted()) {
      forget(site, verdict.complete(), count);
    }
    meters.add(Meter.CRAWL_ENDED);
    log.info(
        "Crawl {} of {} ended: {}, {} tombstones", run.id(), site.id(), tally, outcome.deleted());
  }

  private void forget(Site site, boolean complete, Count count) {
    if (complete && count.inDoubtIfComplete > 0) {
      deletions.forget(site.id(), count.ifComplete);
    } else if (!complete && count.inDoubtInAnyCase > 0) {
      deletions.forget(site.id(), count.inAnyCase);
    }
  }

  /** Tells whether pages that nobody asked for are not just beyond the site's page limit. */
  private boolean mayBeAsked(Site site, CrawlId crawl, List<Page> unasked) {
    List<CrawlUrl> counted = unasked.stream().filter(KnownPages::counts).map(Page::url).toList();
    return counted.size() < unasked.size() || !bounds.withinBudget(site, crawl, counted).isEmpty();
  }

  /**
   * Sends the roots that only earlier crawls know: their tasks were lost, and no claim tells of
   * them. Returns whether there are any.
   */
  private boolean sendRoots(Site site, CrawlId crawl) {
    List<UrlHash> roots = site.roots().stream().map(CrawlUrl::hash).toList();
    List<Dispatch> sent =
        frontier.find(site.id(), roots).stream()
            .filter(page -> page.crawl().compareTo(crawl) < 0)
            .flatMap(page -> frontier.renew(page.recalled(crawl)).stream())
            .map(task -> new Dispatch(task, Priority.HIGH, Duration.ZERO))
            .toList();
    queue.send(sent);
    return !sent.isEmpty();
  }

  /** Tells whether some task is in SQS, which will end, or be overdue. */
  private boolean isUnderWay(Site site) {
    return windows.leave(site.id(), List.of()).inside() > 0;
  }

  private void mend(Site site, CrawlId crawl, Count count, boolean unasked) {
    if (!keepsWindows) {
      return;
    }
    if (unasked) {
      windows.walkedTo(site.id(), crawl, "");
    }
    List<Page> lost =
        windows.inspect(site.id()).emptyFor().compareTo(PATIENCE) >= 0 ? count.queued : List.of();
    boolean waiting = unasked || count.unfinished > count.queued.size() || !lost.isEmpty();
    if (waiting && refill.isNeeded(site, refill.shelve(site, lost))) {
      refill.run(site, crawl);
    }
  }

  /** Counts the pages of a crawl. */
  private static final class Count {
    private final CrawlId crawl;
    private final Deletions.Evidence ifComplete;
    private final Deletions.Evidence inAnyCase;
    private final List<Page> queued = new ArrayList<>();
    private long done;
    private long gone;
    private long failed;
    private long skipped;
    private long barred;
    private long counted;
    private long unfinished;
    private long unasked;
    private final List<Page> someUnasked = new ArrayList<>();
    private long inDoubtIfComplete;
    private long inDoubtInAnyCase;

    Count(CrawlId crawl) {
      this.crawl = crawl;
      this.ifComplete = new Deletions.Evidence(crawl, true);
      this.inAnyCase = new Deletions.Evidence(crawl, false);
    }

    void add(Page page) {
      inDoubtIfComplete += ifComplete.against(page).size();
      inDoubtInAnyCase += inAnyCase.against(page).size();
      if (!page.crawl().equals(crawl)) {
        if (!KnownPages.isLongGone(page)) {
          unasked++;
          if (someUnasked.size() < A_FEW) {
            someUnasked.add(page);
          }
        }
        return;
      }
      counted += KnownPages.counts(page) ? 1 : 0;
      switch (page.state()) {
        case DONE -> done++;
        case GONE -> gone++;
        case FAILED -> failed++;
        case SKIPPED -> {
          skipped++;
          boolean shownBefore = page.remembered().record().isPresent();
          barred += shownBefore && Bounds.isBarred(page.reason()) ? 1 : 0;
        }
        case SHELVED, QUEUED -> {
          unfinished++;
          if (page.state() == PageState.QUEUED && queued.size() < MOST_LOST) {
            queued.add(page);
          }
        }
      }
    }

    /**
     * @param admitted pages that the site's limit has counted, where that is known to be more
     */
    EndPolicy.Tally tally(long admitted) {
      return new EndPolicy.Tally(done, gone, failed, skipped, barred, Math.max(counted, admitted));
    }
  }
}
