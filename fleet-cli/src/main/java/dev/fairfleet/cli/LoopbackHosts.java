package dev.fairfleet.cli;

import dev.fairfleet.site.Site;
import dev.fairfleet.url.HostKey;
import java.util.regex.Pattern;

/** Hosts that are this machine by their very name. */
final class LoopbackHosts {
  // RFC 6761, section 6.3: localhost and all names below it; RFC 1122, section 3.2.1.3: 127/8.
  private static final Pattern NAME =
      Pattern.compile("(.*\\.)?localhost|127(\\.\\d{1,3}){3}|\\[(::1|0:0:0:0:0:0:0:1)]");

  private LoopbackHosts() {}

  /** Tells whether every host of a site is this machine. */
  static boolean holds(Site site) {
    return site.scope().hosts().stream().map(HostKey::host).allMatch(NAME.asMatchPredicate());
  }
}
