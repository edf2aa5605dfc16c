package dev.fairfleet.redis;

import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * The gate that all workers of a fleet share: {@link dev.fairfleet.politeness.PolitenessPolicy} as
 * one script in Redis, on that server's clock.
 *
 * <p>Two keys for a site and host, in one hash slot: {@code fleet:{site}:arrival} and {@code
 * fleet:{site}:granted:host:port}. A key is forgotten an hour after it could last matter.
 */
public final class RedisGate implements Gate {
  private static final Script<List<Long>> SCRIPT = Script.ofNumbers("gate.lua");
  private static final Duration KEPT = Duration.ofHours(1);
  private static final long BY_DELAY = 1;

  private final RedisConnection redis;
  private final String fleet;
  private final ServerClock clock;

  /**
   * Creates a gate on the clock of the server.
   *
   * @param fleet first part of every key
   */
  public RedisGate(RedisConnection redis, String fleet) {
    this(redis, fleet, ServerClock.OWN);
  }

  private RedisGate(RedisConnection redis, String fleet, ServerClock clock) {
    this.redis = redis;
    this.fleet = fleet;
    this.clock = clock;
  }

  /** Returns a gate on a clock that a test sets, whole microseconds. */
  public static RedisGate onClock(RedisConnection redis, String fleet, InstantSource clock) {
    return new RedisGate(redis, fleet, ServerClock.set(clock));
  }

  @Override
  public Admission admit(SiteId site, HostKey host, GateLimits limits) {
    String tag = fleet + ":{" + site + "}:";
    String[] keys = {tag + "arrival", tag + "granted:" + host};
    long mattersMicros =
        Math.max(limits.toleranceMicros() + limits.intervalMicros(), limits.minDelayMicros());
    try {
      List<Long> answer =
          SCRIPT.run(
              redis,
              keys,
              Long.toString(limits.intervalMicros()),
              Long.toString(limits.toleranceMicros()),
              Long.toString(limits.minDelayMicros()),
              Long.toString(mattersMicros / 1_000 + KEPT.toMillis()),
              clock.argument());
      long waitMicros = answer.get(0);
      return waitMicros == 0
          ? new Admission.Granted()
          : new Admission.Deferred(
              Duration.ofNanos(waitMicros * 1_000),
              answer.get(1) == BY_DELAY ? Admission.Limit.DELAY : Admission.Limit.HOURLY);
    } catch (RuntimeException e) {
      // Whatever is wrong with the gate, a worker must neither fetch nor die of it.
      return new Admission.Unavailable("Gate of " + site + " in Redis: " + e.getMessage());
    }
  }
}
