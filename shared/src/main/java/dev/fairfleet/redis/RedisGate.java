package dev.fairfleet.redis;

import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.politeness.Reservation;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The gate that all workers of a fleet share: {@link PolitenessPolicy} as one script in Redis, on
 * that server's clock.
 *
 * <p>A hash for each site and one for each of its hosts, all of a site in one hash slot: {@code
 * fleet:{site}:gate} and {@code fleet:{site}:gate:host:port}. A key is forgotten an hour after it
 * could last matter.
 */
public final class RedisGate implements Gate {
  private static final Script<List<Long>> SCRIPT = Script.ofNumbers("gate.lua");

  private final RedisConnection redis;
  private final String fleet;
  private final RandomGenerator random;
  private final ServerClock clock;

  /**
   * Creates a gate on the clock of the server.
   *
   * @param fleet first part of every key
   * @param random draws the jitter of cool-downs
   */
  public RedisGate(RedisConnection redis, String fleet, RandomGenerator random) {
    this(redis, fleet, random, ServerClock.OWN);
  }

  private RedisGate(
      RedisConnection redis, String fleet, RandomGenerator random, ServerClock clock) {
    this.redis = redis;
    this.fleet = fleet;
    this.random = random;
    this.clock = clock;
  }

  /** Returns a gate on a clock that a test sets, whole microseconds. */
  public static RedisGate onClock(
      RedisConnection redis, String fleet, RandomGenerator random, InstantSource clock) {
    return new RedisGate(redis, fleet, random, ServerClock.set(clock));
  }

  // Whatever is wrong with the gate, a worker must neither fetch nor die of it.

  @Override
  public Admission admit(SiteId site, HostKey host, GateLimits limits) {
    return ask("admit", site, host, limits);
  }

  @Override
  public Admission look(SiteId site, HostKey host, GateLimits limits) {
    return ask("look", site, host, limits);
  }

  private Admission ask(String step, SiteId site, HostKey host, GateLimits limits) {
    try {
      List<Long> answer = run(step, keys(site, host), limits, 0, 0);
      return answer.get(0) == 0
          ? new Admission.Granted()
          : new Admission.Deferred(duration(answer.get(0)), limit(answer.get(1)));
    } catch (RuntimeException e) {
      return new Admission.Unavailable(reason(site, e));
    }
  }

  @Override
  public Reservation reserve(
      SiteId site, HostKey host, GateLimits limits, int slots, Duration within) {
    try {
      List<Long> after =
          run("reserve", keys(site, host), limits, slots, PolitenessPolicy.withinMicros(within));
      return new Reservation.Reserved(after.stream().map(RedisGate::duration).toList());
    } catch (RuntimeException e) {
      return new Reservation.Unavailable(reason(site, e));
    }
  }

  @Override
  public Optional<Duration> coolDown(
      SiteId site, GateLimits limits, Optional<Duration> retryAfter) {
    int jitter = random.nextInt(PolitenessPolicy.JITTER_STEPS);
    try {
      List<Long> rest =
          run(
              "coolDown",
              new String[] {key(site)},
              limits,
              PolitenessPolicy.retryAfterMicros(retryAfter),
              jitter);
      return Optional.of(duration(rest.get(0)));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private List<Long> run(String step, String[] keys, GateLimits limits, long sixth, long seventh) {
    return SCRIPT.run(
        redis,
        keys,
        step,
        clock.argument(),
        Long.toString(limits.intervalMicros()),
        Long.toString(limits.toleranceMicros()),
        Long.toString(limits.minDelayMicros()),
        Long.toString(sixth),
        Long.toString(seventh));
  }

  private String key(SiteId site) {
    return fleet + ":{" + site + "}:gate";
  }

  private String[] keys(SiteId site, HostKey host) {
    return new String[] {key(site), key(site) + ":" + host};
  }

  private static Duration duration(long micros) {
    return Duration.ofNanos(micros * 1_000);
  }

  private static Admission.Limit limit(long number) {
    return switch ((int) number) {
      case 1 -> Admission.Limit.DELAY;
      case 2 -> Admission.Limit.HOURLY;
      case 3 -> Admission.Limit.COOL_DOWN;
      default -> throw new IllegalStateException("The gate's script knows no limit " + number);
    };
  }

  private static String reason(SiteId site, RuntimeException e) {
    return "Gate of " + site + " in Redis: " + e.getMessage();
  }
}
