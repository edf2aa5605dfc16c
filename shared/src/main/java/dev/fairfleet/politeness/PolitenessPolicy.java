package dev.fairfleet.politeness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides when a host may be asked next, and which slots its tasks get: the specification of every
 * gate.
 *
 * <p>A request is granted when the host's last one lies at least the least delay back, when the
 * site's hourly limit, kept as a generic cell rate (ITU-T I.371; there called the virtual
 * scheduling algorithm), is not exceeded by it, and when the site is not cooling down. Slots are
 * given out by the same arithmetic on a second set of numbers, the tail. Whole microseconds,
 * because that is what the script of the Redis gate counts in.
 *
 * <p>Pure: the answer depends on the arguments alone, so any thread may share it.
 */
public final class PolitenessPolicy {
  /*
   * Only what was granted decides about a request. The tail decides where a task stands in line, so
   * that no two wake for one slot; it is never behind what was granted, and never farther ahead than
   * slots are given out, so that slots nobody used are made up for within that time.
   *
   * A state that no history under these limits could have left behind is repaired: a request that
   * lies in the future is taken to have been made now, a site too far ahead of its pace to have used
   * up its burst now, a tail beyond the farthest slot to end there, a cool-down that ends later than
   * its length allows to have begun now, and one of an impossible length to have been the first. So
   * neither a spoilt value nor a limit that was raised blocks a site for longer than one interval,
   * delay or cool-down.
   */

  /** The farthest slot that is ever given out. */
  public static final Duration FARTHEST_SLOT = Duration.ofMinutes(15);

  /** The longest cool-down, whatever a server asks for. */
  public static final Duration LONGEST_COOL_DOWN = Duration.ofDays(1);

  /** The first cool-down of a site that does not say how long. */
  public static final Duration FIRST_COOL_DOWN = Duration.ofSeconds(30);

  /** Where cool-downs that a site did not put a length to stop doubling. */
  public static final Duration LONGEST_GUESSED_COOL_DOWN = Duration.ofHours(1);

  /** How many values the jitter of a cool-down can have, from 0 on. */
  public static final int JITTER_STEPS = 1_000;

  private static final long FARTHEST_MICROS = micros(FARTHEST_SLOT);
  private static final long LONGEST_COOL_MICROS = micros(LONGEST_COOL_DOWN);
  private static final long FIRST_COOL_MICROS = micros(FIRST_COOL_DOWN);
  private static final long LONGEST_GUESS_MICROS = micros(LONGEST_GUESSED_COOL_DOWN);
  // A cool-down lasts up to a quarter longer than asked, so that not all comes back at one moment.
  private static final int JITTER_SHARE = 4;

  /**
   * A decision and what to remember of it.
   *
   * @param next the state after a grant, or the repaired state of a request that was deferred;
   *     nothing if the state did not change
   */
  public record Decision(Admission admission, Optional<GateState> next) {}

  /**
   * Slots and what to remember of them.
   *
   * @param after how long from now each begins, rising
   */
  public record Slots(List<Duration> after, GateState next) {}

