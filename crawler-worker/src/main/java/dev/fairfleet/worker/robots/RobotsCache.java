package dev.fairfleet.worker.robots;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
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
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Fetches each origin's robots.txt once and keeps it for as long as it may be believed.
 *
 * <p>An origin is scheme, host and port (RFC 9309, section 2.3). Its file is asked for by the first
 * thread that wants it, while others wait for that one; up to five redirects are followed, to any
 * host (section 2.3.1.2). Rules live at most 24 hours; that there were none to be had is remembered
 * for {@link RobotsRules#RETRY} or what the server asked for.
 */
public final class RobotsCache implements Robots {
  private static final int MOST_REDIRECTS = 5;
  private static final int MOST_ORIGINS = 10_000;

  private final PageFetcher fetcher;
  private final String productToken;
  private final AsyncCache<Origin, RobotsRules> cache;

  /**
   * @param fetcher with limits fit for robots.txt: any content type, {@link RobotsRules#MAX_BYTES}
   * @param productToken the name by which we obey groups, as {@code fairfleet}
   */
  public RobotsCache(PageFetcher fetcher, String productToken, InstantSource clock) {
    this.fetcher = fetcher;
    this.productToken = productToken;
    this.cache =
        Caffeine.newBuilder()
            .maximumSize(MOST_ORIGINS)
            .ticker(() -> Duration.between(Instant.EPOCH, clock.instant()).toNanos())
            .expireAfter(Expiry.<Origin, RobotsRules>writing((origin, rules) -> rules.fresh()))
            .executor(Runnable::run)
            .buildAsync();
  }

  private record Origin(String scheme, HostKey host) {
    static Origin of(CrawlUrl url) {
      return new Origin(url.toUri().getScheme(), url.hostKey());
    }
  }

  @Override
  public Optional<RobotsRules> known(CrawlUrl url) {
    CompletableFuture<RobotsRules> known = cache.getIfPresent(Origin.of(url));
    return known == null || !known.isDone() || known.isCompletedExceptionally()
        ? Optional.empty()
        : Optional.of(known.join());
  }

  @Override
  public RobotsRules rulesFor(CrawlUrl url) {
    return rulesFor(url, asked -> {});
  }

  @Override
  public RobotsRules rulesFor(CrawlUrl url, Consumer<CrawlUrl> beforeRequest) {
    Origin origin = Origin.of(url);
    CompletableFuture<RobotsRules> known = cache.getIfPresent(origin);
    if (known != null) {
      return known.join();
    }
    // Not cache.get(key, loader): a loader runs under a lock that other origins may share.
    CompletableFuture<RobotsRules> mine = new CompletableFuture<>();
    CompletableFuture<RobotsRules> other = cache.asMap().putIfAbsent(origin, mine);
    if (other != null) {
      return other.join();
    }
    CrawlUrl file = url.resolve("/robots.txt").orElseThrow();
    try {
      mine.complete(load(file, beforeRequest));
    } finally {
      // Wakes the others if load threw, and does nothing if it did not; a failure is not kept.
      mine.completeExceptionally(new IllegalStateException("Asking for " + file + " failed"));
    }
    return mine.join();
  }

  private RobotsRules load(CrawlUrl file, Consumer<CrawlUrl> beforeRequest) {
    CrawlUrl url = file;
    for (int redirects = 0; ; redirects++) {
      CrawlUrl asked = url;
      FetchOutcome outcome =
          fetcher.fetch(asked, Validators.NONE, () -> beforeRequest.accept(asked));
      switch (outcome) {
        case Redirected redirected -> {
          if (redirects == MOST_REDIRECTS) {
            return RobotsRules.ofStatus(redirected.status(), Optional.empty());
          }
          url = redirected.location();
        }
        case Fetched fetched -> {
          return RobotsRules.parse(
              fetched.body().bytes(), fetched.contentType().mime(), productToken);
        }
        case Gone gone -> {
          return RobotsRules.ofStatus(gone.status(), Optional.empty());
        }
        case Throttled throttled -> {
          return RobotsRules.ofStatus(throttled.status(), throttled.retryAfter());
        }
        case Refused refused -> {
          boolean noFile = refused.status() >= 300 && refused.status() < 500;
          return noFile
              ? RobotsRules.ofStatus(refused.status(), Optional.empty())
              : RobotsRules.barred(url + " may not be read: " + refused.reason());
        }
        case Failed failed -> {
          Duration wait = failed.kind() == FailureKind.ABORTED ? Duration.ZERO : RobotsRules.RETRY;
          return RobotsRules.unreachable("robots.txt is unreachable: " + failed.reason(), wait);
        }
        case NotModified unasked -> {
          return RobotsRules.unreachable(
              "robots.txt is unreachable: 304 to an unconditional request", RobotsRules.RETRY);
        }
      }
    }
  }
}
