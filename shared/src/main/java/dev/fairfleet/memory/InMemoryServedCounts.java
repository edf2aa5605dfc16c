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
  private Instant weighedAt;

  public InMemoryServedCounts(InstantSource clock) {
    this.clock = clock;
    this.weighedAt = clock.instant();
  }

  @Override
  public void add(Map<SiteId, Integer> served) {
    lock.lock();
    try {
      decay(clock.instant());
      served.forEach((site, pages) -> weights.merge(site, (double) pages, Double::sum));
      weights.values().removeIf(weight -> weight < LEAST_WEIGHT);
    } finally {
      lock.unlock();
    }
  }

  private void decay(Instant now) {
    double halfLives = (double) Duration.between(weighedAt, now).toNanos() / HALF_LIFE.toNanos();
    double factor = Math.pow(2, -halfLives);
    weights.replaceAll((site, weight) -> weight * factor);
    weighedAt = now;
  }

  @Override
  public Percentile percentile(SiteId site) {
    lock.lock();
    try {
      Double own = weights.get(site);
      if (own == null) {
        return Percentile.LOWEST;
      }
      long below = weights.values().stream().filter(weight -> weight < own).count();
      return Percentile.of(below, weights.size());
    } finally {
      lock.unlock();
    }
  }
}
