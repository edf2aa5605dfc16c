package dev.fairfleet.worker.fetch;

import dev.fairfleet.robots.RobotsRules;
import java.time.Duration;
import java.util.Set;

/**
 * How much time and how many bytes one fetch may take.
 *
 * @param connect longest time for one TCP connection
 * @param idle longest silence while a handshake, headers or body are awaited
 * @param total longest time from the request to the last byte, however lively the server is; the
 *     lease of a task must be longer
 * @param bodyBytes most bytes of a body that are kept, after decoding; the rest is not read
 * @param headerLine longest status or header line, in bytes
 * @param headers most header lines
 * @param types mime types that are read, in lower case; any, if empty
 */
public record FetchLimits(
    Duration connect,
    Duration idle,
    Duration total,
    int bodyBytes,
    int headerLine,
    int headers,
    Set<String> types) {
  /** Limits for pages: 30 s, 2 MiB, HTML, XHTML and plain text. */
  public static final FetchLimits PAGE =
      new FetchLimits(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          2 * 1024 * 1024,
          16 * 1024,
          200,
          Set.of("text/html", "application/xhtml+xml", "text/plain"));

  /**
   * @throws IllegalArgumentException if a limit is not positive
   */
  public FetchLimits {
    types = Set.copyOf(types);
    if (!connect.isPositive() || !idle.isPositive() || !total.isPositive()) {
      throw new IllegalArgumentException(
          "Time-outs must be positive, not " + connect + ", " + idle + ", " + total);
    }
    if (bodyBytes < 1 || headerLine < 1 || headers < 1) {
      throw new IllegalArgumentException(
          "Limits must be at least 1, not " + bodyBytes + ", " + headerLine + ", " + headers);
    }
  }

  /** Returns these limits for a robots.txt: as large as is parsed, of any type. */
  public FetchLimits forRobots() {
    return new FetchLimits(
        connect, idle, total, RobotsRules.MAX_BYTES, headerLine, headers, Set.of());
  }
}