  private static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }

  /**
   * Returns what a site asked for as {@link #coolDown} takes it: microseconds, from 0 to {@link
   * #LONGEST_COOL_DOWN} whatever it was, or -1 if it did not say.
   */
  public static long retryAfterMicros(Optional<Duration> retryAfter) {
    return retryAfter.map(asked -> micros(clamp(asked, LONGEST_COOL_DOWN))).orElse(-1L);
  }

  /**
   * Returns how far away a slot may be as {@link #reserve} takes it: microseconds, from 0 to {@link
   * #FARTHEST_SLOT} whatever it was.
   */
  public static long withinMicros(Duration within) {
    return micros(clamp(within, FARTHEST_SLOT));
  }

  private static Duration clamp(Duration duration, Duration most) {
    if (duration.isNegative()) {
      return Duration.ZERO;
    }
    return duration.compareTo(most) < 0 ? duration : most;
  }

  /**
   * Returns whether the host may be asked at {@code nowMicros}.
   *
   * @param nowMicros the gate's own clock, in microseconds since the epoch; one that stepped back
   *     only makes the request wait
   */
  public Decision admit(GateState state, GateLimits limits, long nowMicros) {
    GateState possible = possible(state, limits, nowMicros);
    long hostFree =
        possible.grantedMicros() == 0 ? 0 : possible.grantedMicros() + limits.minDelayMicros();
    long siteFree = possible.arrivalMicros() - limits.toleranceMicros();
    long free = Math.max(possible.coolUntilMicros(), Math.max(hostFree, siteFree));
    if (nowMicros < free) {
      Admission.Limit limit =
          nowMicros < possible.coolUntilMicros()
              ? Admission.Limit.COOL_DOWN
              : hostFree > siteFree ? Admission.Limit.DELAY : Admission.Limit.HOURLY;
      return new Decision(
          new Admission.Deferred(Duration.ofNanos((free - nowMicros) * 1_000), limit),
          possible.equals(state) ? Optional.empty() : Optional.of(possible));
    }
    long arrival = Math.max(possible.arrivalMicros(), nowMicros) + limits.intervalMicros();
    return new Decision(
        new Admission.Granted(),
        Optional.of(
            new GateState(
                arrival,
                possible.tailMicros(),
                possible.coolUntilMicros(),
                possible.coolMicros(),
                nowMicros,
                possible.hostTailMicros())));
  }

  /**
   * Gives out up to {@code slots} slots, each the first that is free after those given out before.
   *
   * @param slots at least 1
   * @param withinMicros none farther from now than this is given out; at most {@link
   *     #FARTHEST_SLOT} counts
   */
  public Slots reserve(
      GateState state, GateLimits limits, int slots, long withinMicros, long nowMicros) {
    GateState possible = possible(state, limits, nowMicros);
    long farthest = nowMicros + Math.min(withinMicros, FARTHEST_MICROS);
    long tail = Math.max(possible.tailMicros(), possible.arrivalMicros());
    long hostTail = Math.max(possible.hostTailMicros(), possible.grantedMicros());
    List<Duration> after = new ArrayList<>();
    while (after.size() < slots) {
      long slot =
          Math.max(
              Math.max(nowMicros, possible.coolUntilMicros()),
              Math.max(
                  tail - limits.toleranceMicros(),
                  hostTail == 0 ? 0 : hostTail + limits.minDelayMicros()));
      if (slot > farthest) {
        break;
      }
      after.add(Duration.ofNanos((slot - nowMicros) * 1_000));
      tail = Math.max(tail, slot) + limits.intervalMicros();
      hostTail = slot;
    }
    return new Slots(
        after,
        new GateState(
            possible.arrivalMicros(),
            tail,
            possible.coolUntilMicros(),
            possible.coolMicros(),
            possible.grantedMicros(),
            hostTail));
  }

  /**
   * Returns the state of a site that asked for less (status 429 or 503).
   *
   * <p>It rests for as long as it asked (RFC 9110, section 10.2.3), at most {@link
   * #LONGEST_COOL_DOWN}. If it did not say, it rests for {@link #FIRST_COOL_DOWN}, and for twice as
   * long as before if less than that time went by since; an answer that comes while it rests can
   * only make it rest longer, and only by a time that it asks for. To either, up to a quarter is
   * added, by {@code jitter}. Afterwards it is asked at its even pace, without a burst.
   *
   * @param retryAfterMicros what it asked for, negative if it did not say
   * @param jitter drawn evenly from 0 to below {@link #JITTER_STEPS}
   */
  public GateState coolDown(
      GateState state, GateLimits limits, long retryAfterMicros, int jitter, long nowMicros) {
    GateState possible = possible(state, limits, nowMicros);
    long length;
    if (retryAfterMicros >= 0) {
      length = Math.min(retryAfterMicros, LONGEST_COOL_MICROS);
    } else if (nowMicros < possible.coolUntilMicros()) {
      return possible;
    } else if (nowMicros - possible.coolUntilMicros() < possible.coolMicros()) {
      length = Math.min(2 * possible.coolMicros(), LONGEST_GUESS_MICROS);
    } else {
      length = FIRST_COOL_MICROS;
    }
    long until = nowMicros + length + length / JITTER_SHARE / JITTER_STEPS * jitter;
    if (until < possible.coolUntilMicros()) {
      return possible;
    }
    return new GateState(
        Math.max(possible.arrivalMicros(), until + limits.toleranceMicros()),
        possible.tailMicros(),
        until,
        Math.max(length, FIRST_COOL_MICROS),
        possible.grantedMicros(),
        possible.hostTailMicros());
  }

  private static GateState possible(GateState state, GateLimits limits, long nowMicros) {
    long cool = state.coolMicros() <= LONGEST_COOL_MICROS ? state.coolMicros() : FIRST_COOL_MICROS;
    long coolUntil = Math.min(state.coolUntilMicros(), nowMicros + cool + cool / JITTER_SHARE);
    long from = Math.max(nowMicros, coolUntil);
    long latestArrival = from + limits.toleranceMicros() + limits.intervalMicros();
    long latestTail = nowMicros + FARTHEST_MICROS + limits.toleranceMicros();
    return new GateState(
        Math.min(state.arrivalMicros(), latestArrival),
        Math.min(state.tailMicros(), latestTail + limits.intervalMicros()),
        coolUntil,
        cool,
        Math.min(state.grantedMicros(), nowMicros),
        Math.min(state.hostTailMicros(), nowMicros + FARTHEST_MICROS));
  }
}
