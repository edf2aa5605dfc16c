package dev.fairfleet.robots;

import java.time.Duration;
import java.util.Optional;

/** Whether robots.txt lets a URL be fetched. */
public sealed interface RobotsAnswer {
  /**
   * The URL may be fetched.
   *
   * @param rule the line that allows it, as {@code Allow: /x (line 12)}; nothing if no line speaks
   *     of it
   */
  record Allowed(Optional<String> rule) implements RobotsAnswer {
    /** Allows what no line speaks of. */
    public Allowed() {
      this(Optional.empty());
    }
  }

  /**
   * The URL may not be fetched.
   *
   * @param rule the line that bars it, as {@code Disallow: /x (line 12)}, or why there is none
   */
  record Barred(String rule) implements RobotsAnswer {}

  /**
   * Nobody knows yet: robots.txt could not be had, so nothing of its origin is fetched (RFC 9309,
   * section 2.3.1.4).
   *
   * @param reason what went wrong
   * @param retryAfter how long to wait before the page is tried again
   */
  record Unreachable(String reason, Duration retryAfter) implements RobotsAnswer {}
}
