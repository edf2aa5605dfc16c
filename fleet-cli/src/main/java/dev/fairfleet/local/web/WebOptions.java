package dev.fairfleet.local.web;

import java.time.Duration;
import java.util.Map;

/**
 * How a {@link WebServer} serves.
 *
 * @param port the port of 127.0.0.1; 0 for a free one
 * @param latency how long each answer is held back, zero for not at all
 * @param robots the text of {@code /robots.txt} by host name; a host without one answers for
 *     itself, and 404 allows everything (RFC 9309, section 2.3.1.3)
 */
public record WebOptions(int port, Duration latency, Map<String, String> robots) {
  public WebOptions {
    robots = Map.copyOf(robots);
    if (latency.isNegative()) {
      throw new IllegalArgumentException("An answer cannot be held back for " + latency);
    }
  }

  /** Returns a free port, no latency, and no robots.txt. */
  public static WebOptions defaults() {
    return new WebOptions(0, Duration.ZERO, Map.of());
  }

  /** Returns these options on a port. */
  public WebOptions withPort(int port) {
    return new WebOptions(port, latency, robots);
  }

  /** Returns these options with a latency. */
  public WebOptions withLatency(Duration latency) {
    return new WebOptions(port, latency, robots);
  }

  /** Returns these options with robots.txt texts by host name. */
  public WebOptions withRobots(Map<String, String> robots) {
    return new WebOptions(port, latency, robots);
  }
}
