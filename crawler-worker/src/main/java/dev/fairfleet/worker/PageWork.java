package dev.fairfleet.worker;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Fetch;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.retry.RetryDecision;
import dev.fairfleet.retry.RetryPolicy;
import dev.fairfleet.robots.RobotsAnswer;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.Cookies;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.FetchRequest;
import dev.fairfleet.worker.fetch.PageFetcher;
import dev.fairfleet.worker.fetch.Purpose;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.robots.Robots;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
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
   *
   * A redirect's target is a page of its own, claimed and sent like a link, so that of many redirects
   * to one page that page is asked once. But who is sent on with a cookie must come with it, so then
   * the same task goes on to the target, which it has claimed: nobody else is sent it, and a worker
   * that dies leaves a claim of an unfinished page behind, as above. What does not end well there is
   * sent like a link after all.
   */
  private static final Logger log = LoggerFactory.getLogger(PageWork.class);

  /**
   * Redirects in a row that are followed; browsers follow 20 (WHATWG Fetch), we are in no hurry.
   */
  static final int MOST_REDIRECTS = 10;

  // Each may take 50 MiB of memory.
  private static final int MOST_SITEMAPS = 2;

  private static final Duration LONGEST_WAIT_IN_A_CHAIN = Duration.ofSeconds(10);

  private final PageFetcher fetcher;
  private final Reading reading;
  private final Following following;
  private final Robots robots;
  private final Frontier frontier;
  private final TaskQueue queue;
  private final Scheduling scheduling;
  private final GateKeeper keeper;
  private final Breaker breaker;
  private final ServedReport served;
  private final RetryPolicy retries;
  private final Supplier<AttemptToken> tokens;
  private final Meters meters;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Semaphore sitemapsAtOnce = new Semaphore(MOST_SITEMAPS);

  /** Uses the ports without closing any. */
  PageWork(
      PageFetcher fetcher,
      Reading reading,
      Following following,
      Robots robots,
      Frontier frontier,
      TaskQueue queue,
      Scheduling scheduling,
      GateKeeper keeper,
      Breaker breaker,
      ServedReport served,
      RetryPolicy retries,
      Supplier<AttemptToken> tokens,
      Meters meters,
      InstantSource clock,
      RandomGenerator random) {
    this.fetcher = fetcher;
    this.reading = reading;
    this.following = following;
    this.robots = robots;
    this.frontier = frontier;
    this.queue = queue;
    this.scheduling = scheduling;
    this.keeper = keeper;
    this.breaker = breaker;
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
    if (page.kind() == PageKind.SITEMAP) {
      sitemapsAtOnce.acquireUninterruptibly();
    }
    Instant begun = clock.instant();
    try {
      Visit visit = new Visit(delivery, page, site);
      boolean goesOn = visit.ask(beforeRequest);
      while (goesOn) {
        goesOn = visit.askNext();
      }
    } finally {
      if (page.kind() == PageKind.SITEMAP) {
        sitemapsAtOnce.release();
      }
      breaker.worked(site.id(), Duration.between(begun, clock.instant()));
    }
  }

  /**
   * Settles a page that may not be fetched.
   *
   * @param rule the rule that decided, and what it found
   * @throws RuntimeException if the store failed; the delivery is still the caller's
   */
  void skip(Delivery delivery, Site site, String rule) {
    settle(delivery.task(), Settlement.skipped(rule));
    end(delivery, site);
  }

  private void settle(Task task, Settlement settlement) {
    if (frontier.settle(task, settlement, tokens.get(), clock.instant())) {
      meters.add(
          switch (settlement.state()) {
            case DONE -> Meter.PAGE_DONE;
            case GONE -> Meter.PAGE_GONE;
            case FAILED -> Meter.PAGE_FAILED;
            case SKIPPED, SHELVED, QUEUED -> Meter.PAGE_SKIPPED;
          });
    }
  }

  private void end(Delivery delivery, Site site) {
    scheduling.settled(delivery.task(), site);
    queue.delete(delivery.lease());
  }

  /** One task: its own page, and those that redirects with cookies lead on to. */
  private final class Visit {
    private final Delivery delivery;
    private final Site site;
    private final CrawlUrl own;
    private final Cookies cookies = Cookies.ofChain();
    private final Set<CrawlUrl> asked = new HashSet<>();
    // Pages of this task that led on, and how each ends if nothing leads back to it.
    private final Map<Page, Settlement> passed = new LinkedHashMap<>();
    private Page page;
    // As the redirect spelled it, which may hold a session's id that is no part of the page's URL.
    private CrawlUrl address;
    private Validators validators;
    private int hops;

    Visit(Delivery delivery, Page page, Site site) {
      this.delivery = delivery;
      this.site = site;
      this.own = page.url();
      this.page = page;
      this.address = page.url();
      this.hops = page.hops();
      this.validators =
          page.kind() == PageKind.PAGE ? page.remembered().validators() : Validators.NONE;
    }

    /** Asks for the page at hand; returns whether there is another to ask for. */
    boolean ask(Runnable beforeRequest) {
      Instant at = clock.instant();
      int cookieChanges = cookies.changes();
      asked.add(address);
      FetchOutcome outcome =
          fetcher.fetch(
              new FetchRequest(
                  address,
                  validators,
                  page.kind() == PageKind.SITEMAP ? Purpose.SITEMAP : Purpose.PAGE,
                  cookies),
              () -> {
                beforeRequest.run();
                meters.add(Meter.FETCH_STARTED);
                served.add(site.id());
              });
      breaker.heardOfPage(site.id(), page.url(), outcome);
      Fetch exchange = new Fetch(outcome.status(), bytes(outcome), at, outcome.took());
      return switch (outcome) {
        case FetchOutcome.Fetched fetched -> fetched(fetched, exchange);
        case FetchOutcome.NotModified notModified -> notModified(notModified, exchange);
        case FetchOutcome.Redirected redirected ->
            redirected(
                "redirect " + redirected.status(),
                redirected.location(),
                exchange,
                cookies.changes() != cookieChanges);
        case FetchOutcome.Gone gone -> settled(PageState.GONE, "status " + gone.status(), exchange);
        case FetchOutcome.Refused refused -> settled(PageState.SKIPPED, refused.reason(), exchange);
        case FetchOutcome.Throttled throttled -> throttled(throttled);
        case FetchOutcome.Failed failed -> {
          if (failed.kind() == FailureKind.ABORTED) {
            // This worker stops, which says nothing about the page; whoever stops it gives it back.
            throw new IllegalStateException(failed.reason());
          }
          yield failed(failed.reason());
        }
      };
    }

    /** Asks for a page that was led to, in its turn. */
    boolean askNext() {
      try {
        return ask(() -> keeper.awaitTurn(site, address, LONGEST_WAIT_IN_A_CHAIN));
      } catch (TurnLostException e) {
        if (isOwn()) {
          throw e;
        }
        return handOver();
      }
    }

    private boolean isOwn() {
      return page.url().equals(own);
    }

    private static long bytes(FetchOutcome outcome) {
      return outcome instanceof FetchOutcome.Fetched fetched ? fetched.body().length() : 0;
    }

    private boolean fetched(FetchOutcome.Fetched fetched, Fetch exchange) {
      meters.add(Meter.FETCH_BYTES, (double) exchange.bytes());
      Supplier<Reading.Read> parsed;
      try {
        parsed = reading.parse(page, site, fetched, exchange);
      } catch (RuntimeException e) {
        return failed("cannot be parsed: " + e);
      }
      Reading.Read read = parsed.get();
      return read.elsewhere().isPresent()
          ? redirected("refresh", read.elsewhere().get(), exchange, false)
          : settled(read.settlement());
    }

    private boolean notModified(FetchOutcome.NotModified answer, Fetch exchange) {
      meters.add(Meter.FETCH_NOT_MODIFIED);
      Optional<Settlement> settlement = reading.notModified(page, site, answer, exchange);
      if (settlement.isEmpty()) {
        validators = Validators.NONE;
        return true;
      }
      return settled(settlement.get());
    }

    private boolean redirected(String how, CrawlUrl location, Fetch exchange, boolean newCookies) {
      CrawlUrl target = Following.identity(site, location);
      String what = how + " to " + target;
      if (hops >= MOST_REDIRECTS) {
        return settled(
            PageState.SKIPPED,
            "redirects: " + MOST_REDIRECTS + " in a row led here; " + what + " is not followed",
            exchange);
      }
      boolean leadsNowhere = asked.contains(location) && !newCookies;
      if (leadsNowhere) {
        return settled(PageState.SKIPPED, "redirects: " + what + ", where it came from", exchange);
      }
      Settlement here = Reading.ledElsewhere(page, what, exchange);
      boolean sameTask = !cookies.isEmpty() || target.equals(page.url());
      Optional<String> refusal =
          target.equals(page.url())
              ? Optional.empty()
              : following.refusal(site, target, page.depth());
      if (refusal.isPresent() || !sameTask) {
        following.follow(ledFromHere(following.again(page)), site, List.of(target));
        return settled(
            refusal
                .map(rule -> Reading.ledElsewhere(page, what + " not followed, " + rule, exchange))
                .orElse(here));
      }
      return goOn(target, location, here);
    }

    /** Turns to a redirect's target; returns whether it may be asked. */
    private boolean goOn(CrawlUrl target, CrawlUrl location, Settlement here) {
      Optional<Page> next =
          Stream.concat(Stream.of(page), passed.keySet().stream())
              .filter(known -> known.url().equals(target))
              .findFirst()
              .or(() -> claim(target));
      if (next.isEmpty()) {
        return settled(here);
      }
      passed.put(page, here);
      passed.remove(next.get());
      page = next.get();
      hops++;
      address = location;
      validators = Validators.NONE;
      return isAllowed();
    }

    private Optional<Page> claim(CrawlUrl target) {
      return frontier.claim(ledFromHere(Discovery.Again.ALL), List.of(target)).stream()
          .flatMap(task -> Stream.ofNullable(frontier.read(List.of(task)).get(task)))
          .findFirst();
    }

    private boolean isAllowed() {
      RobotsAnswer answer;
      try {
        answer =
            robots
                .rulesFor(
                    address,
                    file -> keeper.awaitTurn(site, file, LONGEST_WAIT_IN_A_CHAIN),
                    (file, outcome) -> breaker.heardOfRobots(site.id(), file, outcome))
                .check(address);
      } catch (TurnLostException e) {
        return handOver();
      }
      return switch (answer) {
        case RobotsAnswer.Allowed allowed -> true;
        case RobotsAnswer.Barred barred -> settled(Settlement.skipped("robots: " + barred.rule()));
        case RobotsAnswer.Unreachable unreachable -> handOver();
      };
    }

    /** Says that the page at hand leads to something of its own kind at its own depth. */
    private Discovery ledFromHere(Discovery.Again again) {
      return new Discovery(
          page.site(),
          page.crawl(),
          page.url(),
          page.depth(),
          page.kind(),
          hops + 1,
          again,
          Map.of());
    }

    /** Sends a page that was led to like a link, because nothing came of it here. */
    private boolean handOver() {
      if (isOwn()) {
        scheduling.again(delivery, Duration.ZERO);
        return false;
      }
      following.follow(
          new Discovery(
              page.site(),
              page.crawl(),
              page.parent(),
              page.depth(),
              page.kind(),
              page.hops(),
              Discovery.Again.ALL,
              Map.of()),
          site,
          List.of(page.url()));
      settlePassed();
      end(delivery, site);
      return false;
    }

    private boolean throttled(FetchOutcome.Throttled throttled) {
      // The server asks for less: that is no failure of the page.
      meters.add(Meter.FETCH_THROTTLED);
      // "Now" from a server that asks for less is no answer to how long.
      Optional<Duration> asked = throttled.retryAfter().filter(Duration::isPositive);
      Duration rest = keeper.coolDown(site, address, asked);
      log.info(
          "{} asked for less (status {}), and rests for {}", site.id(), throttled.status(), rest);
      if (!isOwn()) {
        return handOver();
      }
      frontier.note(
          delivery.task(),
          "throttled: status " + throttled.status() + ", the site rests for " + rest);
      scheduling.rests(delivery, site, rest);
      return false;
    }

    private boolean failed(String reason) {
      meters.add(Meter.FETCH_FAILED);
      if (!isOwn()) {
        return handOver();
      }
      int attempts = frontier.countFailure(delivery.task(), reason, tokens.get(), clock.instant());
      switch (retries.afterFailure(attempts, random)) {
        case RetryDecision.Retry retry -> scheduling.again(delivery, retry.after());
        case RetryDecision.GiveUp giveUp ->
            settled(
                Settlement.of(
                    PageState.FAILED, reason + " (" + attempts + " attempts)", Optional.empty()));
      }
      return false;
    }

    private boolean settled(PageState state, String reason, Fetch exchange) {
      return settled(Settlement.of(state, reason, Optional.of(exchange)));
    }

    /** Settles the page at hand and those that led to it, and ends the task; returns false. */
    private boolean settled(Settlement settlement) {
      passed.put(page, settlement);
      settlePassed();
      end(delivery, site);
      return false;
    }

    /** Settles all pages, the task's own last: until then, who receives the task can go on. */
    private void settlePassed() {
      passed.forEach(
          (led, how) -> {
            if (!led.url().equals(own)) {
              settle(led.task(), how);
            }
          });
      passed.forEach(
          (led, how) -> {
            if (led.url().equals(own)) {
              announceSitemaps(led);
              settle(delivery.task(), how);
            }
          });
    }

    /**
     * Follows the sitemaps that the site or its robots.txt names, once a root was asked for, or
     * what it redirects to, which often is another origin.
     */
    private void announceSitemaps(Page led) {
      if (!led.depth().equals(CrawlDepth.ROOT)) {
        return;
      }
      List<CrawlUrl> sitemaps =
          Stream.concat(site.sitemaps().listed().stream(), namedByRobots(led.url())).toList();
      if (!sitemaps.isEmpty()) {
        following.follow(
            new Discovery(
                led.site(),
                led.crawl(),
                led.url(),
                led.depth().next(),
                PageKind.SITEMAP,
                0,
                following.againForSitemaps(led),
                Map.of()),
            site,
            sitemaps);
      }
    }

    private Stream<CrawlUrl> namedByRobots(CrawlUrl url) {
      return site.sitemaps().fromRobots()
          ? robots.known(url).stream()
              .flatMap(rules -> rules.sitemaps().stream())
              .flatMap(text -> url.resolve(text).stream())
          : Stream.of();
    }
  }
}
