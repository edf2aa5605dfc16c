package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisRobotsStore;
import dev.fairfleet.robots.Origin;
import dev.fairfleet.robots.RobotsFile;
import dev.fairfleet.robots.RobotsNote;
import dev.fairfleet.robots.RobotsPolicy;
import dev.fairfleet.robots.RobotsStore;
import dev.fairfleet.robots.RobotsStoreContract;
import dev.fairfleet.url.CrawlUrl;
import io.lettuce.core.RedisException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisRobotsStoreIT extends RobotsStoreContract {
  private static final Origin ORIGIN = Origin.of(CrawlUrl.of("https://a.test/"));
  private static final Origin ADDRESS = Origin.of(CrawlUrl.of("http://[::1]:8080/"));
  private static final Duration LEASE = Duration.ofMinutes(2);
  private static final Duration FRESH = Duration.ofHours(12);
  private static final RobotsFile FILE =
      new RobotsFile.Text("User-agent: *\nDisallow: /x\n", Validators.NONE);

  @SuppressWarnings("NullAway.Init")
  private static TestRedis redis;

  private final String fleet = TestRedis.newFleet();
  private final String key = fleet + ":{https://a.test:443}:robots";

  @BeforeAll
  static void connect() {
    redis = new TestRedis();
  }

  @AfterAll
  static void disconnect() {
    redis.close();
  }

  @Override
  protected RobotsStore store() {
    return RedisRobotsStore.onClock(redis.connection(), fleet, clock);
  }

  private void had() {
    store().had(ORIGIN, store().begin(ORIGIN, LEASE).orElseThrow(), FILE, FRESH);
  }

  @Test
  void had_onTheServersClock_isTimedByItAndForgottenAfterItIsBelieved() {
    RobotsStore store = new RedisRobotsStore(redis.connection(), fleet);
    store.had(ORIGIN, store.begin(ORIGIN, LEASE).orElseThrow(), FILE, FRESH);

    RobotsNote note = store.find(ORIGIN);
    assertThat(note.file()).contains(FILE);
    assertThat(note.age()).isLessThan(Duration.ofHours(1));
    assertThat(note.age().plus(note.askAgainIn())).isEqualTo(FRESH);
    assertThat(redis.beside().pttl(key))
        .isBetween(
            RobotsPolicy.BELIEVED.plusHours(1).toMillis(), RobotsPolicy.BELIEVED.toMillis() * 2);
  }

  @Test
  void had_largeFile_isStoredSmall() {
    RobotsFile large =
        new RobotsFile.Text("Disallow: /some/path/\n".repeat(20_000), Validators.NONE);
    store().had(ORIGIN, store().begin(ORIGIN, LEASE).orElseThrow(), large, FRESH);

    assertThat(store().find(ORIGIN).file()).contains(large);
    assertThat(redis.beside().hget(key, "body")).hasSizeLessThan(10_000);
  }

  @Test
  void begin_addressForAHost_hasAKeyOfItsOwn() {
    store().failed(ADDRESS, store().begin(ADDRESS, LEASE).orElseThrow(), "503", FRESH);

    assertThat(redis.beside().exists(fleet + ":{" + ADDRESS + "}:robots")).isEqualTo(1);
    assertThat(store().find(ADDRESS).failures()).isEqualTo(1);
  }

  /** P98: a key that would stay for ever is given an end. */
  @Test
  void find_keyWithoutTimeToLive_isRepaired() {
    had();
    redis.beside().persist(key);

    assertThat(store().find(ORIGIN).file()).contains(FILE);
    assertThat(redis.beside().pttl(key)).isPositive();
  }

  @Test
  void find_keyOfAnotherType_isForgotten() {
    redis.beside().rpush(key, "x");

    assertThat(store().find(ORIGIN)).isEqualTo(RobotsNote.UNKNOWN);
    had();
    assertThat(store().find(ORIGIN).file()).contains(FILE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "", "nan", "inf", "-inf", "-1", "1.5", "1e300"})
  void find_spoiltNumbers_countAsNeverSet(String spoilt) {
    had();
    for (String field : List.of("hadAt", "failures", "askAgainAt", "turn", "turnUntil")) {
      redis.beside().hset(key, Map.of(field, spoilt));
    }

    assertThat(store().find(ORIGIN)).isEqualTo(RobotsNote.UNKNOWN);
    had();
    assertThat(store().find(ORIGIN))
        .isEqualTo(new RobotsNote(Optional.of(FILE), Duration.ZERO, 0, "", FRESH));
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "", "%%%", "H4sIAAAAAAAA"})
  void find_spoiltText_isForgottenAndAskedForAgain(String spoilt) {
    had();
    redis.beside().hset(key, Map.of("body", spoilt));

    assertThat(store().find(ORIGIN)).isEqualTo(RobotsNote.UNKNOWN);
    had();
    assertThat(store().find(ORIGIN).file()).contains(FILE);
  }

  /** P103: a clock that stepped back makes nothing negative, and what lies ahead is asked again. */
  @Test
  void find_clockSteppedBack_isAskedForAgain() {
    had();
    clock.advance(Duration.ofSeconds(-90));

    RobotsNote note = store().find(ORIGIN);
    assertThat(note).isEqualTo(RobotsNote.UNKNOWN);
    assertThat(store().begin(ORIGIN, LEASE)).isPresent();
  }

  /** P99: a server that forgot the script is given it again. */
  @Test
  void find_scriptFlushed_loadsItAgain() {
    had();
    redis.beside().scriptFlush();

    assertThat(store().find(ORIGIN).file()).contains(FILE);
  }

  @Test
  void find_redisAway_throwsItsClientsException() {
    try (RedisConnection nowhere =
        new RedisConnection(URI.create("redis://127.0.0.1:1"), false, Duration.ofSeconds(2))) {
      RobotsStore store = new RedisRobotsStore(nowhere, fleet);

      assertThatThrownBy(() -> store.find(ORIGIN)).isInstanceOf(RedisException.class);
    }
  }
}
