package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.memory.InMemoryGate;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.Reservation;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisGate;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Feeds one seeded history to the gate in Redis and to the policy, which is its specification, and
 * compares every answer, to the microsecond.
 */
final class GateComparison {
  private static final Duration MICRO = Duration.ofNanos(1_000);

  private final Random random;
  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
  private final Gate specification;
  private final Gate script;
  private final TreeMap<String, Integer> answers = new TreeMap<>();

  private GateComparison(RedisConnection redis, long seed) {
    random = new Random(seed);
    specification = new InMemoryGate(clock, new Random(seed));
    script = RedisGate.onClock(redis, TestRedis.newFleet(), new Random(seed), clock);
  }

  /** Compares {@code steps} answers, and that each kind of answer was among them. */
  static void run(RedisConnection redis, long seed, int steps) {
    GateComparison comparison = new GateComparison(redis, seed);
    for (int step = 0; step < steps; step++) {
      comparison.step("step %s of seed %s".formatted(step, seed));
    }
    assertThat(comparison.answers.keySet())
        .containsExactly(
            "COOL_DOWN", "DELAY", "HOURLY", "granted", "look", "no slot", "rest", "slots");
    assertThat(comparison.answers.values())
        .as("%s", comparison.answers)
        .allMatch(times -> times >= steps / 100);
  }

  private void step(String name) {
    SiteId site = new SiteId("site" + random.nextInt(3));
    HostKey host = new HostKey("h" + random.nextInt(2) + ".test", 80);
    int limit = 1 + random.nextInt(random.nextBoolean() ? 10 : 5_000);
    GateLimits limits =
        new GateLimits(
            limit,
            1 + random.nextInt(Math.min(limit, 10)),
            Duration.ofNanos(random.nextInt(4) * 1_000L * random.nextInt(3_000_000)));
    Duration wait =
        switch (random.nextInt(20)) {
          case 0 -> coolDown(name, site, limits);
          case 1, 2, 3, 4, 5, 6 -> reserve(name, site, host, limits);
          case 7, 8 -> look(name, site, host, limits);
          default -> admit(name, site, host, limits);
        };
    clock.advance(pause(wait));
  }

  private Duration admit(String name, SiteId site, HostKey host, GateLimits limits) {
    Admission expected = specification.admit(site, host, limits);
    assertThat(script.admit(site, host, limits)).as(name).isEqualTo(expected);
    if (expected instanceof Admission.Deferred deferred) {
      count(deferred.limit().name());
      assertThat(deferred.after()).as(name).isPositive();
      return deferred.after();
    }
    count("granted");
    return Duration.ZERO;
  }

  private Duration look(String name, SiteId site, HostKey host, GateLimits limits) {
    Admission expected = specification.look(site, host, limits);
    assertThat(script.look(site, host, limits)).as(name).isEqualTo(expected);
    count("look");
    return expected instanceof Admission.Deferred deferred ? deferred.after() : Duration.ZERO;
  }

  private Duration reserve(String name, SiteId site, HostKey host, GateLimits limits) {
    int slots = 1 + random.nextInt(12);
    Duration within = Duration.ofNanos(random.nextLong(1_200_000_000L) * 1_000);
    Reservation expected = specification.reserve(site, host, limits, slots, within);
    assertThat(script.reserve(site, host, limits, slots, within)).as(name).isEqualTo(expected);
    var after = ((Reservation.Reserved) expected).after();
    count(after.isEmpty() ? "no slot" : "slots");
    return after.isEmpty() ? Duration.ZERO : after.get(random.nextInt(after.size()));
  }

  private Duration coolDown(String name, SiteId site, GateLimits limits) {
    Optional<Duration> asked =
        switch (random.nextInt(4)) {
          case 0 -> Optional.of(Duration.ofNanos(random.nextLong(100_000_000L) * 1_000));
          case 1 -> Optional.of(Duration.ofSeconds(random.nextInt(20) == 0 ? 200_000 : 10));
          default -> Optional.empty();
        };
    Optional<Duration> expected = specification.coolDown(site, limits, asked);
    assertThat(script.coolDown(site, limits, asked)).as(name).isEqualTo(expected);
    count("rest");
    return expected.orElseThrow();
  }

  private void count(String answer) {
    answers.merge(answer, 1, Integer::sum);
  }

  /** To the very end of the wait, one microsecond beside it, a little, a lot, or back. */
  private Duration pause(Duration wait) {
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> wait;
      case 3 -> wait.minus(MICRO);
      case 4 -> wait.plus(MICRO);
      case 5 -> MICRO;
      case 6 -> Duration.ofSeconds(-random.nextInt(90));
      case 7 -> Duration.ofNanos(random.nextLong(3_000_000_000L) / 1_000 * 1_000);
      case 8 -> Duration.ofSeconds(random.nextInt(random.nextInt(20) == 0 ? 7_200 : 20));
      default -> Duration.ZERO;
    };
  }
}
