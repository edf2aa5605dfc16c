package dev.fairfleet.politeness;

import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.util.Optional;

/**
 * The port to the fleet's one answer to "may this host be asked now?", and to "when will it be this
 * task's turn?".
 *
 * <p>All workers share one gate, and its clock is the only clock. Each method is one atomic step.
 * Implementations are safe for use by many threads. They never throw for a gate that is away: they
 * say so in their answer, upon which nothing is fetched.
 */
public interface Gate {
  /** Decides, and counts the request if it is granted. */
  Admission admit(SiteId site, HostKey host, GateLimits limits);

  /** Tells what {@link #admit} would answer now, and counts nothing. */
  Admission look(SiteId site, HostKey host, GateLimits limits);

  /**
   * Takes the next free slots of a site's line, each for one task.
   *
   * <p>A slot is when a task should ask to be admitted; it is no right to be. Who comes late, or
   * never, holds nobody back.
   *
   * @param slots how many, at least 1
   * @param within slots farther from now than this are not taken
   */
  Reservation reserve(SiteId site, HostKey host, GateLimits limits, int slots, Duration within);

  /**
   * Lets a site rest because it asked for that, fleet-wide; see {@link PolitenessPolicy#coolDown}.
   *
   * @param retryAfter what it asked for; nothing if it did not say for how long
   * @return for how long from now it is not asked, or nothing if the gate is away
   */
  Optional<Duration> coolDown(SiteId site, GateLimits limits, Optional<Duration> retryAfter);
}
