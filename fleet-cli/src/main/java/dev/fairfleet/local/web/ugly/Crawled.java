package dev.fairfleet.local.web.ugly;

import dev.fairfleet.local.web.RequestLog;
import java.util.Map;

/**
 * What became of an ugly host: by the frontier, by the records and by the server's own log.
 *
 * @param host its name, without a port
 * @param port the port of the ugly web
 * @param pages every page of the host's newest crawl by its URL
 * @param records the fields of every record by the URL it was read from
 */
public record Crawled(
    String host,
    int port,
    Map<String, Page> pages,
    Map<String, Map<String, String>> records,
    RequestLog log) {
  private static final String ROBOTS = "/robots.txt";

  /** A URL's end and the frontier's reason for it. */
  public record Page(End end, String reason) {
    @Override
    public String toString() {
      return reason.isEmpty() ? end.toString() : end + " \"" + reason + "\"";
    }
  }

  public Crawled {
    pages = Map.copyOf(pages);
    records = Map.copyOf(records);
  }

  /**
   * Returns the URL that an expectation means.
   *
   * @param url absolute, with {@code {port}} for the web's port, or a path of this host
   */
  String absolute(String url) {
    String full = url.startsWith("/") ? "http://" + host + ":{port}" + url : url;
    return full.replace("{port}", Integer.toString(port));
  }

  /** Returns the end of a URL, which an expectation names. */
  public End end(String url) {
    return page(url).end();
  }

  Page page(String url) {
    return pages.getOrDefault(absolute(url), new Page(End.UNKNOWN, ""));
  }

  int asked(String path) {
    return log.requests(host, path);
  }

  /** Returns when each request but those for robots.txt came, in nanoseconds, in order. */
  long[] pageArrivals() {
    return log.arrivalsOfOthers(host, ROBOTS);
  }
}
