package dev.fairfleet.redis;

import dev.fairfleet.fairness.Percentile;
import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.site.SiteId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The served counts of a fleet: a sorted set in Redis with forward decay, on that server's clock.
 *
 * <p>A percentile is remembered for as long as the caller allows, because it is asked for with
 * every page and moves slowly. Three keys in one hash slot, which are forgotten when nothing was
 * added for an hour: {@code fleet:{served}:scores}, {@code fleet:{served}:times}, when each site
 * was last served, and {@code fleet:{served}:landmark}, the moment at which a page served counts 1.
 */
public final class RedisServedCounts implements ServedCounts {
  private static final Logger log = LoggerFactory.getLogger(RedisServedCounts.class);

  private static final Script<List<Long>> SCRIPT = Script.ofNumbers("served.lua");
  private static final Duration KEPT = Duration.ofHours(1);
  private static final int MOST_REMEMBERED = 10_000;
  private static final int MOST_SITES_A_CALL = 1_000;

  private final RedisConnection redis;
  private final String[] keys;
  private final ServerClock server;
  private final long freshNanos;
  private final ConcurrentHashMap<SiteId, Remembered> remembered = new ConcurrentHashMap<>();

  private record Remembered(Percentile percentile, long atNanos) {}

  /**
   * Creates counts on the clock of the server.
   *
   * @param fleet first part of every key
   * @param fresh how long a percentile may be remembered; zero asks every time
   */
  public RedisServedCounts(RedisConnection redis, String fleet, Duration fresh) {
    this(redis, fleet, fresh, ServerClock.OWN);
  }

  private RedisServedCounts(
      RedisConnection redis, String fleet, Duration fresh, ServerClock server) {
    this.redis = redis;
    String tag = fleet + ":{served}:";
    this.keys = new String[] {tag + "scores", tag + "times", tag + "landmark"};
    this.server = server;
    this.freshNanos = fresh.toNanos();
  }

  /** Returns counts on a clock that a test sets, which remember nothing. */
  public static RedisServedCounts onClock(
      RedisConnection redis, String fleet, InstantSource clock) {
    return new RedisServedCounts(redis, fleet, Duration.ZERO, ServerClock.set(clock));
  }

  @Override
  public void add(Map<SiteId, Integer> served) {
    List<String> args = new ArrayList<>();
    for (Map.Entry<SiteId, Integer> entry : served.entrySet()) {
      args.add(entry.getKey().value());
      args.add(Integer.toString(entry.getValue()));
      if (args.size() == 2 * MOST_SITES_A_CALL) {
        add(args);
        args.clear();
      }
    }
    if (!args.isEmpty()) {
      add(args);
    }
  }

  private List<Long> run(String step, Stream<String> arguments) {
    Stream<String> all =
        Stream.concat(
            Stream.of(step, server.argument(), micros(HALF_LIFE), micros(ACTIVE_FOR)), arguments);
    return SCRIPT.run(redis, keys, all.toArray(String[]::new));
  }

  private static String micros(Duration duration) {
    return Long.toString(duration.toNanos() / 1_000);
  }

  private void add(List<String> sitesAndPages) {
    Stream<String> kept = Stream.of(Long.toString(KEPT.toMillis()));
    try {
      List<Long> unused = run("add", Stream.concat(kept, sitesAndPages.stream()));
    } catch (RuntimeException e) {
      log.warn(
          "Pages served of {} sites are not counted: {}; fairness is coarser until Redis is back",
          sitesAndPages.size() / 2,
          e.getMessage());
    }
  }

  @Override
  public Percentile percentile(SiteId site) {
    long now = System.nanoTime();
    Remembered known = remembered.get(site);
    if (known != null && now - known.atNanos() < freshNanos) {
      return known.percentile();
    }
    Percentile percentile = ask(site);
    if (freshNanos > 0) {
      if (remembered.size() >= MOST_REMEMBERED) {
        remembered.clear();
      }
      remembered.put(site, new Remembered(percentile, now));
    }
    return percentile;
  }

  private Percentile ask(SiteId site) {
    try {
      List<Long> answer =
          run(
              "rank",
              Stream.of(
                  site.value(),
                  Double.toString(Percentile.CLEARLY_LESS),
                  Integer.toString(Percentile.SLACK)));
      return Percentile.of(answer.get(0), answer.get(1));
    } catch (RuntimeException e) {
      log.debug("Percentile of {} is not known", site, e);
      return Percentile.LOWEST;
    }
  }
}
