package dev.fairfleet.politeness;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides when a host may be asked next: the specification of every gate.
 *
 * <p>A request is granted when the host's last one lies at least the least delay back, and when the
 * site's hourly limit, kept as a generic cell rate (ITU-T I.371; there called the virtual
 * scheduling algorithm), is not exceeded by it. Whole microseconds, because that is what the script
 * of the Redis gate counts in.
 *
 * <p>Pure: the answer depends on the arguments alone, so any thread may share it.
 */
public final class PolitenessPolicy {
  /**
   * A decision and what to remember of it.
   *
   * @param next the state after a grant, or the repaired state of a request that was deferred;
   *     nothing if the state did not change
   */
  public record Decision(Admission admission, Optional<GateState> next) {}

  /**
   * Returns whether the host may be asked at {@code nowMicros}.
   *
   * <p>A state that no history under these limits could have left behind is repaired: a request
   * that lies in the future is taken to have been made now, and a site too far ahead of its pace to
   * have used up its burst now. So neither a spoilt value nor a limit that was raised blocks a site
   * for longer than one interval or delay.
   *
   * @param nowMicros the gate's own clock, in microseconds since the epoch; one that stepped back
   *     only makes the request wait
   */
  public Decision admit(GateState state, GateLimits limits, long nowMicros) {
    GateState possible = possible(state, limits, nowMicros);
    long hostFree =
        possible.grantedMicros() == 0 ? 0 : possible.grantedMicros() + limits.minDelayMicros();
    long siteFree = possible.arrivalMicros() - limits.toleranceMicros();
    long free = Math.max(hostFree, siteFree);
    if (nowMicros < free) {
      return new Decision(
          new Admission.Deferred(
              Duration.ofNanos((free - nowMicros) * 1_000),
              hostFree > siteFree ? Admission.Limit.DELAY : Admission.Limit.HOURLY),
          possible.equals(state) ? Optional.empty() : Optional.of(possible));
    }
    long arrival = Math.max(possible.arrivalMicros(), nowMicros) + limits.intervalMicros();
    return new Decision(new Admission.Granted(), Optional.of(new GateState(arrival, nowMicros)));
  }

  private static GateState possible(GateState state, GateLimits limits, long nowMicros) {
    long latestArrival = nowMicros + limits.toleranceMicros() + limits.intervalMicros();
    return new GateState(
        Math.min(state.arrivalMicros(), latestArrival), Math.min(state.grantedMicros(), nowMicros));
  }
}
