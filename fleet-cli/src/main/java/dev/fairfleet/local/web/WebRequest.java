package dev.fairfleet.local.web;

import java.util.Map;
import java.util.Optional;

/**
 * A request as the fake web saw it.
 *
 * @param method {@code GET} or {@code HEAD}
 * @param host the host name asked for, in lower case and without a port
 * @param port the port the fake web is served on, for links to other hosts of it
 * @param path the path with its query, if any; begins with {@code /}
 * @param headers the header fields by name in lower case; of a repeated field the last
 */
public record WebRequest(
    String method, String host, int port, String path, Map<String, String> headers) {
  public WebRequest {
    headers = Map.copyOf(headers);
  }

  /** Returns a plain GET. */
  public static WebRequest get(String host, int port, String path) {
    return new WebRequest("GET", host, port, path, Map.of());
  }

  /** Returns a header field's value. */
  public Optional<String> header(String nameInLowerCase) {
    return Optional.ofNullable(headers.get(nameInLowerCase));
  }
}
