package dev.fairfleet.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.memory.InMemoryGate;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PolitenessPolicyPropertyTest {
  private static final long HOUR = 3_600_000_000L;
  private static final long FIRST_COOL_DOWN = 30_000_000;
  private static final int STEPS = 600;

  private final PolitenessPolicy policy = new PolitenessPolicy();

  /** P102: however the requests come, and edges included, no closed hour holds more than agreed. */
  @Property(tries = 200)
  void admit_anyHistory_keepsEveryClosedHourWithinTheLimit(
      @ForAll @IntRange(min = 1, max = 120) int limit, @ForAll long seed) {
    Random random = new Random(seed);
    GateLimits limits = new GateLimits(limit, 1 + random.nextInt(limit), Duration.ZERO);

    List<Long> grants = grants(limits, random);

    assertThat(leastTime(grants, limit))
        .as("least time from a request to the %sth after it, seed %s", limit, seed)
        .isGreaterThan(HOUR);
  }

  @Property(tries = 200)
  void admit_anyHistory_keepsRequestsOneDelayApart(
      @ForAll @IntRange(min = 1, max = 20_000_000) int delayMicros, @ForAll long seed) {
    GateLimits limits = new GateLimits(3_600, 10, Duration.ofNanos(delayMicros * 1_000L));

    List<Long> grants = grants(limits, new Random(seed));

    assertThat(leastTime(grants, 1)).as("seed %s", seed).isGreaterThanOrEqualTo(delayMicros);
  }

  @Property(tries = 200)
  void admit_deferredRequestThatWaitsAsTold_isGranted(
      @ForAll @IntRange(min = 1, max = 120) int limit, @ForAll long seed) {
    Random random = new Random(seed);
    GateLimits limits =
        new GateLimits(limit, 1 + random.nextInt(limit), Duration.ofMillis(random.nextInt(5_000)));
    GateState state = GateState.NEW;
    long now = 1;
    for (int step = 0; step < 50; step++) {
      PolitenessPolicy.Decision decision = policy.admit(state, limits, now);
      if (decision.admission() instanceof Admission.Deferred deferred) {
        now += deferred.after().toNanos() / 1_000;
        decision = policy.admit(decision.next().orElse(state), limits, now);
      }
      assertThat(decision.admission()).isEqualTo(new Admission.Granted());
      state = decision.next().orElseThrow();
    }
  }

  private static long leastTime(List<Long> grants, int apart) {
    long least = Long.MAX_VALUE;
    for (int first = 0; first + apart < grants.size(); first++) {
      least = Math.min(least, grants.get(first + apart) - grants.get(first));
    }
    return least;
  }

  /** Whoever asks at its slot, as all others do, need not wait. */
  @Property(tries = 200)
  void reserve_everyoneAsksAtItsSlot_allAreAdmittedAtOnce(
      @ForAll @IntRange(min = 4, max = 5_000) int limit, @ForAll long seed) {
    Random random = new Random(seed);
    int burst = 1 + random.nextInt(Math.min(limit, 20));
    SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
    Gate gate = new InMemoryGate(clock, random);
    SiteId site = new SiteId("a");
    List<Duration> delays = List.of(Duration.ZERO, Duration.ofSeconds(3), Duration.ofMinutes(1));
    record Turn(Instant slot, HostKey host, GateLimits limits) {}
    PriorityQueue<Turn> turns = new PriorityQueue<>(Comparator.comparing(Turn::slot));

    spoilTheStart(gate, site, new GateLimits(limit, burst, Duration.ZERO), random);
    for (int step = 0; step < STEPS; step++) {
      Turn turn = turns.peek();
      if (turn == null || random.nextInt(4) == 0) {
        int number = random.nextInt(delays.size());
        HostKey host = new HostKey("h" + number + ".test", 80);
        GateLimits limits = new GateLimits(limit, burst, delays.get(number));
        Duration within = Duration.ofSeconds(random.nextInt(1_000));
        Reservation reserved = gate.reserve(site, host, limits, 1 + random.nextInt(10), within);
        for (Duration after : ((Reservation.Reserved) reserved).after()) {
          assertThat(after).isBetween(Duration.ZERO, within);
          turns.add(new Turn(clock.instant().plus(after), host, limits));
        }
        Instant next = turns.isEmpty() ? Instant.MAX : turns.peek().slot();
        Instant later = clock.instant().plusMillis(random.nextInt(20_000));
        clock.advance(Duration.between(clock.instant(), later.isBefore(next) ? later : next));
      } else {
        turns.remove();
        clock.advance(Duration.between(clock.instant(), turn.slot()));
        assertThat(gate.admit(site, turn.host(), turn.limits()))
            .as("step %s of seed %s", step, seed)
            .isEqualTo(new Admission.Granted());
      }
    }
  }

  /** Leaves behind some requests, slots that nobody uses, and perhaps a cool-down. */
  private static void spoilTheStart(Gate gate, SiteId site, GateLimits limits, Random random) {
    HostKey host = new HostKey("h0.test", 80);
    for (int i = random.nextInt(5); i > 0; i--) {
      gate.admit(site, host, limits);
      gate.reserve(site, host, limits, 1 + random.nextInt(3), Duration.ofMinutes(15));
    }
    if (random.nextBoolean()) {
      gate.coolDown(site, limits, Optional.of(Duration.ofSeconds(random.nextInt(100))));
    }
  }

  /**
   * Asks greedily, at random, a microsecond too early and after pauses, takes slots and lets the
   * site rest now and then; returns when it was granted, which is never while it rests.
   */
  private List<Long> grants(GateLimits limits, Random random) {
    List<Long> grants = new ArrayList<>();
    GateState state = GateState.NEW;
    long now = 1_800_000_000_000_000L;
    long rests = 0;
    for (int step = 0; step < STEPS; step++) {
      if (random.nextInt(3) == 0) {
        state =
            policy.reserve(state, limits, 1 + random.nextInt(5), random.nextLong(HOUR), now).next();
      }
      if (random.nextInt(50) == 0) {
        long asked = random.nextInt(3) == 0 ? -1 : random.nextLong(HOUR / 4);
        boolean resting = now < state.coolUntilMicros();
        rests = Math.max(rests, now + (asked >= 0 ? asked : resting ? 0 : FIRST_COOL_DOWN));
        state = policy.coolDown(state, limits, asked, random.nextInt(1_000), now);
      }
      PolitenessPolicy.Decision decision = policy.admit(state, limits, now);
      state = decision.next().orElse(state);
      long wait = 0;
      switch (decision.admission()) {
        case Admission.Granted granted -> {
          assertThat(now).isGreaterThanOrEqualTo(rests);
          grants.add(now);
        }
        case Admission.Deferred deferred -> wait = deferred.after().toNanos() / 1_000;
        case Admission.Unavailable unavailable -> throw new AssertionError(unavailable);
      }
      now +=
          switch (random.nextInt(8)) {
            case 0 -> Math.max(0, wait - 1);
            case 1 -> random.nextLong(limits.intervalMicros() + 1);
            case 2 -> random.nextInt(20) == 0 ? random.nextLong(2 * HOUR) : 1;
            default -> wait;
          };
    }
    return grants;
  }
}
