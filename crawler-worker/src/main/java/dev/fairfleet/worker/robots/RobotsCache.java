package dev.fairfleet.worker.robots;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.robots.Origin;
import dev.fairfleet.robots.RobotsFile;
import dev.fairfleet.robots.RobotsNote;
import dev.fairfleet.robots.RobotsPolicy;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.robots.RobotsStore;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.FetchOutcome.Failed;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.FetchOutcome.Gone;
import dev.fairfleet.worker.fetch.FetchOutcome.NotModified;
import dev.fairfleet.worker.fetch.FetchOutcome.Redirected;
import dev.fairfleet.worker.fetch.FetchOutcome.Refused;
import dev.fairfleet.worker.fetch.FetchOutcome.Throttled;
import dev.fairfleet.worker.fetch.PageFetcher;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The robots.txt files that a fleet knows, as one worker sees them; those that nobody knows are
 * fetched, by one worker at a time.
 *
 * <p>An origin is scheme, host and port (RFC 9309, section 2.3). Up to five redirects are followed,
 * to any host, and the rules are those of the first (section 2.3.1.2). What a status means is in
 * {@code docs/decisions/0008-robots.md}.
 */
public final class RobotsCache implements Robots {
  /*
   * Parsed rules are kept here for as long as the store's note of them is valid, so that the store is
   * asked about as often as the server. When a note is due, the first thread takes the fleet's turn
   * and fetches; all others go on with the old rules while those may be believed, and wait if there
   * are none. Nobody waits for long: a task that is told "in a moment" is put back, and holds no
   * place meanwhile.
   */
  private static final Logger log = LoggerFactory.getLogger(RobotsCache.class);

  private static final int MOST_REDIRECTS = 5;
  private static final long MOST_BYTES = 64L << 20;
  private static final int MOST_DELAYS = 100_000;
  // Longer than redirects may take together with the last request and its turn.
  private static final Duration LEASE = Duration.ofMinutes(2);
  private static final Duration LAST_REDIRECT = Duration.ofMinutes(1);
  private static final Duration IN_A_MOMENT = Duration.ofSeconds(5);

  private final PageFetcher fetcher;
  private final RobotsStore store;
  private final String productToken;
  private final RobotsPolicy policy;
  private final InstantSource clock;
  private final Patience patience;
  private final Cache<Origin, Known> cache;
  private final Cache<Origin, Duration> delays;
  private final ConcurrentMap<Origin, CompletableFuture<RobotsRules>> asking =
      new ConcurrentHashMap<>();
  private final AtomicBoolean storeAway = new AtomicBoolean();

  /**
   * How long a thread waits for what another thread or worker fetches.
   *
   * @param between how often it looks whether another worker has done so
   */
  record Patience(Duration longest, Duration between) {
    static final Patience DEFAULT = new Patience(Duration.ofSeconds(20), Duration.ofMillis(250));
  }

  /**
   * Rules at hand.
   *
   * @param trouble why there are none; empty if there are
   * @param until when it is time to ask again
   * @param believedUntil how long they are believed while nobody has
   */
  private record Known(RobotsRules rules, String trouble, Instant until, Instant believedUntil) {
    RobotsRules at(Instant now) {
      return trouble.isEmpty()
          ? rules
          : RobotsRules.unreachable(trouble, Duration.between(now, until));
    }
  }

  /** What happens before each request, and after the last. */
  private record Asking(Consumer<CrawlUrl> before, BiConsumer<CrawlUrl, FetchOutcome> after) {}

  /** What asking came to. */
  private sealed interface Answer {
    record Had(RobotsFile file) implements Answer {}

    record Trouble(String why, Optional<Duration> retryAfter) implements Answer {
      Trouble(String why) {
        this(why, Optional.empty());
      }
    }

    /** This worker stops, which says nothing about the server. */
    record Aborted(String why) implements Answer {}
  }

  /**
   * Uses fetcher and store without closing them.
   *
   * @param fetcher with limits fit for robots.txt: any content type, {@link RobotsRules#MAX_BYTES}
   * @param userAgent begins with the product token by which we obey groups, as {@code fairfleet/1}
   * @param clock this worker's; it measures how long ago the store was asked
   */
  public RobotsCache(
      PageFetcher fetcher,
      RobotsStore store,
      String userAgent,
      RobotsPolicy policy,
      InstantSource clock) {
    this(fetcher, store, userAgent, policy, clock, Patience.DEFAULT);
  }

