package dev.fairfleet.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PolitenessPolicyPropertyTest {
  private static final long HOUR = 3_600_000_000L;
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

  /**
   * Asks greedily, at random, a microsecond too early and after pauses; returns when it was
   * granted.
   */
  private List<Long> grants(GateLimits limits, Random random) {
    List<Long> grants = new ArrayList<>();
    GateState state = GateState.NEW;
    long now = 1_800_000_000_000_000L;
    for (int step = 0; step < STEPS; step++) {
      PolitenessPolicy.Decision decision = policy.admit(state, limits, now);
      state = decision.next().orElse(state);
      long wait = 0;
      switch (decision.admission()) {
        case Admission.Granted granted -> grants.add(now);
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
