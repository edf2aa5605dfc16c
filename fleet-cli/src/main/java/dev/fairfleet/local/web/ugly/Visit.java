package dev.fairfleet.local.web.ugly;

import dev.fairfleet.local.web.WebRequest;
import java.time.Duration;
import java.time.Instant;

/**
 * A request to an ugly host, and what came before it.
 *
 * @param number how often this path was asked for, this request included
 * @param sinceFirst the time since this path was asked for first
 * @param now the server's wall clock
 */
record Visit(WebRequest request, int number, Duration sinceFirst, Instant now) {
  /** Returns the absolute URL of a path of this host. */
  String url(String path) {
    return url(request.host(), path);
  }

  /** Returns the absolute URL of a path of another host on this port. */
  String url(String host, String path) {
    return "http://" + host + ":" + request.port() + path;
  }
}
