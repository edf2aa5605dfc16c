package dev.fairfleet.url;

/**
 * What politeness is counted by: a canonical host (lower case, punycode, no trailing dot) and a
 * port.
 *
 * @param host as it stands in a canonical URL; an IPv6 address keeps its brackets
 * @param port 1 to 65535, the scheme's default where the URL names none
 */
public record HostKey(String host, int port) {
  /**
   * @throws IllegalArgumentException if the host is empty or the port out of range
   */
  public HostKey {
    if (host.isEmpty() || port < 1 || port > 65_535) {
      throw new IllegalArgumentException(
          "A host key is a host and a port from 1 to 65535, not \"" + host + ":" + port + "\"");
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}
