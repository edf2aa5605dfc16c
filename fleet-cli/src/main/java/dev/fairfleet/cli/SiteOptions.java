package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteLimits;
import java.util.LinkedHashMap;
import java.util.Map;

/** Changes of a site, written {@code key=value}. */
final class SiteOptions {
  private SiteOptions() {}

  /** Returns the keys and values of some arguments, in their order. */
  static Map<String, String> parse(Iterable<String> arguments) {
    Map<String, String> changes = new LinkedHashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals <= 0) {
        throw new UsageException(
            "\"" + argument + "\" is no key=value; keys are " + SiteKeys.names() + ".");
      }
      changes.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    return changes;
  }

  /**
   * Returns a site with some keys changed; a {@code root} takes the place of all its roots.
   *
   * @throws UsageException if a key or value is wrong
   */
  static Site change(ObjectNode site, Map<String, String> changes) {
    try {
      if (changes.containsKey("root")) {
        site.remove("roots");
      }
      changes.forEach((key, value) -> SiteKeys.set(site, key, value));
      return SitesFile.site(site, SiteLimits.POLITE);
    } catch (IllegalArgumentException e) {
      throw new UsageException(e.getMessage() + ". Nothing was done.", e);
    }
  }
}
