package dev.fairfleet.worker;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Fetch;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.PageBudget;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.queue.Delivery;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger log = LoggerFactory.getLogger(PageWork.class);

  private final PageFetcher fetcher;
  private final PageParser parser;
  private final ScopePolicy scope;
  private final PageBudget budget;
  private final Frontier frontier;
  private final RecordStore records;
  private final TaskQueue queue;
  private final Scheduling scheduling;
  private final Gate gate;
  private final ServedReport served;
  private final RetryPolicy retries;
  private final Supplier<AttemptToken> tokens;
  private final Meters meters;
  private final InstantSource clock;
  private final RandomGenerator random;

  /** Uses the ports without closing any. */
  PageWork(
      PageFetcher fetcher,
      PageParser parser,
      ScopePolicy scope,
      PageBudget budget,
      Frontier frontier,
      RecordStore records,
      TaskQueue queue,
      Scheduling scheduling,
      Gate gate,
      ServedReport served,
      RetryPolicy retries,
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
    this.scheduling = scheduling;
    this.gate = gate;
    this.served = served;
    this.retries = retries;
    this.tokens = tokens;
    this.meters = meters;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Works on a page to its end: settled and deleted, or put back for another attempt.
   *
   * @param beforeRequest runs just before the request is written
   * @throws RuntimeException if a store or the queue failed, the thread was interrupted, or {@code
   *     beforeRequest} threw; the delivery is still the caller's
   */
  void work(Delivery delivery, Page page, Site site, Runnable beforeRequest) {
    Instant at = clock.instant();
    FetchOutcome outcome =
        fetcher.fetch(
            page.url(),
            page.validators(),
            () -> {
              beforeRequest.run();
              meters.add(Meter.FETCH_STARTED);
              served.add(site.id());
            });
    switch (outcome) {
      case FetchOutcome.Fetched fetched -> fetched(delivery, site, fetched, at);
      case FetchOutcome.NotModified notModified -> {
        meters.add(Meter.FETCH_NOT_MODIFIED);
        settle(
            delivery,
            site,
            new Settlement(
                PageState.DONE,
                "not modified",
                notModified.validators(),
                "",
                exchange(outcome, 0, at)));
      }
      case FetchOutcome.Redirected redirected -> redirected(delivery, site, redirected, at);
      case FetchOutcome.Gone gone ->
          settle(
              delivery, site, PageState.GONE, "status " + gone.status(), exchange(outcome, 0, at));
      case FetchOutcome.Throttled throttled -> {
        // The server asks for less: that is no failure of the page.
        meters.add(Meter.FETCH_THROTTLED);
        rests(delivery, site, throttled);
      }
      case FetchOutcome.Refused refused ->
          settle(delivery, site, PageState.SKIPPED, refused.reason(), exchange(outcome, 0, at));
      case FetchOutcome.Failed failed -> {
        if (failed.kind() == FailureKind.ABORTED) {
          // This worker stops, which says nothing about the page; whoever stops it gives it back.
          throw new IllegalStateException(failed.reason());
        }
        failed(delivery, site, failed.reason());
      }
    }
  }

  private void rests(Delivery delivery, Site site, FetchOutcome.Throttled throttled) {
    Duration rest =
        gate.coolDown(site.id(), GateLimits.of(site.limits()), throttled.retryAfter())
            .orElse(PolitenessPolicy.FIRST_COOL_DOWN);
    log.info(
        "{} asked for less (status {}), and rests for {}", site.id(), throttled.status(), rest);
    scheduling.rests(delivery, site, rest);
  }

  /**
   * Settles a page that may not be fetched.
   *
   * @param rule the rule that decided, and what it found
   * @throws RuntimeException if the store failed; the delivery is still the caller's
   */
  void skip(Delivery delivery, Site site, String rule) {
    settle(delivery, site, Settlement.skipped(rule));
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
      failed(delivery, site, "cannot be parsed: " + e);
      return;
    }
    List<CrawlUrl> links = follow(delivery, site, task.depth().next(), parsed.links());
    parsed.record().ifPresent(this::store);
    settle(
        delivery,
        site,
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
    settle(delivery, site, PageState.DONE, reason, exchange(redirected, 0, at));
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
    scheduling.follow(task, site, depth, links);
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

  private void failed(Delivery delivery, Site site, String reason) {
    meters.add(Meter.FETCH_FAILED);
    int attempts = frontier.countFailure(delivery.task(), reason, tokens.get(), clock.instant());
    switch (retries.afterFailure(attempts, random)) {
      case RetryDecision.Retry retry -> scheduling.again(delivery, retry.after());
      case RetryDecision.GiveUp giveUp ->
          settle(
              delivery,
              site,
              PageState.FAILED,
              reason + " (" + attempts + " attempts)",
              Optional.empty());
    }
  }

  private void settle(
      Delivery delivery, Site site, PageState state, String reason, Optional<Fetch> exchange) {
    settle(delivery, site, new Settlement(state, reason, Validators.NONE, "", exchange));
  }

  private void settle(Delivery delivery, Site site, Settlement settlement) {
    if (frontier.settle(delivery.task(), settlement, tokens.get(), clock.instant())) {
      meters.add(
          switch (settlement.state()) {
            case DONE -> Meter.PAGE_DONE;
            case GONE -> Meter.PAGE_GONE;
            case FAILED -> Meter.PAGE_FAILED;
            case SKIPPED, SHELVED, QUEUED -> Meter.PAGE_SKIPPED;
          });
    }
    scheduling.settled(delivery.task(), site);
    queue.delete(delivery.lease());
  }
}
