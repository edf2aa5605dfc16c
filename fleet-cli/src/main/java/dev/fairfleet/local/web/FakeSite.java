package dev.fairfleet.local.web;

import java.util.Map;
import java.util.stream.Stream;

/**
 * A site of the fake web: one host name, and an answer to every request for it.
 *
 * <p>Any thread may use one.
 */
public interface FakeSite {
  /**
   * Returns its host name without a port. Names under {@code .localhost} are loopback addresses
   * (RFC 6761, section 6.3).
   */
  String host();

  /**
   * Returns what the server sends back; a reply with status 404 for an unknown path. It is asked
   * for {@code /robots.txt}, too, where {@link WebOptions#robots} has none for this host.
   */
  Answer answer(WebRequest request);

  /** Returns the path of every page, the root {@code /} first, each once. */
  Stream<String> paths();

  /**
   * Returns the fields that extraction should find on a page: {@code sku}, {@code title} and {@code
   * price}. Empty when the page holds no record, or there is none at the path.
   */
  Map<String, String> truth(String path);
}
