package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.fairness.Percentile;
import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.fairness.ServedCountsContract;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisServedCounts;
import dev.fairfleet.site.SiteId;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisServedCountsIT extends ServedCountsContract {
  private static final SiteId A = new SiteId("a");
  private static final SiteId B = new SiteId("b");

  private static final String SCORES = ":{served}:scores";
  private static final String TIMES = ":{served}:times";
  private static final String LANDMARK = ":{served}:landmark";

  @SuppressWarnings("NullAway.Init")
  private static TestRedis redis;

  private final String fleet = TestRedis.newFleet();

  @BeforeAll
  static void connect() {
    redis = new TestRedis();
  }

  @AfterAll
  static void disconnect() {
    redis.close();
  }

  @Override
  protected ServedCounts empty() {
    return RedisServedCounts.onClock(redis.connection(), fleet, clock);
  }

  @Test
  void add_onTheServersClock_ranksAndForgetsAfterAnHour() {
    ServedCounts counts = new RedisServedCounts(redis.connection(), fleet, Duration.ZERO);
    counts.add(Map.of(A, 100, B, 200));

    assertThat(counts.percentile(B)).isEqualTo(new Percentile(0.5));
    for (String key : List.of(SCORES, TIMES, LANDMARK)) {
      assertThat(redis.beside().pttl(fleet + key))
          .isBetween(ServedCounts.ACTIVE_FOR.toMillis(), Duration.ofHours(1).toMillis());
    }
  }

  /** P98: keys that would stay for ever are given an end. */
  @Test
  void add_keysWithoutTimeToLive_areRepaired() {
    empty().add(Map.of(A, 100));
    for (String key : List.of(SCORES, TIMES, LANDMARK)) {
      redis.beside().persist(fleet + key);
    }

    empty().add(Map.of(A, 100));

    for (String key : List.of(SCORES, TIMES, LANDMARK)) {
      assertThat(redis.beside().pttl(fleet + key)).isPositive();
    }
  }

  @Test
  void percentile_sitesForgotten_areNoLongerStored() {
    ServedCounts counts = empty();
    counts.add(Map.of(A, 100, B, 200));
    clock.advance(ServedCounts.ACTIVE_FOR.plusSeconds(1));

    assertThat(counts.percentile(B)).isEqualTo(Percentile.LOWEST);

    assertThat(redis.beside().exists(fleet + SCORES, fleet + TIMES)).isZero();
  }

  /** Such a site would never be forgotten. */
  @Test
  void percentile_siteWithoutTime_isForgotten() {
    ServedCounts counts = empty();
    counts.add(Map.of(A, 100, B, 1_000));
    redis.beside().zadd(fleet + SCORES, 1, "without-time");

    assertThat(counts.percentile(B)).isEqualTo(new Percentile(0.5));

    assertThat(redis.beside().zscore(fleet + SCORES, "without-time")).isNull();
  }

  /** P99: a server that forgot the script is given it again. */
  @Test
  void percentile_scriptFlushed_loadsItAgain() {
    ServedCounts counts = empty();
    counts.add(Map.of(A, 100, B, 1_000));
    redis.beside().scriptFlush();

    assertThat(counts.percentile(B)).isEqualTo(new Percentile(0.5));
  }

  @Test
  void percentile_fresh_isRemembered() {
    ServedCounts counts = new RedisServedCounts(redis.connection(), fleet, Duration.ofDays(1));
    counts.add(Map.of(A, 100, B, 200));
    assertThat(counts.percentile(A)).isEqualTo(Percentile.LOWEST);

    counts.add(Map.of(A, 1_000));

    assertThat(counts.percentile(A)).isEqualTo(Percentile.LOWEST);
    assertThat(new RedisServedCounts(redis.connection(), fleet, Duration.ZERO).percentile(A))
        .isEqualTo(new Percentile(0.5));
  }

  @Test
  void add_landmarkLostOrSpoilt_startsAnew() {
    ServedCounts counts = empty();
    for (String landmark : new String[] {"garbage", "nan", "-5", "1e300"}) {
      counts.add(Map.of(A, 100, B, 200));
      redis.beside().set(fleet + LANDMARK, landmark);

      counts.add(Map.of(A, 200, B, 100));

      assertThat(counts.percentile(A)).as(landmark).isEqualTo(new Percentile(0.5));
      assertThat(counts.percentile(B)).as(landmark).isEqualTo(Percentile.LOWEST);
    }
  }

  @Test
  void percentile_redisAway_isLowest() {
    try (RedisConnection nowhere =
        new RedisConnection(URI.create("redis://127.0.0.1:1"), false, Duration.ofSeconds(2))) {
      ServedCounts counts = new RedisServedCounts(nowhere, fleet, Duration.ZERO);
      counts.add(Map.of(A, 100, B, 200));

      assertThat(counts.percentile(B)).isEqualTo(Percentile.LOWEST);
    }
  }
}
