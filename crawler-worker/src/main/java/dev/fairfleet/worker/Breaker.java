package dev.fairfleet.worker;

import dev.fairfleet.retry.BreakerPolicy;
import dev.fairfleet.retry.SiteHealth;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuit breaker: is told what each request came to, and stops a site for the whole fleet when
 * its servers failed so often in a row that the {@link BreakerPolicy} says so. Only a person starts
 * the site again.
 *
 * <p>Never throws because a store is away: then nobody is stopped, and the crawl goes on. Safe for
 * use by many threads.
 */
final class Breaker {
  private static final Logger log = LoggerFactory.getLogger(Breaker.class);
  private static final int MOST_REASON = 500;

  private final SiteHealth health;
  private final BreakerPolicy policy;
  private final SiteStore sites;
  private final SiteCache cache;
  private final Meters meters;
  private final InstantSource clock;
  private final AtomicBoolean storeAway = new AtomicBoolean();

  /** What an exchange says of the site's servers. */
  private enum Sign {
    /** They answer. */
    WELL,
    /** They do not, or only that they are in trouble. */
    ILL,
    /** Nothing. */
    NONE
  }

  /**
   * Uses the stores without closing any.
   *
   * @param cache this worker's; forgets a site that is stopped
   */
  Breaker(
      SiteHealth health,
      BreakerPolicy policy,
      SiteStore sites,
      SiteCache cache,
      Meters meters,
      InstantSource clock) {
    this.health = health;
    this.policy = policy;
    this.sites = sites;
    this.cache = cache;
    this.meters = meters;
    this.clock = clock;
  }

  private static Sign sign(FetchOutcome outcome) {
    return switch (outcome) {
      case FetchOutcome.Throttled throttled -> Sign.NONE;
      // Without a status it was not asked: its address is none that we may speak to.
      case FetchOutcome.Refused refused -> refused.status() == 0 ? Sign.NONE : Sign.WELL;
      case FetchOutcome.Failed failed -> sign(failed.kind(), failed.status());
      default -> Sign.WELL;
    };
  }

  private static Sign sign(FailureKind kind, int status) {
    return switch (kind) {
      case DNS, CONNECT, TLS, TIMEOUT, BROKEN -> Sign.ILL;
      case STATUS -> status >= 500 ? Sign.ILL : Sign.WELL;
      case ABORTED -> Sign.NONE;
    };
  }

  /** Is told what the request for a page came to. */
  void heardOfPage(SiteId site, CrawlUrl page, FetchOutcome outcome) {
    heard(site, page, Optional.of(page.hash()), outcome);
  }

  /** Is told what the request for a robots.txt came to, without which no page can be asked for. */
  void heardOfRobots(SiteId site, CrawlUrl file, FetchOutcome outcome) {
    heard(site, file, Optional.empty(), outcome);
    worked(site, outcome.took());
  }

  private void heard(SiteId site, CrawlUrl url, Optional<UrlHash> page, FetchOutcome outcome) {
    Sign sign = sign(outcome);
    if (sign == Sign.NONE || policy.equals(BreakerPolicy.NEVER)) {
      return;
    }
    try {
      Optional<SiteStatus> active = cache.find(site).filter(Breaker::isActive);
      if (active.isPresent() && sign == Sign.WELL) {
        health.answered(site, since(active.get()));
      } else if (active.isPresent()) {
        int failures = health.failed(site, since(active.get()), page);
        if (policy.opens(failures)) {
          open(active.get(), failures, url, ((FetchOutcome.Failed) outcome).reason());
        }
      }
      storesAreBack();
    } catch (RuntimeException e) {
      storesAreAway(e);
    }
  }

  private static boolean isActive(SiteStatus status) {
    return status.state() == SiteState.ACTIVE;
  }

  private static Instant since(SiteStatus status) {
    return status.since().orElse(Instant.EPOCH);
  }

  private void open(SiteStatus known, int failures, CrawlUrl url, String why) {
    SiteId site = known.site().id();
    // Another worker may have stopped it, and a person resumed it, since this one looked.
    cache.forget(site);
    boolean isAsKnown =
        cache.find(site).filter(it -> isActive(it) && since(it).equals(since(known))).isPresent();
    if (!isAsKnown) {
      return;
    }
    String last = "the last one for " + url + ": " + why;
    String reason =
        failures
            + " failures in a row, "
            + (last.length() <= MOST_REASON ? last : last.substring(0, MOST_REASON) + "…")
            + ". `fairfleet sites resume "
            + site
            + "` starts it again";
    if (sites.setState(site, SiteState.STOPPED, reason, clock.instant())) {
      meters.add(Meter.SITE_STOPPED);
      log.warn("{} is stopped, and nothing of it is asked for any more: {}", site, reason);
    }
    cache.forget(site);
  }

  /**
   * Counts time that was spent on work for a site, and how much of it after the site was stopped.
   *
   * @param took until now
   */
  void worked(SiteId site, Duration took) {
    meters.add(Meter.WORK_TIME, millis(took));
    try {
      cache
          .find(site)
          .filter(status -> !isActive(status))
          .flatMap(SiteStatus::since)
          .map(since -> Duration.between(since, clock.instant()))
          .filter(Duration::isPositive)
          .ifPresent(
              stopped ->
                  meters.add(
                      Meter.WORK_TIME_STOPPED,
                      millis(stopped.compareTo(took) < 0 ? stopped : took)));
    } catch (RuntimeException e) {
      storesAreAway(e);
    }
  }

  private static double millis(Duration took) {
    return took.toNanos() / 1e6;
  }

  private void storesAreAway(RuntimeException why) {
    if (!storeAway.getAndSet(true)) {
      log.warn(
          "No failures are counted, and no site is stopped, while a store is away: {}",
          why.toString());
    }
  }

  private void storesAreBack() {
    if (storeAway.get() && storeAway.getAndSet(false)) {
      log.info("Failures of sites are counted again");
    }
  }
}
