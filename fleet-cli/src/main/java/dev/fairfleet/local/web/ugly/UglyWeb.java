package dev.fairfleet.local.web.ugly;

import java.util.List;
import java.util.stream.Stream;

/** All hosts of the ugly web. */
public final class UglyWeb {
  private UglyWeb() {}

  /** Returns every host, family by family, no two of one name. */
  public static List<UglyHost> hosts() {
    return Stream.of(
            UglyRobots.hosts(),
            UglyRedirects.hosts(),
            UglyLinks.hosts(),
            UglyBodies.hosts(),
            UglyText.hosts(),
            UglySitemaps.hosts(),
            UglyThrottles.hosts())
        .flatMap(List::stream)
        .toList();
  }
}
