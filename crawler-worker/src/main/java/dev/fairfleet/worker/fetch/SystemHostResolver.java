package dev.fairfleet.worker.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Asks the operating system.
 *
 * <p>{@code localhost} and names below it are loopback and are never looked up (RFC 6761, section
 * 6.3), so that many sites can be served from one machine.
 */
public final class SystemHostResolver implements HostResolver {
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    return host.equals("localhost") || host.endsWith(".localhost")
        ? List.of(InetAddress.getByAddress(host, LOOPBACK))
        : List.of(InetAddress.getAllByName(host));
  }
}
