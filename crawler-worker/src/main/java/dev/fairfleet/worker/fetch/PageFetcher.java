package dev.fairfleet.worker.fetch;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;

/** Makes one HTTP exchange; follows no redirect and retries no failure. Safe for many threads. */
@FunctionalInterface
public interface PageFetcher {
  /**
   * Asks for {@code url} and waits for the outcome; blocks, so call it from a virtual thread.
   *
   * <p>Whatever the server does is an outcome, not an exception.
   *
   * @param validators of the copy we have, for a conditional GET; {@link Validators#NONE} if none
   */
  FetchOutcome fetch(CrawlUrl url, Validators validators);
}
