package dev.fairfleet.worker.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Turns a host, a name or an address literal, into its addresses. Safe for many threads. */
@FunctionalInterface
public interface HostResolver {
  /**
   * Returns the addresses in the order in which they should be tried; at least one.
   *
   * @param host as it stands in a canonical URL, an IPv6 address without brackets
   * @throws UnknownHostException if there is no such host, or nobody could say
   */
  List<InetAddress> resolve(String host) throws UnknownHostException;
}
