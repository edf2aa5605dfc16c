package dev.fairfleet.redis;

import dev.fairfleet.retry.SiteHealth;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.UrlHash;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The health of a fleet's sites in Redis, on that server's clock.
 *
 * <p>Two keys for each site, in one hash slot, which are forgotten when nothing was told of it for
 * a day: {@code fleet:{site}:health}, a hash of how long the row is and what it counts from, and
 * {@code fleet:{site}:failing}, a set of the pages in it.
 */
public final class RedisSiteHealth implements SiteHealth {
  private static final Script<List<Long>> SCRIPT = Script.ofNumbers("health.lua");

  private final RedisConnection redis;
  private final String fleet;
  private final ServerClock clock;

  /**
   * Creates the health of sites on the clock of the server.
   *
   * @param fleet first part of every key
   */
  public RedisSiteHealth(RedisConnection redis, String fleet) {
    this(redis, fleet, ServerClock.OWN);
  }

  private RedisSiteHealth(RedisConnection redis, String fleet, ServerClock clock) {
    this.redis = redis;
    this.fleet = fleet;
    this.clock = clock;
  }

  /** Returns the same on a clock that a test sets, whole microseconds. */
  public static RedisSiteHealth onClock(RedisConnection redis, String fleet, InstantSource clock) {
    return new RedisSiteHealth(redis, fleet, ServerClock.set(clock));
  }

  private int run(SiteId site, String step, Instant since, String page) {
    String tag = fleet + ":{" + site + "}:";
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, since);
    return Math.toIntExact(
        SCRIPT
            .run(
                redis,
                new String[] {tag + "health", tag + "failing"},
                step,
                clock.argument(),
                Long.toString(micros),
                page)
            .get(0));
  }

  @Override
  public int failed(SiteId site, Instant since, Optional<UrlHash> page) {
    return run(site, "failed", since, page.map(UrlHash::value).orElse(""));
  }

  @Override
  public void answered(SiteId site, Instant since) {
    int unused = run(site, "answered", since, "");
  }
}
