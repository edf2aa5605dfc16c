package dev.fairfleet.cli;

import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteStatus;

/** The site that a user names. */
final class NamedSite {
  private NamedSite() {}

  /**
   * Returns where a site stands.
   *
   * @throws UsageException if the fleet has none of that name
   */
  static SiteStatus of(FleetAccess fleet, String name) {
    try {
      return fleet.sites().find(new SiteId(name)).orElseThrow(() -> unknown(name));
    } catch (IllegalArgumentException e) {
      throw new UsageException("No site is named \"" + name + "\": " + e.getMessage() + ".", e);
    }
  }

  private static UsageException unknown(String name) {
    return new UsageException(
        "This fleet has no site " + name + ". fairfleet sites list shows those it has.");
  }
}
