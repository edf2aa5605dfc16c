package dev.fairfleet.memory;

import dev.fairfleet.retry.SiteHealth;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.UrlHash;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The health of sites for the workers of one process, on the clock given. Thread-safe. */
public final class InMemorySiteHealth implements SiteHealth {
  private static final Instant NEVER = Instant.MIN;

  private final InstantSource clock;
  private final Map<SiteId, Row> rows = new HashMap<>();

  private static final class Row {
    final Instant since;
    final Set<UrlHash> pages = new HashSet<>();
    int failures;
    Instant failedAt = NEVER;
    Instant answeredAt = NEVER;

    Row(Instant since) {
      this.since = since;
    }

    void end() {
      failures = 0;
      pages.clear();
    }
  }

  public InMemorySiteHealth(InstantSource clock) {
    this.clock = clock;
  }

  private Row row(SiteId site, Instant since) {
    return rows.compute(
        site, (key, row) -> row == null || row.since.isBefore(since) ? new Row(since) : row);
  }

  private static boolean isRemembered(Instant at, Instant now) {
    return now.minus(REMEMBERED).isBefore(at);
  }

  @Override
  public synchronized int failed(SiteId site, Instant since, Optional<UrlHash> page) {
    Row row = row(site, since);
    Instant now = clock.instant();
    if (!isRemembered(row.failedAt, now)) {
      row.end();
    }
    if (since.equals(row.since)) {
      boolean known = page.isPresent() && !row.pages.add(page.get());
      if (!(known && isRemembered(row.answeredAt, now))) {
        row.failures++;
        row.failedAt = now;
      }
    }
    return row.failures;
  }

  @Override
  public synchronized void answered(SiteId site, Instant since) {
    Row row = row(site, since);
    if (since.equals(row.since)) {
      row.end();
      row.answeredAt = clock.instant();
    }
  }
}
