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
    boolean turnedAway;
    Instant shelvedAt = NEVER;
    Instant emptySince = NEVER;
    String position = "";
    @Nullable CrawlId walked;

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
    window.turnedAway = now.isBefore(window.fillingUntil);
    if (window.turnedAway) {
      return false;
    }
    window.fillingUntil = now.plus(LONGEST_FILL);
    return true;
  }

  @Override
  public synchronized boolean filled(SiteId site, int size, boolean bare) {
    Window window = window(site);
    Instant now = clock.instant();
    boolean believed = bare && !now.isBefore(window.shelvedAt.plus(ON_THE_WAY));
    window.size = size;
    window.fillingUntil = NEVER;
    window.bareUntil = believed ? now.plus(BARE_BELIEVED) : NEVER;
    boolean wanted = window.turnedAway;
    window.turnedAway = false;
    return wanted;
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
    return new Inspection(window.view(now), overdue, window.emptyFor(now));
  }

  @Override
  public synchronized boolean beginSweep(Duration every) {
    Instant now = clock.instant();
    if (now.isBefore(sweptAt.plus(every))) {
      return false;
    }
    sweptAt = now;
    return true;
  }

  @Override
  public synchronized String position(SiteId site, CrawlId crawl) {
    Window window = window(site);
    return crawl.equals(window.walked) ? window.position : "";
  }

  @Override
  public synchronized void walkedTo(SiteId site, CrawlId crawl, String position) {
    Window window = window(site);
    window.walked = crawl;
    window.position = position;
  }
}
