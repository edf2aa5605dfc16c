package dev.fairfleet.worker;

import dev.fairfleet.fairness.DelayPolicy;
import dev.fairfleet.fairness.Percentile;
import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Fetch;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.politeness.PageBudget;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.retry.RetryDecision;
import dev.fairfleet.retry.RetryPolicy;
import dev.fairfleet.scope.ScopeDecision;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.PageFetcher;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.parse.PageParser;
import dev.fairfleet.worker.parse.ParsedPage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Works on one admitted page: the one place that knows the order fetch → parse → claim → send →
 * record → commit → delete, and why it is harmless to die between any two of them.
 *
 * <p>Safe for use by many threads.
 */
final class PageWork {
  /*
   * Links are claimed and sent before the page is committed, so a page that is DONE has lost no link.
   * A worker that dies after the claim leaves links that are claimed by this page and unfinished;
   * whoever works on the page next is handed them again by the claim. The record is stored before the
   * commit, under a key and a content hash that repeat, so storing it twice changes nothing. The task
   * is deleted last; whoever receives it after the commit finds a settled page and drops it.
   * docs/architecture.md has the table.
   */
  private static final Duration THROTTLED_WAIT = Duration.ofSeconds(60);

  private final PageFetcher fetcher;
  private final PageParser parser;
  private final ScopePolicy scope;
  private final PageBudget budget;
  private final Frontier frontier;
  private final RecordStore records;
  private final TaskQueue queue;
  private final PutBack putBack;
  private final ServedReport served;
  private final ServedCounts counts;
  private final Policies policies;
  private final Supplier<AttemptToken> tokens;
  private final Meters meters;
  private final InstantSource clock;
  private final RandomGenerator random;

  /**
   * What decides in place of this class.
   *
   * @param highDepth deepest page that goes to the high queue
   */
  record Policies(DelayPolicy delay, RetryPolicy retry, int highDepth) {}

