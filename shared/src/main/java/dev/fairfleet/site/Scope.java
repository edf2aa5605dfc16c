package dev.fairfleet.site;

import dev.fairfleet.url.HostKey;
import java.util.Set;

/**
 * Which hosts belong to a site.
 *
 * @param hosts every host key whose URLs may be crawled; at least one
 */
public record Scope(Set<HostKey> hosts) {
  /**
   * @throws IllegalArgumentException if there is no host
   */
  public Scope {
    hosts = Set.copyOf(hosts);
    if (hosts.isEmpty()) {
      throw new IllegalArgumentException("A scope names at least one host");
    }
  }
}
