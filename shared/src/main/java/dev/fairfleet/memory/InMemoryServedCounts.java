package dev.fairfleet.memory;

import dev.fairfleet.fairness.Percentile;
import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.site.SiteId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Served counts for the workers of one process, on the clock that they are given. */
public final class InMemoryServedCounts implements ServedCounts {
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<SiteId, Double> weights = new HashMap<>();
  private final Map<SiteId, Instant> lastServed = new HashMap<>();
  private Instant weighedAt;

  public InMemoryServedCounts(InstantSource clock) {
    this.clock = clock;
    this.weighedAt = clock.instant();
  }

  @Override
  public void add(Map<SiteId, Integer> served) {
    lock.lock();
    try {
      Instant now = clock.instant();
      advance(now);
      served.forEach(
          (site, pages) -> {
            weights.merge(site, (double) pages, Double::sum);
            lastServed.put(site, now);
          });
    } finally {
      lock.unlock();
    }
  }

  /** Lets what was served until now decay, and forgets who was not served for long. */
  private void advance(Instant now) {
    double halfLives = (double) Duration.between(weighedAt, now).toNanos() / HALF_LIFE.toNanos();
    double factor = Math.pow(2, -halfLives);
    weights.replaceAll((site, weight) -> weight * factor);
    weighedAt = now;
    lastServed.replaceAll((site, at) -> at.isAfter(now) ? now : at);
    lastServed.values().removeIf(at -> at.isBefore(now.minus(ACTIVE_FOR)));
    weights.keySet().retainAll(lastServed.keySet());
  }

  @Override
  public Percentile percentile(SiteId site) {
    lock.lock();
    try {
      advance(clock.instant());
      Double own = weights.get(site);
      if (own == null) {
        return Percentile.LOWEST;
      }
      double clearlyLess = Percentile.CLEARLY_LESS * own - Percentile.SLACK;
      long below = weights.values().stream().filter(weight -> weight < clearlyLess).count();
      return Percentile.of(below, weights.size());
    } finally {
      lock.unlock();
    }
  }
}
