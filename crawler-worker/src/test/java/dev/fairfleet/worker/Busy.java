package dev.fairfleet.worker;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.worker.fetch.FetchOutcome;
import java.util.HashMap;
import java.util.Map;

/** A fetcher that knows how many pages were fetched at once. */
final class Busy implements Answers {
  private final Answers web;
  private final Map<HostKey, Integer> now = new HashMap<>();
  private int most;
  private int mostOfAHost;

  Busy(Answers web) {
    this.web = web;
  }

  @Override
  public FetchOutcome fetch(CrawlUrl url, Validators validators) {
    add(url.hostKey(), 1);
    try {
      return web.fetch(url, validators);
    } finally {
      add(url.hostKey(), -1);
    }
  }

  private synchronized void add(HostKey host, int pages) {
    mostOfAHost = Math.max(mostOfAHost, now.merge(host, pages, Integer::sum));
    most = Math.max(most, now.values().stream().mapToInt(Integer::intValue).sum());
  }

  synchronized int most() {
    return most;
  }

  synchronized int mostOfAHost() {
    return mostOfAHost;
  }
}
