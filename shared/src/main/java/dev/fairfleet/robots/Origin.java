package dev.fairfleet.robots;

import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;

/**
 * What one robots.txt speaks for: a scheme, a host and a port (RFC 9309, section 2.3).
 *
 * @param scheme {@code http} or {@code https}
 */
public record Origin(String scheme, HostKey host) {
  /** Returns the origin of a URL. */
  public static Origin of(CrawlUrl url) {
    return new Origin(url.scheme(), url.hostKey());
  }

  /** Returns the origin as stores key by it: {@code https://a.test:443}. */
  @Override
  public String toString() {
    return scheme + "://" + host;
  }
}
