package dev.fairfleet.memory;

import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.GateState;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** A gate for the workers of one process, on the clock that it is given. Never unavailable. */
public final class InMemoryGate implements Gate {
  private final PolitenessPolicy policy = new PolitenessPolicy();
  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<SiteId, Long> arrivals = new HashMap<>();
  private final Map<SiteHost, Long> grants = new HashMap<>();

  private record SiteHost(SiteId site, HostKey host) {}

  public InMemoryGate(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public Admission admit(SiteId site, HostKey host, GateLimits limits) {
    SiteHost siteHost = new SiteHost(site, host);
    lock.lock();
    try {
      long nowMicros = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
      GateState state =
          new GateState(arrivals.getOrDefault(site, 0L), grants.getOrDefault(siteHost, 0L));
      PolitenessPolicy.Decision decision = policy.admit(state, limits, nowMicros);
      if (decision.next().isPresent()) {
        GateState next = decision.next().get();
        arrivals.put(site, next.arrivalMicros());
        grants.put(siteHost, next.grantedMicros());
      }
      return decision.admission();
    } finally {
      lock.unlock();
    }
  }
}
