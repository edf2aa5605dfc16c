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

  /**
   * Does the same, and runs something when the connection stands, just before the request is
   * written: the last moment to wait for, so that a slow connection does not make two requests
   * reach a host closer together than they were meant to.
   *
   * @param beforeRequest runs on the calling thread, once for each time that the request is
   *     written; what it throws ends the exchange and is thrown on
   */
  default FetchOutcome fetch(CrawlUrl url, Validators validators, Runnable beforeRequest) {
    beforeRequest.run();
    return fetch(url, validators);
  }
}
