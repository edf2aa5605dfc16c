package dev.fairfleet.memory;

import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.GateState;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.politeness.Reservation;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/** A gate for the workers of one process, on the clock that it is given. Never unavailable. */
public final class InMemoryGate implements Gate {
  private final PolitenessPolicy policy = new PolitenessPolicy();
  private final InstantSource clock;
  private final RandomGenerator random;
  private final ReentrantLock lock = new ReentrantLock();
  // Of each state only the part counts that belongs to a site, or to a host.
  private final Map<SiteId, GateState> sites = new HashMap<>();
  private final Map<SiteHost, GateState> hosts = new HashMap<>();

  private record SiteHost(SiteId site, HostKey host) {}

  /**
   * @param random draws the jitter of cool-downs
   */
  public InMemoryGate(InstantSource clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  @Override
  public Admission admit(SiteId site, HostKey host, GateLimits limits) {
    SiteHost siteHost = new SiteHost(site, host);
    lock.lock();
    try {
      PolitenessPolicy.Decision decision = policy.admit(state(siteHost), limits, nowMicros());
      decision.next().ifPresent(next -> remember(siteHost, next));
      return decision.admission();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Admission look(SiteId site, HostKey host, GateLimits limits) {
    lock.lock();
    try {
      return policy.admit(state(new SiteHost(site, host)), limits, nowMicros()).admission();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Reservation reserve(
      SiteId site, HostKey host, GateLimits limits, int slots, Duration within) {
    SiteHost siteHost = new SiteHost(site, host);
    lock.lock();
    try {
      PolitenessPolicy.Slots reserved =
          policy.reserve(
              state(siteHost), limits, slots, PolitenessPolicy.withinMicros(within), nowMicros());
      remember(siteHost, reserved.next());
      return new Reservation.Reserved(reserved.after());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<Duration> coolDown(
      SiteId site, GateLimits limits, Optional<Duration> retryAfter) {
    lock.lock();
    try {
      long nowMicros = nowMicros();
      GateState next =
          policy.coolDown(
              sites.getOrDefault(site, GateState.NEW),
              limits,
              PolitenessPolicy.retryAfterMicros(retryAfter),
              random.nextInt(PolitenessPolicy.JITTER_STEPS),
              nowMicros);
      sites.put(site, next);
      return Optional.of(Duration.ofNanos((next.coolUntilMicros() - nowMicros) * 1_000));
    } finally {
      lock.unlock();
    }
  }

  private long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  private GateState state(SiteHost siteHost) {
    GateState site = sites.getOrDefault(siteHost.site(), GateState.NEW);
    GateState host = hosts.getOrDefault(siteHost, GateState.NEW);
    return new GateState(
        site.arrivalMicros(),
        site.tailMicros(),
        site.coolUntilMicros(),
        site.coolMicros(),
        host.grantedMicros(),
        host.hostTailMicros());
  }

  private void remember(SiteHost siteHost, GateState next) {
    sites.put(siteHost.site(), next);
    hosts.put(siteHost, next);
  }
}
