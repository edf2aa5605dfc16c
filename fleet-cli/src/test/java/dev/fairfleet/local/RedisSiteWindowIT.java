package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.fairness.SiteWindow.Inspection;
import dev.fairfleet.fairness.SiteWindow.View;
import dev.fairfleet.fairness.SiteWindowContract;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisSiteWindow;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import io.lettuce.core.RedisException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSiteWindowIT extends SiteWindowContract {
  private static final SiteId SITE = new SiteId("a");
  private static final UrlHash URL = CrawlUrl.of("http://a.test/").hash();
  private static final UrlHash OTHER_URL = CrawlUrl.of("http://a.test/other").hash();
  private static final Duration STAY = Duration.ofHours(1);
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final View NEW = new View(0, 0, false);
  private static final CrawlId CRAWL = CrawlId.scheduledFor(Instant.EPOCH);

  @SuppressWarnings("NullAway.Init")
  private static TestRedis redis;

  private final String fleet = TestRedis.newFleet();
  private final String windowKey = fleet + ":{a}:window";
  private final String fillKey = fleet + ":{a}:fill";
  private final String sweepKey = fleet + ":{sweep}:begun";

  @BeforeAll
  static void connect() {
    redis = new TestRedis();
  }

  @AfterAll
  static void disconnect() {
    redis.close();
  }

  @Override
  protected SiteWindow window() {
    return RedisSiteWindow.onClock(redis.connection(), fleet, clock);
  }

  private View view() {
    return window().leave(SITE, List.of());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void all_seededHistory_answersAsTheOneInMemoryDoes(long seed) {
    WindowComparison.run(redis.connection(), seed, 10_000);
  }

  @Test
  void enter_onTheServersClock_isTimedByIt() {
    SiteWindow window = new RedisSiteWindow(redis.connection(), fleet);
    long before = serverMicros();
    window.enter(SITE, List.of(URL), 3, STAY);
    long after = serverMicros();

    assertThat(redis.beside().zscore(windowKey, URL.value()))
        .isBetween(before + STAY.toNanos() / 1e3, after + STAY.toNanos() / 1e3);
  }

  private static long serverMicros() {
    List<String> time = redis.beside().time();
    return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
  }

  @Test
  void stay_forAsLongAsPossible_isForgottenLaterThanItIsOverdue() {
    window().stay(SITE, List.of(URL), SiteWindow.LONGEST_STAY);
    window().stay(SITE, List.of(OTHER_URL), Duration.ofSeconds(1));

    assertForgottenInTime();
  }

  private void assertForgottenInTime() {
    assertThat(redis.beside().pttl(windowKey))
        .isBetween(SiteWindow.LONGEST_STAY.plusDays(6).toMillis(), Duration.ofDays(21).toMillis());
    assertThat(redis.beside().pttl(fillKey))
        .isBetween(Duration.ofDays(6).toMillis(), Duration.ofDays(7).toMillis());
  }

  /** P98: keys that would stay for ever are given an end. */
  @Test
  void inspect_keysWithoutTimeToLive_areRepaired() {
    window().enter(SITE, List.of(URL), 3, STAY);
    redis.beside().persist(windowKey);
    redis.beside().persist(fillKey);

    assertThat(window().inspect(SITE).view().inside()).isEqualTo(1);

    assertForgottenInTime();
  }

  @Test
  void leave_keysOfAnotherType_areForgotten() {
    redis.beside().set(windowKey, "x");
    redis.beside().rpush(fillKey, "x");

    assertThat(view()).isEqualTo(NEW);
    assertThat(window().enter(SITE, List.of(URL), 3, STAY)).containsExactly(URL);
  }

  /** P98: whatever stands in a field, it counts as never set, and the site goes on. */
  @ParameterizedTest
  @ValueSource(
      strings = {"garbage", "", "nan", "inf", "-inf", "-1", "1.5", "99999999999999999999", "1e300"})
  void inspect_spoiltFields_countAsNeverSet(String spoilt) {
    for (String field :
        List.of("size", "shelvedAt", "emptySince", "bareUntil", "fillingUntil", "walk")) {
      redis.beside().hset(fillKey, Map.of(field, spoilt));
    }

    assertThat(window().inspect(SITE)).isEqualTo(new Inspection(NEW, List.of(), Duration.ZERO));
    assertThat(window().position(SITE, CRAWL)).isEmpty();
    assertThat(window().enter(SITE, List.of(URL, OTHER_URL), 1, STAY)).containsExactly(URL);
    assertThat(window().beginFill(SITE)).isTrue();
    clock.advance(SiteWindow.ON_THE_WAY);
    window().filled(SITE, 20, true);
    window().walkedTo(SITE, CRAWL, "7:page");
    assertThat(window().position(SITE, CRAWL)).isEqualTo("7:page");
    assertThat(window().inspect(SITE))
        .isEqualTo(new Inspection(new View(20, 1, true), List.of(), Duration.ZERO));
  }

  /** P98: what is no crawl and a position is no position. */
  @ParameterizedTest
  @ValueSource(strings = {"7:page", " 7:page", "x 7:page", "1970-01-01T00:00:00Z"})
  void position_spoiltWalk_isEmpty(String spoilt) {
    redis.beside().hset(fillKey, "walk", spoilt);

    assertThat(window().position(SITE, CRAWL)).isEmpty();
    window().walkedTo(SITE, CRAWL, "8:");
    assertThat(window().position(SITE, CRAWL)).isEqualTo("8:");
  }

  @Test
  void walkedTo_keysOfAnotherType_isRemembered() {
    redis.beside().set(windowKey, "x");
    redis.beside().rpush(fillKey, "x");

    window().walkedTo(SITE, CRAWL, "7:page");

    assertThat(window().position(SITE, CRAWL)).isEqualTo("7:page");
    assertThat(redis.beside().pttl(fillKey)).isPositive();
  }

  @Test
  void inspect_spoiltMembers_areOverdueOrPutOut() {
    redis.beside().zadd(windowKey, Double.POSITIVE_INFINITY, URL.value());
    redis.beside().zadd(windowKey, Double.NEGATIVE_INFINITY, OTHER_URL.value());
    redis.beside().zadd(windowKey, 1e300, "garbage");

    Inspection inspection = window().inspect(SITE);

    assertThat(inspection.overdue()).containsExactlyInAnyOrder(URL, OTHER_URL);
    assertThat(inspection.view().inside()).isEqualTo(2);
    assertThat(window().inspect(SITE).overdue()).isEmpty();
  }

  /** P103: a clock that stepped back makes nothing negative and keeps nobody from filling up. */
  @Test
  void inspect_clockSteppedBack_takesWhatLiesAheadForNeverSet() {
    window().inspect(SITE);
    window().beginFill(SITE);
    window().filled(SITE, 20, true);
    window().beginFill(SITE);
    window().beginSweep(EVERY);
    clock.advance(Duration.ofSeconds(-90));

    assertThat(window().inspect(SITE))
        .isEqualTo(new Inspection(new View(20, 0, false), List.of(), Duration.ZERO));
    assertThat(window().beginFill(SITE)).isTrue();
    assertThat(window().beginSweep(EVERY)).isTrue();
  }

  @Test
  void beginSweep_onTheServersClock_isTimedByIt() {
    SiteWindow window = new RedisSiteWindow(redis.connection(), fleet);
    long before = serverMicros();

    assertThat(window.beginSweep(EVERY)).isTrue();

    assertThat(Long.parseLong(redis.beside().get(sweepKey))).isBetween(before, serverMicros());
    assertThat(redis.beside().pttl(sweepKey))
        .isBetween(EVERY.toMillis(), Duration.ofDays(1).toMillis());
  }

  /** P98: whatever stands there, and without an end, the next sweep begins. */
  @ParameterizedTest
  @ValueSource(strings = {"garbage", "", "nan", "inf", "-inf", "-1", "1e300"})
  void beginSweep_spoiltMoment_countsAsNever(String spoilt) {
    redis.beside().set(sweepKey, spoilt);

    assertThat(window().beginSweep(EVERY)).isTrue();
    assertThat(window().beginSweep(EVERY)).isFalse();
    assertThat(redis.beside().pttl(sweepKey)).isPositive();
  }

  @Test
  void beginSweep_keyOfAnotherType_isForgotten() {
    redis.beside().rpush(sweepKey, "x");

    assertThat(window().beginSweep(EVERY)).isTrue();
    assertThat(window().beginSweep(EVERY)).isFalse();
  }

  /** P99: a server that forgot the script is given it again. */
  @Test
  void enter_scriptFlushed_loadsItAgain() {
    window().enter(SITE, List.of(URL), 3, STAY);
    redis.beside().scriptFlush();

    assertThat(window().enter(SITE, List.of(URL, OTHER_URL), 3, STAY)).containsExactly(OTHER_URL);
  }

  @Test
  void enter_redisAway_throwsItsClientsException() {
    try (RedisConnection nowhere =
        new RedisConnection(URI.create("redis://127.0.0.1:1"), false, Duration.ofSeconds(2))) {
      SiteWindow window = new RedisSiteWindow(nowhere, fleet);

      assertThatThrownBy(() -> window.enter(SITE, List.of(URL), 3, STAY))
          .isInstanceOf(RedisException.class);
    }
  }
}
