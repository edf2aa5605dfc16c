package dev.fairfleet.local;

import java.nio.file.Path;
import java.util.Map;

/**
 * The folder that keeps programs unpacked or installed once for all fleets of a user.
 *
 * <p>Everything in it can be deleted while no fleet runs; the next start brings it back.
 *
 * @param path the folder; created when first needed
 */
public record CacheFolder(Path path) {
  /** Returns the folder of the user who runs this process. */
  public static CacheFolder ofUser() {
    return of(System.getenv(), Path.of(System.getProperty("user.home")));
  }

  /**
   * Returns {@code $FAIRFLEET_CACHE}, else {@code $XDG_CACHE_HOME/fairfleet}, else {@code
   * ~/.cache/fairfleet}, as the XDG Base Directory Specification 0.8 has it. An empty variable
   * counts as absent.
   */
  static CacheFolder of(Map<String, String> environment, Path home) {
    String own = environment.getOrDefault("FAIRFLEET_CACHE", "");
    if (!own.isEmpty()) {
      return new CacheFolder(Path.of(own));
    }
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path base = xdg.isEmpty() ? home.resolve(".cache") : Path.of(xdg);
    return new CacheFolder(base.resolve("fairfleet"));
  }
}
