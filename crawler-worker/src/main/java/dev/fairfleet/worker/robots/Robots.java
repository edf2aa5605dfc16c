package dev.fairfleet.worker.robots;

import dev.fairfleet.robots.RobotsAnswer;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.url.CrawlUrl;
import java.util.Optional;

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

  /** Returns the rules of the origin of {@code url} if they are at hand; never blocks. */
  default Optional<RobotsRules> known(CrawlUrl url) {
    return Optional.of(rulesFor(url));
  }

  /** Returns whether {@code url} may be fetched. */
  default RobotsAnswer check(CrawlUrl url) {
    return rulesFor(url).check(url);
  }
}
