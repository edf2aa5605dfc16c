package dev.fairfleet.politeness;

import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.HostKey;

/**
 * The port to the fleet's one answer to "may this host be asked now?".
 *
 * <p>All workers share one gate, and its clock is the only clock. Implementations are safe for use
 * by many threads. They never throw for a gate that is away: they answer {@link
 * Admission.Unavailable}, upon which nothing is fetched.
 */
public interface Gate {
  /** Decides, and counts the request if it is granted, in one atomic step. */
  Admission admit(SiteId site, HostKey host, GateLimits limits);
}
