package dev.fairfleet.worker.fetch;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;

/** Makes one HTTP exchange; follows no redirect and retries no failure. Safe for many threads. */
@FunctionalInterface
public interface PageFetcher {
  /**
   * Makes the exchange and waits for its outcome; blocks, so call it from a virtual thread.
   *
   * <p>Whatever the server does is an outcome, not an exception.
   *
   * @param beforeRequest runs on the calling thread when the connection stands, just before the
   *     request is written, once for each time that it is written: the last moment to wait for, so
   *     that a slow connection does not make two requests reach a host closer together than they
   *     were meant to. What it throws ends the exchange and is thrown on
   */
  FetchOutcome fetch(FetchRequest request, Runnable beforeRequest);

  /** Asks for a page, without cookies. */
  default FetchOutcome fetch(CrawlUrl url, Validators validators) {
    return fetch(url, validators, () -> {});
  }

  /** Asks for a page, without cookies, and runs something just before the request is written. */
  default FetchOutcome fetch(CrawlUrl url, Validators validators, Runnable beforeRequest) {
    return fetch(FetchRequest.page(url, validators), beforeRequest);
  }
}
