package dev.fairfleet.worker;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome;
import dev.fairfleet.worker.fetch.PageFetcher;

/** A web that answers by URL alone, whatever a page is fetched for. */
@FunctionalInterface
interface Answers {
  FetchOutcome fetch(CrawlUrl url, Validators validators);

  /** Returns a fetcher of that web. */
  static PageFetcher of(Answers web) {
    return (request, beforeRequest) -> {
      beforeRequest.run();
      return web.fetch(request.url(), request.validators());
    };
  }
}