  RobotsCache(
      PageFetcher fetcher,
      RobotsStore store,
      String userAgent,
      RobotsPolicy policy,
      InstantSource clock,
      Patience patience) {
    this.fetcher = fetcher;
    this.store = store;
    this.productToken = RobotsRules.productToken(userAgent);
    this.policy = policy;
    this.clock = clock;
    this.patience = patience;
    this.cache =
        Caffeine.newBuilder()
            .maximumWeight(MOST_BYTES)
            .weigher((Origin origin, Known known) -> known.rules().weight())
            .ticker(this::nanos)
            .expireAfter(
                Expiry.<Origin, Known>writing(
                    (origin, known) -> Duration.between(clock.instant(), known.believedUntil())))
            .executor(Runnable::run)
            .build();
    this.delays =
        Caffeine.newBuilder()
            .maximumSize(MOST_DELAYS)
            .ticker(this::nanos)
            .expireAfterWrite(RobotsPolicy.BELIEVED)
            .executor(Runnable::run)
            .build();
  }

  private long nanos() {
    return Duration.between(Instant.EPOCH, clock.instant()).toNanos();
  }

  @Override
  public Optional<RobotsRules> known(CrawlUrl url) {
    return known(Origin.of(url));
  }

  private Optional<RobotsRules> known(Origin origin) {
    Instant now = clock.instant();
    return Optional.ofNullable(cache.getIfPresent(origin))
        .filter(
            known ->
                now.isBefore(known.until())
                    || (asking.containsKey(origin) && now.isBefore(known.believedUntil())))
        .map(known -> known.at(now));
  }

  @Override
  public Duration crawlDelay(CrawlUrl url) {
    return Optional.ofNullable(delays.getIfPresent(Origin.of(url))).orElse(Duration.ZERO);
  }

  @Override
  public RobotsRules rulesFor(CrawlUrl url) {
    return rulesFor(url, asked -> {});
  }

  @Override
  public RobotsRules rulesFor(CrawlUrl url, Consumer<CrawlUrl> beforeRequest) {
    return rulesFor(url, beforeRequest, (asked, outcome) -> {});
  }

  @Override
  public RobotsRules rulesFor(
      CrawlUrl url,
      Consumer<CrawlUrl> beforeRequest,
      BiConsumer<CrawlUrl, FetchOutcome> afterRequests) {
    Origin origin = Origin.of(url);
    Optional<RobotsRules> known = known(origin);
    if (known.isPresent()) {
      return known.get();
    }
    CompletableFuture<RobotsRules> mine = new CompletableFuture<>();
    CompletableFuture<RobotsRules> other = asking.putIfAbsent(origin, mine);
    if (other != null) {
      return await(other);
    }
    try {
      RobotsRules rules = load(origin, url, new Asking(beforeRequest, afterRequests));
      mine.complete(rules);
      return rules;
    } finally {
      asking.remove(origin, mine);
      // What was thrown is the business of this thread alone; the others come again.
      mine.complete(inAMoment("robots.txt could not be asked for just now"));
    }
  }

