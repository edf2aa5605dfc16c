package dev.fairfleet.politeness;

/**
 * What a gate remembers of a site and one of its hosts. All times are microseconds since the epoch
 * by the gate's own clock; 0 stands for never.
 *
 * <p>Two numbers each for site and host: what was granted, which politeness goes by, and the tail,
 * up to which slots are spoken for.
 *
 * @param arrivalMicros the generic cell rate's theoretical arrival time of the site's next request
 * @param tailMicros the same, if every slot that was given out were used
 * @param coolUntilMicros before when the site must not be asked, because it said so
 * @param coolMicros how long that last cool-down was
 * @param grantedMicros when the host was last asked
 * @param hostTailMicros the last slot given out for the host
 */
public record GateState(
    long arrivalMicros,
    long tailMicros,
    long coolUntilMicros,
    long coolMicros,
    long grantedMicros,
    long hostTailMicros) {
  /** A site and host never asked. */
  public static final GateState NEW = new GateState(0, 0, 0, 0, 0, 0);
}
