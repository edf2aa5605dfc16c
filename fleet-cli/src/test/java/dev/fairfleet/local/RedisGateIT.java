package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.memory.InMemoryGate;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateContract;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.redis.RedisConnection;
import dev.fairfleet.redis.RedisGate;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import io.lettuce.core.KillArgs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisGateIT extends GateContract {
  private static final int STEPS = 12_000;
  private static final SiteId SITE = new SiteId("a");
  private static final HostKey HOST = new HostKey("a.test", 443);
  private static final GateLimits LIMITS = new GateLimits(60, 2, Duration.ofSeconds(2));
  private static final Duration INTERVAL = Duration.ofNanos(LIMITS.intervalMicros() * 1_000);

  @SuppressWarnings("NullAway.Init")
  private static TestRedis redis;

  private final String fleet = TestRedis.newFleet();
  private final String arrivalKey = fleet + ":{a}:arrival";
  private final String grantedKey = fleet + ":{a}:granted:a.test:443";
  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));

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
    return new RedisGate(redis.connection(), fleet);
  }

  private Gate gateOnClock() {
    return RedisGate.onClock(redis.connection(), fleet, clock);
  }

  private Admission admit() {
    return gateOnClock().admit(SITE, HOST, LIMITS);
  }

  /** The Java policy is the specification: same history, same answers, to the microsecond. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void admit_seededHistory_answersAsThePolicyDoes(long seed) {
    Random random = new Random(seed);
    Gate specification = new InMemoryGate(clock);
    Gate script = gateOnClock();
    for (int step = 0; step < STEPS; step++) {
      SiteId site = new SiteId("site" + random.nextInt(3));
      HostKey host = new HostKey("h" + random.nextInt(2) + ".test", 80);
      int limit = 1 + random.nextInt(random.nextBoolean() ? 10 : 5_000);
      GateLimits limits =
          new GateLimits(
              limit,
              1 + random.nextInt(Math.min(limit, 10)),
              Duration.ofNanos(random.nextInt(4) * 1_000L * random.nextInt(3_000_000)));

      Admission expected = specification.admit(site, host, limits);
      Admission actual = script.admit(site, host, limits);

      assertThat(actual).as("step %s of seed %s", step, seed).isEqualTo(expected);
      clock.advance(pause(expected, random));
    }
  }

  /** To the very end of the wait, one microsecond beside it, a little, a lot, or back. */
  private static Duration pause(Admission admission, Random random) {
    Duration wait =
        admission instanceof Admission.Deferred deferred ? deferred.after() : Duration.ZERO;
    Duration micro = Duration.ofNanos(1_000);
    return switch (random.nextInt(10)) {
      case 0, 1, 2 -> wait;
      case 3 -> wait.minus(micro);
      case 4 -> wait.plus(micro);
      case 5 -> micro;
      case 6 -> Duration.ofSeconds(-random.nextInt(90));
      case 7 -> Duration.ofNanos(random.nextLong(3_000_000_000L) / 1_000 * 1_000);
      case 8 -> Duration.ofSeconds(random.nextInt(random.nextInt(20) == 0 ? 7_200 : 20));
      default -> Duration.ZERO;
    };
  }

  @Test
  void admit_granted_setsATimeToLiveOnEveryKey() {
    gate().admit(SITE, HOST, LIMITS);

    assertThat(redis.beside().keys(fleet + ":*")).containsExactlyInAnyOrder(arrivalKey, grantedKey);
    assertForgottenInTime();
  }

  private void assertForgottenInTime() {
    Duration most = Duration.ofHours(1).plus(INTERVAL.multipliedBy(2));
    for (String key : new String[] {arrivalKey, grantedKey}) {
      assertThat(redis.beside().pttl(key))
          .isBetween(Duration.ofMinutes(50).toMillis(), most.toMillis());
    }
  }

  /** P98: keys that would block the site for ever are given an end. */
  @Test
  void admit_keysWithoutTimeToLive_areRepaired() {
    admit();
    redis.beside().persist(arrivalKey);
    redis.beside().persist(grantedKey);

    assertThat(admit()).isInstanceOf(Admission.Deferred.class);

    assertForgottenInTime();
  }

  /** P98: whatever stands in a key, the site waits for one interval and goes on. */
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
    redis.beside().set(arrivalKey, spoilt);

    assertThat(admit()).isEqualTo(new Admission.Deferred(INTERVAL, Admission.Limit.HOURLY));
    assertThat(redis.beside().pttl(arrivalKey)).isPositive();
    clock.advance(INTERVAL.minusNanos(1_000));
    assertThat(admit()).isInstanceOf(Admission.Deferred.class);
    clock.advance(Duration.ofNanos(1_000));
    assertThat(admit()).isEqualTo(new Admission.Granted());
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "", "nan", "inf", "-1", "99999999999999999999"})
  void admit_spoiltGrant_waitsForOneDelay(String spoilt) {
    redis.beside().set(grantedKey, spoilt);

    assertThat(admit()).isEqualTo(new Admission.Deferred(LIMITS.minDelay(), Admission.Limit.DELAY));
    assertThat(redis.beside().pttl(grantedKey)).isPositive();
    clock.advance(LIMITS.minDelay());
    assertThat(admit()).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_keysOfAnotherType_areReplaced() {
    redis.beside().rpush(arrivalKey, "x");
    redis.beside().rpush(grantedKey, "x");

    assertThat(admit()).isEqualTo(new Admission.Granted());
    assertForgottenInTime();
  }

  /** P99: a server that forgot the script is given it again. */
  @Test
  void admit_scriptFlushed_loadsItAgain() {
    admit();
    redis.beside().scriptFlush();

    assertThat(admit()).isInstanceOf(Admission.Deferred.class);
  }

  /** P101: a Redis that is away stops fetching, and kills nobody. */
  @Test
  void admit_nobodyListens_isUnavailable() {
    try (RedisConnection nowhere =
        new RedisConnection(URI.create("redis://127.0.0.1:1"), false, Duration.ofSeconds(2))) {
      Gate gate = new RedisGate(nowhere, fleet);

      for (int i = 0; i < 3; i++) {
        assertThat(gate.admit(SITE, HOST, LIMITS))
            .isInstanceOfSatisfying(
                Admission.Unavailable.class,
                unavailable -> assertThat(unavailable.reason()).contains("127.0.0.1"));
      }
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
      assertThat(new RedisGate(connection, fleet).admit(SITE, HOST, LIMITS))
          .isInstanceOf(Admission.Unavailable.class);
    }
  }

  @Test
  void admit_connectionKilled_isUnavailableForAWhileAtMost() {
    gate().admit(SITE, HOST, LIMITS);
    redis.beside().clientKill(KillArgs.Builder.skipme());

    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !(gate().admit(SITE, HOST, LIMITS) instanceof Admission.Unavailable));
  }

  /** A server that has become a replica is left, and looked for anew. */
  @Test
  void admit_serverIsAReplica_isUnavailableAndTheConnectionOpenedAnew() throws IOException {
    try (ReplicaServer replica = new ReplicaServer();
        RedisConnection connection =
            new RedisConnection(replica.uri(), false, Duration.ofSeconds(30))) {
      Gate gate = new RedisGate(connection, fleet);

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
