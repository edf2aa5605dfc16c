package dev.fairfleet.worker.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.DnsResolver;

/**
 * The HTTP client's only source of addresses, so that a connection goes to an address that was
 * checked, and no second look-up can answer otherwise.
 */
final class GuardedDns implements DnsResolver {
  private final HostResolver resolver;
  private final AddressGuard guard;

  GuardedDns(HostResolver resolver, AddressGuard guard) {
    this.resolver = resolver;
    this.guard = guard;
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    List<InetAddress> allowed = new ArrayList<>();
    String refusal = "";
    for (InetAddress address : resolver.resolve(host)) {
      String why = guard.refusal(address).orElse("");
      if (why.isEmpty()) {
        allowed.add(address);
      } else {
        refusal = why;
      }
    }
    if (allowed.isEmpty()) {
      throw new RefusedAddressException(refusal);
    }
    return allowed.toArray(InetAddress[]::new);
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }
}
