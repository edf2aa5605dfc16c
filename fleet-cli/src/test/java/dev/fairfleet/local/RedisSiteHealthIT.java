package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.memory.InMemorySiteHealth;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisSiteHealth;
import dev.fairfleet.retry.SiteHealth;
import dev.fairfleet.retry.SiteHealthContract;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import io.lettuce.core.RedisException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSiteHealthIT extends SiteHealthContract {
  private static final SiteId SITE = new SiteId("a");
  private static final Optional<UrlHash> PAGE = Optional.of(CrawlUrl.of("http://a.test/").hash());

  @SuppressWarnings("NullAway.Init")
  private static TestRedis redis;

  private final String fleet = TestRedis.newFleet();
  private final String rowKey = fleet + ":{a}:health";
  private final String pagesKey = fleet + ":{a}:failing";

  @BeforeAll
  static void connect() {
    redis = new TestRedis();
  }

  @AfterAll
  static void disconnect() {
    redis.close();
  }

  @Override
  protected SiteHealth health() {
    return RedisSiteHealth.onClock(redis.connection(), fleet, clock);
  }

  private int failed() {
    return health().failed(SITE, Instant.EPOCH, PAGE);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void all_seededHistory_answersAsTheOneInMemoryDoes(long seed) {
    Random random = new Random(seed);
    SettableClock time = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
    SiteHealth expected = new InMemorySiteHealth(time);
    SiteHealth actual = RedisSiteHealth.onClock(redis.connection(), fleet, time);
    Instant since = Instant.EPOCH;
    for (int step = 0; step < 5_000; step++) {
      if (random.nextInt(50) == 0) {
        since = time.instant();
      }
      Instant told = random.nextInt(20) == 0 ? since.minusSeconds(1) : since;
      SiteId site = new SiteId("site" + random.nextInt(2));
      if (random.nextInt(6) == 0) {
        expected.answered(site, told);
        actual.answered(site, told);
      }
      Optional<UrlHash> page =
          random.nextInt(10) == 0
              ? Optional.empty()
              : Optional.of(CrawlUrl.of("http://a.test/" + random.nextInt(6)).hash());
      assertThat(actual.failed(site, told, page))
          .as("step %s of seed %s", step, seed)
          .isEqualTo(expected.failed(site, told, page));
      time.advance(pause(random));
    }
  }

  private static Duration pause(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> SiteHealth.REMEMBERED;
      case 1 -> SiteHealth.REMEMBERED.minusNanos(1_000);
      case 2 -> Duration.ofHours(random.nextInt(24));
      default -> Duration.ofSeconds(random.nextInt(20));
    };
  }

  @Test
  void failed_onTheServersClock_isTimedByIt() {
    SiteHealth health = new RedisSiteHealth(redis.connection(), fleet);
    long before = serverMicros();
    health.failed(SITE, Instant.EPOCH, PAGE);

    assertThat(Long.parseLong(redis.beside().hget(rowKey, "failedAt")))
        .isBetween(before, serverMicros());
  }

  private static long serverMicros() {
    List<String> time = redis.beside().time();
    return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
  }

  /** P98: no key stays for ever. */
  @Test
  void all_anyStep_keysAreForgottenInTime_p98() {
    failed();
    assertForgottenInTime(rowKey, pagesKey);
    redis.beside().persist(rowKey);
    redis.beside().persist(pagesKey);
    assertThat(failed()).isEqualTo(2);
    assertForgottenInTime(rowKey, pagesKey);

    redis.beside().persist(rowKey);
    health().answered(SITE, Instant.EPOCH);

    assertForgottenInTime(rowKey);
    assertThat(redis.beside().exists(pagesKey)).isZero();
  }

  private static void assertForgottenInTime(String... keys) {
    for (String key : keys) {
      assertThat(redis.beside().pttl(key))
          .isBetween(Duration.ofHours(23).toMillis(), SiteHealth.REMEMBERED.toMillis());
    }
  }

  @Test
  void failed_keysOfAnotherType_areForgotten() {
    redis.beside().set(rowKey, "x");
    redis.beside().rpush(pagesKey, "x");
    assertThat(failed()).isEqualTo(1);
    redis.beside().del(pagesKey);
    redis.beside().set(pagesKey, "x");

    assertThat(failed()).isEqualTo(2);
    assertThat(redis.beside().type(pagesKey)).isEqualTo("set");
  }

  @Test
  void answered_keysOfAnotherType_areForgotten() {
    redis.beside().set(rowKey, "x");
    redis.beside().rpush(pagesKey, "x");

    health().answered(SITE, Instant.EPOCH);

    assertThat(failed()).isEqualTo(1);
    assertThat(failed()).isEqualTo(1);
  }

  /** P98: whatever stands in a field, it counts as never set, and the site is counted anew. */
  @ParameterizedTest
  @ValueSource(
      strings = {"garbage", "", "nan", "inf", "-inf", "-1", "1.5", "99999999999999999999", "1e300"})
  void failed_spoiltFields_countAsNeverSet(String spoilt) {
    for (String field : List.of("failures", "failedAt", "answeredAt", "since")) {
      redis.beside().hset(rowKey, Map.of(field, spoilt));
    }

    assertThat(Stream.generate(this::failed).limit(3)).containsExactly(1, 2, 3);
  }

  /** P103: what a clock that stepped back finds ahead of it never was. */
  @Test
  void failed_clockSteppedBack_countsAnew() {
    failed();
    clock.advance(Duration.ofSeconds(-90));

    assertThat(failed()).isEqualTo(1);
    assertThat(failed()).isEqualTo(2);
  }

  /** P99: a server that forgot the script is given it again. */
  @Test
  void failed_scriptFlushed_loadsItAgain() {
    failed();
    redis.beside().scriptFlush();

    assertThat(failed()).isEqualTo(2);
  }

  @Test
  void failed_redisAway_throwsItsClientsException() {
    try (RedisConnection nowhere =
        new RedisConnection(URI.create("redis://127.0.0.1:1"), false, Duration.ofSeconds(2))) {
      SiteHealth health = new RedisSiteHealth(nowhere, fleet);

      assertThatThrownBy(() -> health.failed(SITE, Instant.EPOCH, PAGE))
          .isInstanceOf(RedisException.class);
    }
  }
}
