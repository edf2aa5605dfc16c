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
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisServedCountsIT extends ServedCountsContract {
  private static final SiteId A = new SiteId("a");
  private static final SiteId B = new SiteId("b");

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
  void add_onTheServersClock_ranksAndForgetsAfterTwoDays() {
    ServedCounts counts = new RedisServedCounts(redis.connection(), fleet, Duration.ZERO);
    counts.add(Map.of(A, 1, B, 2));

    assertThat(counts.percentile(B)).isEqualTo(new Percentile(0.5));
    for (String key : new String[] {"scores", "landmark"}) {
      assertThat(redis.beside().pttl(fleet + ":{served}:" + key))
          .isBetween(Duration.ofDays(1).toMillis(), Duration.ofDays(2).toMillis());
    }
  }

  @Test
  void percentile_fresh_isRemembered() {
    ServedCounts counts = new RedisServedCounts(redis.connection(), fleet, Duration.ofDays(1));
    counts.add(Map.of(A, 1, B, 2));
    assertThat(counts.percentile(A)).isEqualTo(Percentile.LOWEST);

    counts.add(Map.of(A, 10));

    assertThat(counts.percentile(A)).isEqualTo(Percentile.LOWEST);
    assertThat(new RedisServedCounts(redis.connection(), fleet, Duration.ZERO).percentile(A))
        .isEqualTo(new Percentile(0.5));
  }

  @Test
  void add_landmarkLostOrSpoilt_startsAnew() {
    ServedCounts counts = empty();
    for (String landmark : new String[] {"garbage", "nan", "-5", "1e300"}) {
      counts.add(Map.of(A, 1, B, 2));
      redis.beside().set(fleet + ":{served}:landmark", landmark);

      counts.add(Map.of(A, 2, B, 1));

      assertThat(counts.percentile(A)).as(landmark).isEqualTo(new Percentile(0.5));
      assertThat(counts.percentile(B)).as(landmark).isEqualTo(Percentile.LOWEST);
    }
  }

  @Test
  void percentile_redisAway_isLowest() {
    try (RedisConnection nowhere =
        new RedisConnection(URI.create("redis://127.0.0.1:1"), false, Duration.ofSeconds(2))) {
      ServedCounts counts = new RedisServedCounts(nowhere, fleet, Duration.ZERO);
      counts.add(Map.of(A, 1, B, 2));

      assertThat(counts.percentile(B)).isEqualTo(Percentile.LOWEST);
    }
  }
}
