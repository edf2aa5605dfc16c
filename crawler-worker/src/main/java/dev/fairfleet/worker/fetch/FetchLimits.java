package dev.fairfleet.worker.fetch;

import dev.fairfleet.robots.RobotsRules;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
  /** What a sitemap may hold, after decoding (sitemaps.org, "Sitemap file limits"). */
  public static final int SITEMAP_BYTES = 50 * 1024 * 1024;

  private static final Set<String> FEED_TYPES =
      Set.of("application/rss+xml", "application/atom+xml", "application/rdf+xml");
  private static final Set<String> PAGE_TYPES =
      joined(
          Set.of("text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"),
          FEED_TYPES);
  // What sitemaps really come as, gzip and the shrugs of object stores included.
  private static final Set<String> SITEMAP_TYPES =
      joined(
          PAGE_TYPES,
          Set.of(
              "application/gzip",
              "application/x-gzip",
              "application/octet-stream",
              "binary/octet-stream"));

  /** Limits for pages: 30 s, 2 MiB, HTML, XHTML, feeds and plain text. */
  public static final FetchLimits PAGE =
      new FetchLimits(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          2 * 1024 * 1024,
          16 * 1024,
          200,
          PAGE_TYPES);

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

  /** Returns these limits, which are those for pages, for another purpose. */
  public FetchLimits forPurpose(Purpose purpose) {
    return switch (purpose) {
      case PAGE -> this;
      case SITEMAP -> reading(SITEMAP_BYTES, SITEMAP_TYPES);
      case ROBOTS -> reading(RobotsRules.MAX_BYTES, Set.of());
    };
  }

  private FetchLimits reading(int bytes, Set<String> mimes) {
    return new FetchLimits(connect, idle, total, bytes, headerLine, headers, mimes);
  }

  private static Set<String> joined(Set<String> some, Set<String> more) {
    return Stream.concat(some.stream(), more.stream()).collect(Collectors.toUnmodifiableSet());
  }
}