  private RobotsRules await(CompletableFuture<RobotsRules> other) {
    try {
      return other.get(patience.longest().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return inAMoment("robots.txt is being asked for");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return inAMoment("interrupted");
    } catch (ExecutionException e) {
      throw new AssertionError("Nobody completes it with an exception", e);
    }
  }

  private static RobotsRules inAMoment(String why) {
    return RobotsRules.unreachable(why, IN_A_MOMENT);
  }

  private RobotsRules load(Origin origin, CrawlUrl url, Asking asking) {
    long deadline = System.nanoTime() + patience.longest().toNanos();
    boolean asked = false;
    while (true) {
      RobotsNote note;
      OptionalLong turn;
      try {
        note = store.find(origin);
        if (!note.isDue()) {
          storeIsBack();
          return remember(origin, note, note.validFor());
        }
        turn = asked ? OptionalLong.empty() : store.begin(origin, LEASE);
        storeIsBack();
      } catch (RuntimeException e) {
        return storeIsAway(e);
      }
      if (turn.isPresent()) {
        asked = true;
        Optional<RobotsRules> rules = ask(origin, url, turn.getAsLong(), note, asking);
        if (rules.isPresent()) {
          return rules.get();
        }
      } else if (note.isBelieved()) {
        return remember(origin, note, IN_A_MOMENT);
      } else if (System.nanoTime() - deadline >= 0 || !pause()) {
        return inAMoment("robots.txt is being asked for by another worker");
      }
    }
  }

  private boolean pause() {
    try {
      Thread.sleep(patience.between());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private RobotsRules remember(Origin origin, RobotsNote note, Duration validFor) {
    Instant now = clock.instant();
    RobotsRules rules = note.rules(productToken, policy.longestDelay());
    Instant until = now.plus(validFor);
    if (note.isBelieved()) {
      Instant believedUntil = now.plus(RobotsPolicy.BELIEVED.minus(note.age()));
      Instant sooner = until.isBefore(believedUntil) ? until : believedUntil;
      cache.put(origin, new Known(rules, "", sooner, believedUntil));
      if (rules.crawlDelay().isZero()) {
        delays.invalidate(origin);
      } else {
        delays.put(origin, rules.crawlDelay());
      }
    } else {
      cache.put(origin, new Known(rules, note.failure(), until, until));
    }
    return rules;
  }

  /** Returns rules if the store has none to tell: this worker stops, or the store is away. */
  private Optional<RobotsRules> ask(
      Origin origin, CrawlUrl url, long turn, RobotsNote note, Asking asking) {
    Answer answer;
    try {
      answer = fetch(url.resolve("/robots.txt").orElseThrow(), copy(note), asking);
    } catch (RuntimeException e) {
      giveUp(origin, turn, e);
      throw e;
    }
    try {
      switch (answer) {
        case Answer.Had had ->
            store.had(origin, turn, had.file(), policy.askAgainAfter(had.file()));
        case Answer.Trouble trouble ->
            store.failed(
                origin,
                turn,
                trouble.why(),
                policy.retryAfter(note.failures() + 1, trouble.retryAfter()));
        case Answer.Aborted aborted -> {
          store.gaveUp(origin, turn);
          return Optional.of(RobotsRules.unreachable(aborted.why(), Duration.ZERO));
        }
      }
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(storeIsAway(e));
    }
  }

  private void giveUp(Origin origin, long turn, RuntimeException why) {
    try {
      store.gaveUp(origin, turn);
    } catch (RuntimeException e) {
      why.addSuppressed(e);
    }
  }

  private static Optional<RobotsFile.Text> copy(RobotsNote note) {
    return note.file().filter(RobotsFile.Text.class::isInstance).map(RobotsFile.Text.class::cast);
  }

  private Answer fetch(CrawlUrl file, Optional<RobotsFile.Text> copy, Asking asking) {
    long lastRedirect = System.nanoTime() + LAST_REDIRECT.toNanos();
    CrawlUrl url = file;
    Validators validators = copy.map(RobotsFile.Text::validators).orElse(Validators.NONE);
    for (int redirects = 0; ; redirects++) {
      CrawlUrl asked = url;
      FetchOutcome outcome = fetcher.fetch(asked, validators, () -> asking.before().accept(asked));
      if (!(outcome instanceof Redirected)) {
        asking.after().accept(asked, outcome);
      }
      switch (outcome) {
        case Redirected redirected -> {
          if (redirects == MOST_REDIRECTS) {
            return none("more than " + MOST_REDIRECTS + " redirects");
          }
          if (System.nanoTime() - lastRedirect >= 0) {
            return new Answer.Trouble(
                "robots.txt is unreachable: its redirects took longer than " + LAST_REDIRECT);
          }
          url = redirected.location();
          // They are those of a copy from here.
          validators = Validators.NONE;
        }
        case Fetched fetched -> {
          RobotsFile.Text text = RobotsFile.Text.of(fetched.body().bytes(), fetched.truncated());
          return new Answer.Had(redirects == 0 ? text.with(fetched.validators()) : text);
        }
        case NotModified same -> {
          return validators.equals(Validators.NONE)
              ? new Answer.Trouble("robots.txt is unreachable: 304 to an unconditional request")
              : new Answer.Had(copy.orElseThrow().with(same.validators()));
        }
        case Gone gone -> {
          return none("status " + gone.status());
        }
        case Throttled throttled -> {
          return new Answer.Trouble(
              "robots.txt was answered with status " + throttled.status(),
              // Who is asked for less does not come back as soon as who met nobody.
              throttled.retryAfter().or(() -> Optional.of(PolitenessPolicy.FIRST_COOL_DOWN)));
        }
        case Refused refused -> {
          boolean noFile = refused.status() >= 300 && refused.status() < 500;
          return noFile
              ? none(refused.reason())
              : new Answer.Had(
                  new RobotsFile.Forbidden(asked + " may not be read: " + refused.reason()));
        }
        case Failed failed -> {
          if (failed.kind() == FailureKind.ABORTED) {
            return new Answer.Aborted(failed.reason());
          }
          // 408 and 425, which another time may be no failures; the RFC knows no such 4xx.
          boolean noFile = failed.status() >= 400 && failed.status() < 500;
          return noFile
              ? none(failed.reason())
              : new Answer.Trouble("robots.txt is unreachable: " + failed.reason());
        }
      }
    }
  }

  private static Answer none(String why) {
    return new Answer.Had(new RobotsFile.None(why));
  }

  private RobotsRules storeIsAway(RuntimeException why) {
    if (!storeAway.getAndSet(true)) {
      log.warn(
          "No host whose robots.txt is not at hand is fetched while the fleet's store is away: {}",
          why.toString());
    }
    return RobotsRules.unreachable(
        "what the fleet knows of it is away: " + why.getMessage(), policy.retry());
  }

  private void storeIsBack() {
    if (storeAway.get() && storeAway.getAndSet(false)) {
      log.info("The fleet's store of robots.txt files is back");
    }
  }
}
