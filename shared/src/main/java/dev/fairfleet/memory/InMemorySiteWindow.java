package dev.fairfleet.memory;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.UrlHash;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Windows for the workers of one process, on the clock that they are given. Thread-safe. */
public final class InMemorySiteWindow implements SiteWindow {
  private static final Instant NEVER = Instant.EPOCH;

  private final InstantSource clock;
  private final Map<SiteId, Window> windows = new HashMap<>();
  private Instant sweptAt = NEVER;

  private static final class Window {
    final Map<UrlHash, Instant> until = new HashMap<>();
    int size;
    Instant bareUntil = NEVER;
    Instant fillingUntil = NEVER;
    Instant shelvedAt = NEVER;
    Instant emptySince = NEVER;
    @Nullable CrawlId finished;

    void letIn(UrlHash url, Instant now, Duration stay) {
      until.put(url, now.plus(stay.compareTo(LONGEST_STAY) < 0 ? stay : LONGEST_STAY));
      emptySince = NEVER;
    }

    void shelved(Instant now) {
      shelvedAt = now;
      bareUntil = NEVER;
    }

    View view(Instant now) {
      return new View(size, until.size(), now.isBefore(bareUntil));
    }

    Duration emptyFor(Instant now) {
      return emptySince.equals(NEVER) ? Duration.ZERO : Duration.between(emptySince, now);
    }
  }

  public InMemorySiteWindow(InstantSource clock) {
    this.clock = clock;
  }

  private Window window(SiteId site) {
    return windows.computeIfAbsent(site, key -> new Window());
  }

  @Override
  public synchronized Set<UrlHash> enter(SiteId site, List<UrlHash> urls, int most, Duration stay) {
    Window window = window(site);
    Instant now = clock.instant();
    Set<UrlHash> entered = new LinkedHashSet<>();
    for (UrlHash url : urls) {
      if (window.until.containsKey(url)) {
        continue;
      }
      if (window.until.size() >= most) {
        window.shelved(now);
        break;
      }
      window.letIn(url, now, stay);
      entered.add(url);
    }
    return entered;
  }

  @Override
  public synchronized void stay(SiteId site, List<UrlHash> urls, Duration stay) {
    urls.forEach(url -> window(site).letIn(url, clock.instant(), stay));
  }

  @Override
  public synchronized View leave(SiteId site, List<UrlHash> urls) {
    Window window = window(site);
    urls.forEach(window.until::remove);
    return window.view(clock.instant());
  }

  @Override
  public synchronized View shelved(SiteId site, List<UrlHash> urls) {
    Window window = window(site);
    urls.forEach(window.until::remove);
    window.shelved(clock.instant());
    return window.view(clock.instant());
  }

  @Override
  public synchronized boolean beginFill(SiteId site) {
    Window window = window(site);
    Instant now = clock.instant();
    if (now.isBefore(window.fillingUntil)) {
      return false;
    }
    window.fillingUntil = now.plus(LONGEST_FILL);
    return true;
  }

  @Override
  public synchronized void filled(SiteId site, int size, boolean bare) {
    Window window = window(site);
    Instant now = clock.instant();
    boolean believed = bare && !now.isBefore(window.shelvedAt.plus(ON_THE_WAY));
    window.size = size;
    window.fillingUntil = NEVER;
    window.bareUntil = believed ? now.plus(BARE_BELIEVED) : NEVER;
  }

  @Override
  public synchronized Inspection inspect(SiteId site) {
    Window window = window(site);
    Instant now = clock.instant();
    List<UrlHash> overdue =
        window.until.entrySet().stream()
            .filter(entry -> entry.getValue().isBefore(now))
            .sorted(
                Map.Entry.<UrlHash, Instant>comparingByValue()
                    .thenComparing(entry -> entry.getKey().value()))
            .limit(MOST_OVERDUE)
            .map(Map.Entry::getKey)
            .toList();
    overdue.forEach(url -> window.until.put(url, now.plus(SECOND_STAY)));
    if (window.until.isEmpty() && window.emptySince.equals(NEVER)) {
      window.emptySince = now;
    }
    return new Inspection(
        window.view(now), overdue, window.emptyFor(now), Optional.ofNullable(window.finished));
  }

  @Override
  public synchronized boolean beginSweep() {
    Instant now = clock.instant();
    if (now.isBefore(sweptAt.plus(BETWEEN_SWEEPS))) {
      return false;
    }
    sweptAt = now;
    return true;
  }

  @Override
  public synchronized void finished(SiteId site, CrawlId crawl) {
    window(site).finished = crawl;
  }
}
