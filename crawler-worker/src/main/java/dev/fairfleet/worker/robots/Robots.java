package dev.fairfleet.worker.robots;

import dev.fairfleet.robots.RobotsAnswer;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Knows the robots.txt of every origin. Safe for many threads. */
@FunctionalInterface
public interface Robots {
  /** Asks nobody and allows everything: for benchmarks, which must not wait for a file. */
  Robots ALLOW_ALL = url -> RobotsRules.allowAll();

  /**
   * Returns the rules of the origin of {@code url}; may block while they are fetched. Rules that
   * cannot be had are an answer, too, not an exception.
   */
  RobotsRules rulesFor(CrawlUrl url);

  /**
   * Does the same.
   *
   * @param beforeRequest runs just before a request is written, with its URL; what it throws is
   *     thrown on
   */
  default RobotsRules rulesFor(CrawlUrl url, Consumer<CrawlUrl> beforeRequest) {
    return rulesFor(url);
  }

  /**
   * Does the same.
   *
   * @param afterRequests told what the server was asked for last and what came of it, unless
   *     somebody else asks, or nobody has to; runs once at most
   */
  default RobotsRules rulesFor(
      CrawlUrl url,
      Consumer<CrawlUrl> beforeRequest,
      BiConsumer<CrawlUrl, FetchOutcome> afterRequests) {
    return rulesFor(url, beforeRequest);
  }

  /** Returns the rules of the origin of {@code url} if they are at hand; never blocks. */
  default Optional<RobotsRules> known(CrawlUrl url) {
    return Optional.of(rulesFor(url));
  }

  /** Returns whether {@code url} may be fetched. */
  default RobotsAnswer check(CrawlUrl url) {
    return rulesFor(url).check(url);
  }

  /**
   * Returns the {@code Crawl-delay} of the origin of {@code url} as it was last known, also while
   * its robots.txt is asked for again; zero if there is none, or it is not known. Never blocks.
   */
  default Duration crawlDelay(CrawlUrl url) {
    return known(url).map(RobotsRules::crawlDelay).orElse(Duration.ZERO);
  }
}
