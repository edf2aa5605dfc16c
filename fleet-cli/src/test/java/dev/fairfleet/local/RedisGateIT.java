package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateContract;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.politeness.Reservation;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisGate;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisGateIT extends GateContract {
  private static final SiteId SITE = new SiteId("a");
  private static final HostKey HOST = new HostKey("a.test", 443);
  private static final GateLimits LIMITS = new GateLimits(60, 2, Duration.ofSeconds(2));
  private static final Duration INTERVAL = Duration.ofNanos(LIMITS.intervalMicros() * 1_000);

  @SuppressWarnings("NullAway.Init")
  private static TestRedis redis;

  private final String fleet = TestRedis.newFleet();
  private final String siteKey = fleet + ":{a}:gate";
  private final String hostKey = fleet + ":{a}:gate:a.test:443";

  @BeforeAll
  static void connect() {
    redis = new TestRedis();
  }

  @AfterAll
  static void disconnect() {
    redis.close();
  }

  @Override
  protected Gate gate() {
    return RedisGate.onClock(redis.connection(), fleet, draw, clock);
  }

  private Admission admit() {
    return gate().admit(SITE, HOST, LIMITS);
  }

  private Reservation reserve(Gate gate) {
    return gate.reserve(SITE, HOST, LIMITS, 2, Duration.ofMinutes(15));
  }

  private static Optional<Duration> coolDown(Gate gate) {
    return gate.coolDown(SITE, LIMITS, Optional.empty());
  }

  /** The Java policy is the specification: same history, same answers, to the microsecond. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void all_seededHistory_answersAsThePolicyDoes(long seed) {
    GateComparison.run(redis.connection(), seed, 30_000);
  }

  /** P102: from hh:59:30 on, greedily, for hours: no closed hour has more than agreed. */
  @Test
  void admit_greedilyOverTheEdgesOfHours_neverExceedsTheLimit() {
    GateLimits limits = new GateLimits(60, 6, Duration.ZERO);
    clock.advance(Duration.ofMinutes(59).plusSeconds(30));
    Instant end = clock.instant().plus(Duration.ofHours(5));
    List<Instant> granted = new ArrayList<>();
    while (clock.instant().isBefore(end)) {
      if (gate().admit(SITE, HOST, limits) instanceof Admission.Deferred deferred) {
        clock.advance(deferred.after());
      } else {
        granted.add(clock.instant());
      }
    }

    assertThat(granted).hasSizeBetween(5 * 55, 5 * 60);
    for (int i = 60; i < granted.size(); i++) {
      assertThat(Duration.between(granted.get(i - 60), granted.get(i)))
          .isGreaterThan(Duration.ofHours(1));
    }
    assertThat(Duration.between(granted.get(0), granted.get(59)))
        .isLessThanOrEqualTo(Duration.ofHours(1));
  }

  /** P103: the one clock is that of the server, whatever the clocks of the workers say. */
  @Test
  void admit_twoWorkers_areTimedByTheServersClock() {
    try (TestRedis another = new TestRedis()) {
      Gate first = new RedisGate(redis.connection(), fleet, draw);
      Gate second = new RedisGate(another.connection(), fleet, draw);
      long before = serverMicros();
      assertThat(first.admit(SITE, HOST, LIMITS)).isEqualTo(new Admission.Granted());
      long after = serverMicros();

      assertThat(Long.parseLong(redis.beside().hget(hostKey, "granted"))).isBetween(before, after);
      assertThat(second.reserve(SITE, HOST, LIMITS, 1, Duration.ofMinutes(15)))
          .isInstanceOf(Reservation.Reserved.class);
      assertThat(Long.parseLong(redis.beside().hget(hostKey, "tail")))
          .isGreaterThanOrEqualTo(before + LIMITS.minDelayMicros());
    }
  }

  private static long serverMicros() {
    List<String> time = redis.beside().time();
    return Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
  }

  @Test
  void admit_granted_setsATimeToLiveOnEveryKey() {
    admit();

    assertThat(redis.beside().keys(fleet + ":*")).containsExactlyInAnyOrder(siteKey, hostKey);
    assertForgottenInTime();
  }

  private void assertForgottenInTime() {
    Duration most = Duration.ofHours(1).plus(INTERVAL.multipliedBy(2));
    for (String key : new String[] {siteKey, hostKey}) {
      assertThat(redis.beside().pttl(key))
          .isBetween(Duration.ofMinutes(50).toMillis(), most.toMillis());
    }
  }

  @Test
  void reserve_far_isRememberedUntilAnHourAfterIt() {
    GateLimits limits = new GateLimits(1_000, 1, Duration.ofMinutes(5));
    gate().reserve(SITE, HOST, limits, 4, Duration.ofMinutes(15));

    assertKeptFor(hostKey, Duration.ofMinutes(15 + 5 + 60));
    assertKeptFor(siteKey, Duration.ofMinutes(15 + 60));
  }

  /** The time after a cool-down in which another one doubles matters too. */
  @Test
  void coolDown_longest_isRememberedUntilAnHourAfterItMatters() {
    draw.set(PolitenessPolicy.JITTER_STEPS - 1);
    gate().coolDown(SITE, LIMITS, Optional.of(Duration.ofDays(1)));

    assertKeptFor(siteKey, Duration.ofHours(30 + 24 + 1));
  }

  private static void assertKeptFor(String key, Duration time) {
    assertThat(redis.beside().pttl(key))
        .isBetween(time.minusMinutes(5).toMillis(), time.plusMinutes(1).toMillis());
  }

  /** P98: keys that would block the site for ever are given an end. */
  @Test
  void admit_keysWithoutTimeToLive_areRepaired() {
    admit();
    redis.beside().persist(siteKey);
    redis.beside().persist(hostKey);

    assertThat(admit()).isInstanceOf(Admission.Deferred.class);

    assertForgottenInTime();
  }

  /** P98: whatever stands in a field, the site waits for one interval and goes on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage",
        "",
        "nan",
        "inf",
        "-inf",
        "-1",
        "1.5",
        "99999999999999999999",
        "9007199254740993"
      })
  void admit_spoiltArrival_waitsForOneInterval(String spoilt) {
    redis.beside().hset(siteKey, "arrival", spoilt);

    assertThat(admit()).isEqualTo(new Admission.Deferred(INTERVAL, Admission.Limit.HOURLY));
    assertThat(redis.beside().pttl(siteKey)).isPositive();
    clock.advance(INTERVAL.minusNanos(1_000));
    assertThat(admit()).isInstanceOf(Admission.Deferred.class);
    clock.advance(Duration.ofNanos(1_000));
    assertThat(admit()).isEqualTo(new Admission.Granted());
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "", "nan", "inf", "-1", "99999999999999999999"})
  void admit_spoiltGrant_waitsForOneDelay(String spoilt) {
    redis.beside().hset(hostKey, "granted", spoilt);

    assertThat(admit()).isEqualTo(new Admission.Deferred(LIMITS.minDelay(), Admission.Limit.DELAY));
    assertThat(redis.beside().pttl(hostKey)).isPositive();
    clock.advance(LIMITS.minDelay());
    assertThat(admit()).isEqualTo(new Admission.Granted());
  }

  /** P98: a cool-down whose end or length is spoilt lasts no longer than the first of a site. */
  @ParameterizedTest
  @ValueSource(strings = {"garbage", "", "nan", "inf", "-1", "99999999999999999999"})
  void admit_spoiltCoolDown_waitsForTheFirst(String spoilt) {
    redis.beside().hset(siteKey, Map.of("coolUntil", spoilt, "cool", spoilt));
    Duration longest = PolitenessPolicy.FIRST_COOL_DOWN.multipliedBy(5).dividedBy(4);

    assertThat(admit()).isEqualTo(new Admission.Deferred(longest, Admission.Limit.COOL_DOWN));
    clock.advance(longest);
    assertThat(admit()).isEqualTo(new Admission.Granted());
  }

  /** P98: a line whose end is spoilt is taken up again as soon as a slot is near enough. */
  @ParameterizedTest
  @ValueSource(strings = {"garbage", "", "nan", "inf", "-1", "99999999999999999999"})
  void reserve_spoiltTails_waitsForOneInterval(String spoilt) {
    redis.beside().hset(siteKey, "tail", spoilt);
    redis.beside().hset(hostKey, "tail", spoilt);

    assertThat(reserve(gate())).isEqualTo(new Reservation.Reserved(List.of()));
    assertThat(admit()).isEqualTo(new Admission.Granted());
    clock.advance(INTERVAL);
    assertThat(reserve(gate()))
        .isEqualTo(new Reservation.Reserved(List.of(PolitenessPolicy.FARTHEST_SLOT)));
  }

  @Test
  void admit_keysOfAnotherType_areReplaced() {
    redis.beside().set(siteKey, "x");
    redis.beside().rpush(hostKey, "x");

    assertThat(admit()).isEqualTo(new Admission.Granted());
    assertForgottenInTime();
  }

  /** P99: a server that forgot the script is given it again. */
  @Test
  void all_scriptFlushed_loadItAgain() {
    admit();
    redis.beside().scriptFlush();
    assertThat(admit()).isInstanceOf(Admission.Deferred.class);
    redis.beside().scriptFlush();
    assertThat(reserve(gate())).isInstanceOf(Reservation.Reserved.class);
    redis.beside().scriptFlush();
    assertThat(coolDown(gate())).isPresent();
  }

  /** P101: a Redis that is away stops fetching, and kills nobody. */
  @Test
  void all_nobodyListens_areUnavailable() {
    try (RedisConnection nowhere =
        new RedisConnection(URI.create("redis://127.0.0.1:1"), false, Duration.ofSeconds(2))) {
      Gate gate = new RedisGate(nowhere, fleet, draw);

      for (int i = 0; i < 3; i++) {
        assertThat(gate.admit(SITE, HOST, LIMITS))
            .isInstanceOfSatisfying(
                Admission.Unavailable.class,
                unavailable -> assertThat(unavailable.reason()).contains("127.0.0.1"));
      }
      assertThat(reserve(gate))
          .isInstanceOfSatisfying(
              Reservation.Unavailable.class,
              unavailable -> assertThat(unavailable.reason()).contains("127.0.0.1"));
      assertThat(coolDown(gate)).isEmpty();
    }
  }

  /** P101: nor does one that accepts the connection and then says nothing. */
  @Test
  void admit_serverSaysNothing_isUnavailable() throws IOException {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        RedisConnection connection =
            new RedisConnection(
                URI.create("redis://127.0.0.1:" + mute.getLocalPort()),
                false,
                Duration.ofMillis(100))) {
      assertThat(new RedisGate(connection, fleet, draw).admit(SITE, HOST, LIMITS))
          .isInstanceOf(Admission.Unavailable.class);
    }
  }

  /** P101: nor one that answers too late, or is stopped for a while; the way back needs nobody. */
  @Test
  @Timeout(120)
  void all_serverSlowThenStoppedThenBack_areUnavailableMeanwhile(@TempDir Path folder) {
    RedisServer first = RedisServer.start(folder);
    try (RedisConnection connection =
        new RedisConnection(first.uri(), false, Duration.ofMillis(500))) {
      Gate gate = new RedisGate(connection, fleet, draw);
      awaitAvailable(gate);
      // Ten minutes: had a call waited for its answer, the test would run into its time limit.
      pause(first, Duration.ofMinutes(10));
      assertUnavailable(gate);

      first.close();
      assertUnavailable(gate);

      try (RedisServer again = RedisServer.start(folder, first.port(), CacheFolder.ofUser())) {
        assertThat(again.port()).isEqualTo(first.port());
        awaitAvailable(gate);
      }
    } finally {
      first.close();
    }
  }

  private static void pause(RedisServer server, Duration time) {
    RedisClient client = RedisClient.create(server.uri().toString());
    assertThat(client.connect().sync().clientPause(time.toMillis())).isEqualTo("OK");
    client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
  }

  private void assertUnavailable(Gate gate) {
    // More often than a connection may fail to answer before it is opened anew.
    for (int i = 0; i < 7; i++) {
      assertThat(gate.admit(SITE, HOST, LIMITS)).isInstanceOf(Admission.Unavailable.class);
      assertThat(reserve(gate)).isInstanceOf(Reservation.Unavailable.class);
      assertThat(coolDown(gate)).isEmpty();
    }
  }

  private void awaitAvailable(Gate gate) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> reserve(gate) instanceof Reservation.Reserved);
  }

  @Test
  void admit_connectionKilled_isUnavailableForAWhileAtMost() {
    admit();
    redis.beside().clientKill(KillArgs.Builder.skipme());

    await().atMost(Duration.ofSeconds(30)).until(() -> !(admit() instanceof Admission.Unavailable));
  }

  /** A server that has become a replica is left, and looked for anew. */
  @Test
  void admit_serverIsAReplica_isUnavailableAndTheConnectionOpenedAnew() throws IOException {
    try (ReplicaServer replica = new ReplicaServer();
        RedisConnection connection =
            new RedisConnection(replica.uri(), false, Duration.ofSeconds(30))) {
      Gate gate = new RedisGate(connection, fleet, draw);

      assertThat(gate.admit(SITE, HOST, LIMITS))
          .isInstanceOfSatisfying(
              Admission.Unavailable.class,
              unavailable -> assertThat(unavailable.reason()).contains("READONLY"));
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                gate.admit(SITE, HOST, LIMITS);
                return replica.connections() >= 2;
              });
    }
  }
}
