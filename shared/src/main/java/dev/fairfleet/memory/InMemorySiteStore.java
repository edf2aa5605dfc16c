package dev.fairfleet.memory;

import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Sites in memory, for tests and simulations. Thread-safe. */
public final class InMemorySiteStore implements SiteStore {
  /**
   * A site and the ends of the leases on its crawl.
   *
   * @param startUntil of whoever starts it; means nothing once it has started
   * @param endUntil of whoever looks for its end
   */
  private record Entry(SiteStatus status, Instant startUntil, Instant endUntil) {
    Entry with(SiteStatus changed) {
      return new Entry(changed, startUntil, endUntil);
    }

    Entry with(CrawlRun changed) {
      return with(
          new SiteStatus(
              status.site(),
              status.state(),
              status.reason(),
              status.since(),
              Optional.of(changed),
              status.lastEnded(),
              status.lastFull()));
    }
  }

  private final Map<SiteId, Entry> entries = new HashMap<>();

  private void keep(Entry entry) {
    entries.put(entry.status().site().id(), entry);
  }

  @Override
  public synchronized void put(Site site) {
    @Nullable Entry before = entries.get(site.id());
    if (before == null) {
      keep(new Entry(SiteStatus.ofNew(site), Instant.MIN, Instant.MIN));
      return;
    }
    SiteStatus was = before.status();
    keep(
        before.with(
            new SiteStatus(
                site,
                was.state(),
                was.reason(),
                was.since(),
                was.run(),
                was.lastEnded(),
                was.lastFull())));
  }

  @Override
  public void putAll(Collection<Site> sites, IntConsumer done) {
    sites.forEach(this::put);
    done.accept(sites.size());
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
  public synchronized boolean startCrawl(
      SiteId id, CrawlId crawl, CrawlMode mode, Instant now, Duration lease) {
    @Nullable Entry entry = entries.get(id);
    if (entry == null || entry.status().state() != SiteState.ACTIVE) {
      return false;
    }
    SiteStatus status = entry.status();
    int crawls = status.crawl().map(newest -> newest.compareTo(crawl)).orElse(-1);
    boolean abandoned = crawls == 0 && !status.started() && !entry.startUntil().isAfter(now);
    if (crawls >= 0 && !abandoned) {
      return false;
    }
    Optional<CrawlId> previous =
        crawls < 0 ? status.crawl() : status.run().flatMap(CrawlRun::previous);
    CrawlRun run = new CrawlRun(crawl, mode, false, previous, false, Optional.empty());
    keep(new Entry(entry.with(run).status(), now.plus(lease), Instant.MIN));
    return true;
  }

  @Override
  public synchronized void crawlStarted(SiteId id, CrawlId crawl) {
    @Nullable Entry entry = entries.get(id);
    if (entry != null) {
      entry
          .status()
          .runOf(crawl)
          .ifPresent(
              run ->
                  keep(
                      entry.with(
                          new CrawlRun(
                              crawl,
                              run.mode(),
                              true,
                              run.previous(),
                              run.interrupted(),
                              run.end()))));
    }
  }

  @Override
  public synchronized boolean beginEnd(SiteId id, CrawlId crawl, Instant now, Duration lease) {
    @Nullable Entry entry = entries.get(id);
    if (entry == null || unended(entry, crawl).isEmpty() || entry.endUntil().isAfter(now)) {
      return false;
    }
    keep(new Entry(entry.status(), entry.startUntil(), now.plus(lease)));
    return true;
  }

  private static Optional<CrawlRun> unended(Entry entry, CrawlId crawl) {
    return entry.status().runOf(crawl).filter(run -> run.end().isEmpty());
  }

  @Override
  public synchronized void crawlEnded(SiteId id, CrawlId crawl, CrawlEnd end) {
    @Nullable Entry entry = entries.get(id);
    if (entry == null || unended(entry, crawl).isEmpty()) {
      return;
    }
    CrawlRun run = unended(entry, crawl).get();
    SiteStatus status = entry.status();
    keep(
        entry.with(
            new SiteStatus(
                status.site(),
                status.state(),
                status.reason(),
                status.since(),
                Optional.of(
                    new CrawlRun(
                        crawl,
                        run.mode(),
                        run.started(),
                        run.previous(),
                        run.interrupted(),
                        Optional.of(end))),
                Optional.of(crawl),
                run.mode() == CrawlMode.FULL ? Optional.of(crawl) : status.lastFull())));
  }

  @Override
  public synchronized boolean setState(SiteId id, SiteState state, String reason, Instant now) {
    @Nullable Entry entry = entries.get(id);
    if (entry == null) {
      throw new NoSuchElementException("There is no site " + id + " to be set " + state);
    }
    SiteStatus status = entry.status();
    if (status.state() == state) {
      return false;
    }
    keep(
        entry.with(
            new SiteStatus(
                status.site(),
                state,
                reason,
                Optional.of(now),
                status.run().map(run -> state == SiteState.STOPPED ? interrupted(run) : run),
                status.lastEnded(),
                status.lastFull())));
    return true;
  }

  private static CrawlRun interrupted(CrawlRun run) {
    return run.end().isPresent()
        ? run
        : new CrawlRun(run.id(), run.mode(), run.started(), run.previous(), true, run.end());
  }

  @Override
  public synchronized void remove(SiteId id) {
    entries.remove(id);
  }
}
