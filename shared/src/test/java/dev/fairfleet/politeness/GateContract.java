package dev.fairfleet.politeness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every gate must do. */
public abstract class GateContract {
  private static final HostKey HOST = new HostKey("a.test", 443);
  private static final HostKey OTHER_HOST = new HostKey("b.test", 443);
  private static final GateLimits HOURLY = new GateLimits(4, 2, Duration.ZERO);
  private static final GateLimits DELAY = new GateLimits(1_000, 100, Duration.ofHours(1));

  private static final GateLimits EVEN = new GateLimits(1_000, 1, Duration.ZERO);
  private static final Duration STEP = interval(EVEN);
  private static final Duration MICRO = Duration.ofNanos(1_000);
  private static final Duration FAR = Duration.ofDays(1);
  private static final Duration REST = Duration.ofSeconds(100);

  /** The clock that {@link #gate} must use. */
  protected final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));

  /** What {@link #gate} must draw from. */
  protected final SettableDraw draw = new SettableDraw();

  private final SiteId site = new SiteId("site-" + UUID.randomUUID());

  private static Duration interval(GateLimits limits) {
    return Duration.ofNanos(limits.intervalMicros() * 1_000);
  }

  private static Admission deferred(Duration after, Admission.Limit limit) {
    return new Admission.Deferred(after, limit);
  }

  /** Returns the gate under test; it may hold other sites. */
  protected abstract Gate gate();

  @Test
  void look_beforeAndAfterARequest_tellsWhatAdmitWouldAnswerAndCountsNothing() {
    for (int i = 0; i < 3; i++) {
      assertThat(gate().look(site, HOST, DELAY)).isEqualTo(new Admission.Granted());
    }

    gate().admit(site, HOST, DELAY);

    assertThat(gate().look(site, HOST, DELAY)).isEqualTo(gate().admit(site, HOST, DELAY));
    assertThat(gate().look(site, OTHER_HOST, DELAY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_newSite_isGranted() {
    assertThat(gate().admit(site, HOST, DELAY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_againWithinDelay_isDeferredToItsEnd() {
    gate().admit(site, HOST, DELAY);

    assertThat(gate().admit(site, HOST, DELAY))
        .isEqualTo(deferred(Duration.ofHours(1), Admission.Limit.DELAY));
    clock.advance(Duration.ofHours(1).minus(MICRO));
    assertThat(gate().admit(site, HOST, DELAY)).isEqualTo(deferred(MICRO, Admission.Limit.DELAY));
    clock.advance(MICRO);
    assertThat(gate().admit(site, HOST, DELAY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_otherHostWithinDelay_isGranted() {
    gate().admit(site, HOST, DELAY);

    assertThat(gate().admit(site, OTHER_HOST, DELAY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_burstUsed_isDeferredByOneInterval() {
    gate().admit(site, HOST, HOURLY);
    gate().admit(site, HOST, HOURLY);

    assertThat(gate().admit(site, HOST, HOURLY))
        .isEqualTo(deferred(interval(HOURLY), Admission.Limit.HOURLY));
    clock.advance(interval(HOURLY).minus(MICRO));
    assertThat(gate().admit(site, HOST, HOURLY)).isEqualTo(deferred(MICRO, Admission.Limit.HOURLY));
    clock.advance(MICRO);
    assertThat(gate().admit(site, HOST, HOURLY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_burstUsedOnOneHost_countsForTheWholeSite() {
    gate().admit(site, HOST, HOURLY);
    gate().admit(site, OTHER_HOST, HOURLY);

    assertThat(gate().admit(site, HOST, HOURLY)).isInstanceOf(Admission.Deferred.class);
    assertThat(gate().admit(site, OTHER_HOST, HOURLY)).isInstanceOf(Admission.Deferred.class);
  }

  @Test
  void admit_burstOfOtherSiteUsed_isGranted() {
    SiteId other = new SiteId("other-" + UUID.randomUUID());
    for (int i = 0; i < 3; i++) {
      gate().admit(other, HOST, HOURLY);
    }

    assertThat(gate().admit(site, HOST, HOURLY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_deferred_isNotCounted() {
    GateLimits limits = new GateLimits(4, 2, Duration.ofHours(1));
    gate().admit(site, HOST, limits);
    for (int i = 0; i < 5; i++) {
      assertThat(gate().admit(site, HOST, limits))
          .isEqualTo(deferred(Duration.ofHours(1), Admission.Limit.DELAY));
    }

    assertThat(gate().admit(site, OTHER_HOST, limits)).isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_hostWithIpv6Address_isGranted() {
    assertThat(gate().admit(site, new HostKey("[::1]", 8080), DELAY))
        .isEqualTo(new Admission.Granted());
  }

  @Test
  void admit_manyThreadsAtOnce_grantsExactlyTheBurst() throws Exception {
    GateLimits limits = new GateLimits(50, 7, Duration.ZERO);
    assertThat(answersOfManyThreads(limits))
        .containsOnly(true, false)
        .filteredOn(b -> b)
        .hasSize(7);
  }

  private List<Boolean> answersOfManyThreads(GateLimits limits)
      throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> asked = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        asked.add(
            threads.submit(() -> gate().admit(site, HOST, limits) instanceof Admission.Granted));
      }
      List<Boolean> answers = new ArrayList<>();
      for (Future<Boolean> answer : asked) {
        answers.add(answer.get());
      }
      return answers;
    }
  }

  private List<Duration> reserve(HostKey host, GateLimits limits, int slots, Duration within) {
    Reservation answer = gate().reserve(site, host, limits, slots, within);
    assertThat(answer).isInstanceOf(Reservation.Reserved.class);
    return ((Reservation.Reserved) answer).after();
  }

  @Test
  void reserve_newSite_beginsNow() {
    assertThat(reserve(HOST, EVEN, 1, FAR)).containsExactly(Duration.ZERO);
  }

  @Test
  void reserve_moreThanTheBurst_goesOnAtTheEvenPace() {
    GateLimits limits = new GateLimits(1_000, 2, Duration.ZERO);
    Duration step = interval(limits);

    assertThat(reserve(HOST, limits, 4, FAR))
        .containsExactly(Duration.ZERO, Duration.ZERO, step, step.multipliedBy(2));
  }

  @Test
  void reserve_hostWithADelay_keepsIt() {
    Duration delay = Duration.ofSeconds(20);

    assertThat(reserve(HOST, EVEN.withDelayOf(delay), 3, FAR))
        .containsExactly(Duration.ZERO, delay, delay.multipliedBy(2));
  }

  @Test
  void reserve_again_goesOnWhereItEnded() {
    reserve(HOST, EVEN, 2, FAR);

    assertThat(reserve(HOST, EVEN, 1, FAR)).containsExactly(STEP.multipliedBy(2));
    assertThat(reserve(OTHER_HOST, EVEN, 1, FAR)).containsExactly(STEP.multipliedBy(3));
  }

  @Test
  void reserve_afterAGrant_beginsAfterIt() {
    gate().admit(site, HOST, EVEN);

    assertThat(reserve(HOST, EVEN, 2, FAR)).containsExactly(STEP, STEP.multipliedBy(2));
  }

  @Test
  void reserve_slotsPassed_beginsNow() {
    reserve(HOST, EVEN, 3, FAR);
    clock.advance(STEP.multipliedBy(3));

    assertThat(reserve(HOST, EVEN, 1, FAR)).containsExactly(Duration.ZERO);
  }

  @Test
  void reserve_slotAtTheVeryEndOfWithin_isTaken() {
    assertThat(reserve(HOST, EVEN, 9, STEP.multipliedBy(2))).hasSize(3);
  }

  @Test
  void reserve_slotJustBeyondWithin_isNotSpokenFor() {
    assertThat(reserve(HOST, EVEN, 9, STEP.multipliedBy(2).minus(MICRO))).hasSize(2);

    assertThat(reserve(HOST, EVEN, 1, FAR)).containsExactly(STEP.multipliedBy(2));
  }

  @Test
  void reserve_farAway_isNeverBeyondTheFarthestSlot() {
    Duration farthest = PolitenessPolicy.FARTHEST_SLOT;

    assertThat(reserve(HOST, EVEN.withDelayOf(farthest), 9, FAR))
        .containsExactly(Duration.ZERO, farthest);
    assertThat(reserve(OTHER_HOST, EVEN.withDelayOf(farthest.plus(MICRO)), 9, FAR)).isEmpty();
  }

  @Test
  void reserve_manyThreadsAtOnce_givesNoSlotTwice() throws Exception {
    List<Duration> slots = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<Duration>>> asked = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        asked.add(threads.submit(() -> reserve(HOST, EVEN, 3, FAR)));
      }
      for (Future<List<Duration>> some : asked) {
        slots.addAll(some.get());
      }
    }
    assertThat(slots).hasSize(60).doesNotHaveDuplicates();
  }

  @Test
  void admit_atTheSlotAndJustBefore_turnsWithinOneMicrosecond() {
    List<Duration> slots = reserve(HOST, EVEN, 4, FAR);
    assertThat(gate().admit(site, HOST, EVEN)).isEqualTo(new Admission.Granted());
    for (int i = 1; i < slots.size(); i++) {
      clock.advance(STEP.minus(MICRO));
      assertThat(gate().admit(site, HOST, EVEN)).isEqualTo(deferred(MICRO, Admission.Limit.HOURLY));
      clock.advance(MICRO);
      assertThat(gate().admit(site, HOST, EVEN)).isEqualTo(new Admission.Granted());
    }
  }

  @Test
  void admit_slotsThatNobodyUses_holdNobodyBack() {
    GateLimits limits = EVEN.withDelayOf(Duration.ofSeconds(20));
    reserve(HOST, limits, 9, FAR);

    assertThat(gate().admit(site, HOST, limits)).isEqualTo(new Admission.Granted());
    assertThat(gate().admit(site, HOST, limits))
        .isEqualTo(deferred(Duration.ofSeconds(20), Admission.Limit.DELAY));
  }

  private Optional<Duration> coolDown(Duration retryAfter) {
    return gate().coolDown(site, HOURLY, Optional.of(retryAfter));
  }

  private Optional<Duration> coolDown() {
    return gate().coolDown(site, HOURLY, Optional.empty());
  }

  @Test
  void coolDown_askedFor_holdsTheWholeSiteForThatLong() {
    assertThat(coolDown(REST)).contains(REST);

    for (HostKey host : List.of(HOST, OTHER_HOST)) {
      assertThat(gate().admit(site, host, HOURLY))
          .isEqualTo(deferred(REST, Admission.Limit.COOL_DOWN));
    }
    clock.advance(REST.minus(MICRO));
    assertThat(gate().admit(site, HOST, HOURLY))
        .isEqualTo(deferred(MICRO, Admission.Limit.COOL_DOWN));
    clock.advance(MICRO);
    assertThat(gate().admit(site, HOST, HOURLY)).isEqualTo(new Admission.Granted());
  }

  @Test
  void coolDown_ended_isFollowedByTheEvenPace() {
    coolDown(REST);
    clock.advance(REST);
    gate().admit(site, HOST, HOURLY);

    assertThat(gate().admit(site, OTHER_HOST, HOURLY))
        .isEqualTo(deferred(interval(HOURLY), Admission.Limit.HOURLY));
  }

  @Test
  void coolDown_otherSite_isNotHeld() {
    coolDown(REST);

    assertThat(gate().admit(new SiteId("other-" + UUID.randomUUID()), HOST, HOURLY))
        .isEqualTo(new Admission.Granted());
  }

  @Test
  void coolDown_highestDraw_restsForAlmostAQuarterLonger() {
    draw.set(PolitenessPolicy.JITTER_STEPS - 1);

    assertThat(coolDown(REST)).contains(REST.plusMillis(24_975));
  }

  @Test
  void coolDown_notSaid_doublesUntilAsMuchTimeWentBy() {
    Duration first = PolitenessPolicy.FIRST_COOL_DOWN;
    assertThat(coolDown()).contains(first);
    clock.advance(first);
    assertThat(coolDown()).contains(first.multipliedBy(2));
    clock.advance(first.multipliedBy(4).minus(MICRO));
    assertThat(coolDown()).contains(first.multipliedBy(4));
    clock.advance(first.multipliedBy(8));
    assertThat(coolDown()).contains(first);
  }

  @Test
  void coolDown_whileResting_onlyALongerTimeThatIsAskedForCounts() {
    coolDown(REST);
    clock.advance(Duration.ofSeconds(40));

    assertThat(coolDown()).contains(Duration.ofSeconds(60));
    assertThat(coolDown(Duration.ofSeconds(59))).contains(Duration.ofSeconds(60));
    assertThat(coolDown(Duration.ofSeconds(61))).contains(Duration.ofSeconds(61));
  }

  @Test
  void coolDown_absurdTime_isCutToADayAtMost() {
    assertThat(coolDown(Duration.ofSeconds(-1))).contains(Duration.ZERO);
    assertThat(coolDown(Duration.ofSeconds(Long.MAX_VALUE))).contains(Duration.ofDays(1));
  }

  @Test
  void reserve_coolingDown_beginsAtItsEndAtTheEvenPace() {
    GateLimits limits = new GateLimits(1_000, 5, Duration.ZERO);
    gate().coolDown(site, limits, Optional.of(REST));

    assertThat(reserve(HOST, limits, 3, FAR))
        .containsExactly(
            REST, REST.plus(interval(limits)), REST.plus(interval(limits).multipliedBy(2)));
  }

  @Test
  void reserve_coolDownEndsJustAfterWithin_takesNone() {
    gate().coolDown(site, EVEN, Optional.of(REST));

    assertThat(reserve(HOST, EVEN, 3, REST.minus(MICRO))).isEmpty();
    assertThat(reserve(HOST, EVEN, 3, REST)).containsExactly(REST);
  }
}
