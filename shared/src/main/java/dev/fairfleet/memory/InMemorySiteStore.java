package dev.fairfleet.memory;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sites in memory, for tests and simulations. Thread-safe. */
public final class InMemorySiteStore implements SiteStore {
  /**
   * A site and the end of the lease of whoever starts its crawl.
   *
   * @param leaseUntil means nothing once the crawl has started
   */
  private record Entry(SiteStatus status, Instant leaseUntil) {}

  private final Map<SiteId, Entry> entries = new HashMap<>();

  @Override
  public synchronized void put(Site site) {
    @Nullable Entry before = entries.get(site.id());
    if (before == null) {
      SiteStatus status = new SiteStatus(site, SiteState.ACTIVE, "", Optional.empty(), false);
      entries.put(site.id(), new Entry(status, Instant.MIN));
    } else {
      SiteStatus was = before.status();
      put(
          new SiteStatus(site, was.state(), was.reason(), was.crawl(), was.started()),
          before.leaseUntil());
    }
  }

  private void put(SiteStatus status, Instant leaseUntil) {
    entries.put(status.site().id(), new Entry(status, leaseUntil));
  }

  @Override
  public synchronized Optional<SiteStatus> find(SiteId id) {
    return Optional.ofNullable(entries.get(id)).map(Entry::status);
  }

  @Override
  public void forEach(Consumer<SiteStatus> each) {
    List<SiteStatus> found;
    synchronized (this) {
      found = entries.values().stream().map(Entry::status).toList();
    }
    found.forEach(each);
  }

  @Override
  public synchronized boolean startCrawl(SiteId id, CrawlId crawl, Instant now, Duration lease) {
    @Nullable Entry entry = entries.get(id);
    if (entry == null || entry.status().state() != SiteState.ACTIVE) {
      return false;
    }
    SiteStatus status = entry.status();
    int crawls = status.crawl().map(newest -> newest.compareTo(crawl)).orElse(-1);
    boolean abandoned = crawls == 0 && !status.started() && !entry.leaseUntil().isAfter(now);
    if (crawls >= 0 && !abandoned) {
      return false;
    }
    put(
        new SiteStatus(status.site(), status.state(), status.reason(), Optional.of(crawl), false),
        now.plus(lease));
    return true;
  }

  @Override
  public synchronized void crawlStarted(SiteId id, CrawlId crawl) {
    @Nullable Entry entry = entries.get(id);
    if (entry != null && entry.status().crawl().equals(Optional.of(crawl))) {
      SiteStatus status = entry.status();
      put(
          new SiteStatus(status.site(), status.state(), status.reason(), status.crawl(), true),
          entry.leaseUntil());
    }
  }

  @Override
  public synchronized void setState(SiteId id, SiteState state, String reason) {
    @Nullable Entry entry = entries.get(id);
    if (entry == null) {
      throw new NoSuchElementException("There is no site " + id + " to be set " + state);
    }
    SiteStatus status = entry.status();
    put(
        new SiteStatus(status.site(), state, reason, status.crawl(), status.started()),
        entry.leaseUntil());
  }
}
