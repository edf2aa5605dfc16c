package dev.fairfleet.politeness;

/**
 * What a gate remembers.
 *
 * @param arrivalMicros the generic cell rate's theoretical arrival time of the site's next request,
 *     in microseconds since the epoch; 0 for a site never asked
 * @param grantedMicros when the host was last asked, in microseconds since the epoch; 0 for never
 */
public record GateState(long arrivalMicros, long grantedMicros) {
  /** A site and host never asked. */
  public static final GateState NEW = new GateState(0, 0);
}
