package dev.fairfleet.robots;

import java.time.Duration;
import java.util.Optional;

/**
 * What a fleet knows of the robots.txt of one origin, at the moment it was looked up.
 *
 * @param file what was last had; nothing if nothing ever was, or it is forgotten
 * @param age how long ago {@code file} was had, or confirmed; zero if there is none
 * @param failures failed attempts in a row since; 0 if the last one succeeded, or none was made
 * @param failure why the last attempt failed; empty if {@code failures} is 0
 * @param askAgainIn how long until it is asked for again; zero if that is due
 */
public record RobotsNote(
    Optional<RobotsFile> file, Duration age, int failures, String failure, Duration askAgainIn) {
  /** Nothing is known. */
  public static final RobotsNote UNKNOWN =
      new RobotsNote(Optional.empty(), Duration.ZERO, 0, "", Duration.ZERO);

  /** Tells whether it is time to ask. */
  public boolean isDue() {
    return !askAgainIn.isPositive();
  }

  /** Tells whether the file may still be believed. */
  public boolean isBelieved() {
    return file.isPresent() && age.compareTo(RobotsPolicy.BELIEVED) < 0;
  }

  /**
   * Returns for how long from now {@link #rules} are these; zero if it is time to ask, and they are
   * believed only because it has not been done yet.
   */
  public Duration validFor() {
    Duration believed = RobotsPolicy.BELIEVED.minus(age);
    return isBelieved() && believed.compareTo(askAgainIn) < 0 ? believed : askAgainIn;
  }

  /**
   * Returns what may be fetched as things stand: what the file says while it is believed, and
   * nothing otherwise.
   *
   * @param productToken as in {@link RobotsRules#parse}
   * @param longestDelay as in {@link RobotsRules#parse}
   */
  public RobotsRules rules(String productToken, Duration longestDelay) {
    if (!isBelieved()) {
      return RobotsRules.unreachable(
          failures == 0 ? "robots.txt has not been had yet" : failure, askAgainIn);
    }
    return switch (file.orElseThrow()) {
      case RobotsFile.Text text -> RobotsRules.parse(text.octets(), productToken, longestDelay);
      case RobotsFile.None none -> RobotsRules.allowAll();
      case RobotsFile.Forbidden forbidden -> RobotsRules.barred(forbidden.why());
    };
  }
}