  PageWork(
      PageFetcher fetcher,
      PageParser parser,
      ScopePolicy scope,
      PageBudget budget,
      Frontier frontier,
      RecordStore records,
      TaskQueue queue,
      PutBack putBack,
      ServedReport served,
      ServedCounts counts,
      Policies policies,
      Supplier<AttemptToken> tokens,
      Meters meters,
      InstantSource clock,
      RandomGenerator random) {
    this.fetcher = fetcher;
    this.parser = parser;
    this.scope = scope;
    this.budget = budget;
    this.frontier = frontier;
    this.records = records;
    this.queue = queue;
    this.putBack = putBack;
    this.served = served;
    this.counts = counts;
    this.policies = policies;
    this.tokens = tokens;
    this.meters = meters;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Works on a page to its end: settled and deleted, or put back for another attempt.
   *
   * @throws RuntimeException if a store or the queue failed, or the thread was interrupted; the
   *     delivery is still the caller's
   */
  void work(Delivery delivery, Page page, Site site) {
    meters.add(Meter.FETCH_STARTED);
    served.add(site.id());
    Instant at = clock.instant();
    FetchOutcome outcome = fetcher.fetch(page.url(), page.validators());
    switch (outcome) {
      case FetchOutcome.Fetched fetched -> fetched(delivery, site, fetched, at);
      case FetchOutcome.NotModified notModified -> {
        meters.add(Meter.FETCH_NOT_MODIFIED);
        settle(
            delivery,
            new Settlement(
                PageState.DONE,
                "not modified",
                notModified.validators(),
                "",
                exchange(outcome, 0, at)));
      }
      case FetchOutcome.Redirected redirected -> redirected(delivery, site, redirected, at);
      case FetchOutcome.Gone gone ->
          settle(delivery, PageState.GONE, "status " + gone.status(), exchange(outcome, 0, at));
      case FetchOutcome.Throttled throttled -> {
        // The server asks for less: that is no failure of the page.
        meters.add(Meter.FETCH_THROTTLED);
        putBack.after(delivery, throttled.retryAfter().orElse(THROTTLED_WAIT));
      }
      case FetchOutcome.Refused refused ->
          settle(delivery, PageState.SKIPPED, refused.reason(), exchange(outcome, 0, at));
      case FetchOutcome.Failed failed -> {
        if (failed.kind() == FailureKind.ABORTED) {
          // This worker stops, which says nothing about the page; whoever stops it gives it back.
          throw new IllegalStateException(failed.reason());
        }
        failed(delivery, failed.reason());
      }
    }
  }

  /**
   * Settles a page that may not be fetched.
   *
   * @param rule the rule that decided, and what it found
   * @throws RuntimeException if the store failed; the delivery is still the caller's
   */
  void skip(Delivery delivery, String rule) {
    settle(delivery, Settlement.skipped(rule));
  }

  private static Optional<Fetch> exchange(FetchOutcome outcome, long bytes, Instant at) {
    return Optional.of(new Fetch(outcome.status(), bytes, at, outcome.took()));
  }

  private void fetched(Delivery delivery, Site site, FetchOutcome.Fetched fetched, Instant at) {
    Task task = delivery.task();
    meters.add(Meter.FETCH_BYTES, fetched.body().length());
    ParsedPage parsed;
    try {
      parsed = parser.parse(fetched, site, task.crawl());
    } catch (RuntimeException e) {
      failed(delivery, "cannot be parsed: " + e);
      return;
    }
    List<CrawlUrl> links = follow(delivery, site, task.depth().next(), parsed.links());
    parsed.record().ifPresent(this::store);
    settle(
        delivery,
        new Settlement(
            PageState.DONE,
            parsed.oddity(),
            // A page with links is fetched whole each time: a 304 would not tell where they lead.
            links.isEmpty() ? fetched.validators() : Validators.NONE,
            parsed.record().map(CrawlRecord::contentHash).orElse(""),
            exchange(fetched, fetched.body().length(), at)));
  }

  private void redirected(
      Delivery delivery, Site site, FetchOutcome.Redirected redirected, Instant at) {
    CrawlDepth depth = delivery.task().depth().next();
    CrawlUrl target = redirected.location();
    String reason =
        switch (scope.decide(site, target, depth)) {
          case ScopeDecision.Admitted admitted ->
              "redirect " + redirected.status() + " to " + target;
          case ScopeDecision.Refused refused ->
              "redirect to " + target + " not followed, " + refused.rule();
        };
    // Each hop is a task of its own and costs a depth, so that a chain without end has one.
    follow(delivery, site, depth, List.of(target));
    settle(delivery, PageState.DONE, reason, exchange(redirected, 0, at));
  }

  /** Claims and sends what belongs to the crawl, and returns it. */
  private List<CrawlUrl> follow(
      Delivery delivery, Site site, CrawlDepth depth, List<CrawlUrl> found) {
    Task task = delivery.task();
    List<CrawlUrl> inScope =
        found.stream()
            .filter(url -> scope.decide(site, url, depth) instanceof ScopeDecision.Admitted)
            .toList();
    List<CrawlUrl> links = inScope;
    if (site.limits().hasPageLimit() && !inScope.isEmpty()) {
      links = withinBudget(task, site, inScope);
      meters.add(Meter.PAGE_OVER_BUDGET, inScope.size() - links.size());
    }
    if (links.isEmpty()) {
      return inScope;
    }
    List<Task> claimed = frontier.claim(site.id(), task.crawl(), task.url(), depth, links);
    if (!claimed.isEmpty()) {
      meters.add(Meter.PAGE_CLAIMED, claimed.size());
      Percentile percentile = counts.percentile(site.id());
      Priority priority = Priority.of(depth, policies.highDepth());
      queue.send(
          claimed.stream()
              .map(
                  link ->
                      new Dispatch(
                          link, priority, policies.delay().forNewTask(depth, percentile, random)))
              .toList());
    }
    return inScope;
  }

  /** Returns the links that the site's page limit lets in; its roots count as pages, and first. */
  private List<CrawlUrl> withinBudget(Task task, Site site, List<CrawlUrl> links) {
    Set<CrawlUrl> asked = new LinkedHashSet<>(site.roots());
    asked.addAll(links);
    Set<CrawlUrl> admitted =
        new HashSet<>(
            budget.admit(site.id(), task.crawl(), List.copyOf(asked), site.limits().maxPages()));
    return links.stream().filter(admitted::contains).toList();
  }

  private void store(CrawlRecord record) {
    meters.add(
        switch (records.put(record, clock.instant())) {
          case CREATED -> Meter.RECORD_CREATED;
          case CHANGED -> Meter.RECORD_CHANGED;
          case UNCHANGED -> Meter.RECORD_UNCHANGED;
        });
  }

  private void failed(Delivery delivery, String reason) {
    meters.add(Meter.FETCH_FAILED);
    int attempts = frontier.countFailure(delivery.task(), reason, tokens.get(), clock.instant());
    switch (policies.retry().afterFailure(attempts, random)) {
      case RetryDecision.Retry retry -> putBack.after(delivery, retry.after());
      case RetryDecision.GiveUp giveUp ->
          settle(
              delivery,
              PageState.FAILED,
              reason + " (" + attempts + " attempts)",
              Optional.empty());
    }
  }

  private void settle(Delivery delivery, PageState state, String reason, Optional<Fetch> exchange) {
    settle(delivery, new Settlement(state, reason, Validators.NONE, "", exchange));
  }

  private void settle(Delivery delivery, Settlement settlement) {
    if (frontier.settle(delivery.task(), settlement, tokens.get(), clock.instant())) {
      meters.add(
          switch (settlement.state()) {
            case DONE -> Meter.PAGE_DONE;
            case GONE -> Meter.PAGE_GONE;
            case FAILED -> Meter.PAGE_FAILED;
            case SKIPPED, SHELVED, QUEUED -> Meter.PAGE_SKIPPED;
          });
    }
    queue.delete(delivery.lease());
  }
}
