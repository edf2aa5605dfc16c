package dev.fairfleet.worker.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which addresses a fetch may connect to: only public ones.
 *
 * <p>Refused are the special-purpose blocks of the IANA registries (RFC 6890) that are not globally
 * reachable: loopback, private, link-local (with the metadata and task-credential addresses of AWS,
 * 169.254.169.254, 169.254.170.2 and fd00:ec2::254), shared (carrier-grade NAT), benchmark,
 * documentation, multicast, reserved; and every IPv6 form that holds an IPv4 address (mapped,
 * compatible, NAT64, 6to4, Teredo) when that one is refused.
 *
 * @param allowLoopback whether 127.0.0.0/8 and ::1 may be asked all the same: for a fleet that
 *     crawls its own machine, never in a cloud
 */
public record AddressGuard(boolean allowLoopback) {
  private record Block(String name, InetAddress network, int bits) {
    static Block of(String name, String cidr) {
      int slash = cidr.indexOf('/');
      try {
        InetAddress network = InetAddress.getByName(cidr.substring(0, slash));
        return new Block(name, network, Integer.parseInt(cidr.substring(slash + 1)));
      } catch (UnknownHostException e) {
        throw new AssertionError(cidr + " is a literal", e);
      }
    }

    boolean contains(byte[] address) {
      byte[] prefix = network.getAddress();
      if (address.length != prefix.length) {
        return false;
      }
      for (int bit = 0; bit < bits; bit++) {
        int mask = 0x80 >> (bit % 8);
        if ((address[bit / 8] & mask) != (prefix[bit / 8] & mask)) {
          return false;
        }
      }
      return true;
    }
  }

  private static final String LOOPBACK = "loopback";
  private static final List<Block> BLOCKS =
      List.of(
          Block.of("unspecified", "0.0.0.0/8"),
          Block.of("private", "10.0.0.0/8"),
          Block.of("shared", "100.64.0.0/10"),
          Block.of(LOOPBACK, "127.0.0.0/8"),
          Block.of("link-local", "169.254.0.0/16"),
          Block.of("private", "172.16.0.0/12"),
          Block.of("protocol", "192.0.0.0/24"),
          Block.of("documentation", "192.0.2.0/24"),
          Block.of("relay", "192.88.99.0/24"),
          Block.of("private", "192.168.0.0/16"),
          Block.of("benchmark", "198.18.0.0/15"),
          Block.of("documentation", "198.51.100.0/24"),
          Block.of("documentation", "203.0.113.0/24"),
          Block.of("multicast", "224.0.0.0/4"),
          Block.of("reserved", "240.0.0.0/4"),
          Block.of("unspecified", "::/128"),
          Block.of(LOOPBACK, "::1/128"),
          Block.of("translated", "64:ff9b:1::/48"),
          Block.of("discard", "100::/64"),
          Block.of("protocol", "2001:0:0:0:0:0:0:0/23"),
          Block.of("documentation", "2001:db8::/32"),
          Block.of("documentation", "3fff::/20"),
          Block.of("segment routing", "5f00::/16"),
          Block.of("private", "fc00::/7"),
          Block.of("link-local", "fe80::/10"),
          Block.of("site-local", "fec0::/10"),
          Block.of("multicast", "ff00::/8"));
  // The first bytes of an IPv6 address and where in it the IPv4 address begins.
  private static final Map<String, Integer> EMBEDDED =
      Map.of(
          "000000000000000000000000", 12, // compatible
          "00000000000000000000ffff", 12, // mapped
          "0000000000000000ffff0000", 12, // translated (RFC 2765)
          "0064ff9b0000000000000000", 12, // NAT64
          "2002", 2); // 6to4

  /** Returns why {@code address} may not be connected to, or nothing if it may. */
  public Optional<String> refusal(InetAddress address) {
    return kind(address.getAddress())
        .filter(kind -> !(allowLoopback && kind.equals(LOOPBACK)))
        .map(kind -> "address: " + address.getHostAddress() + " is " + kind);
  }

  private static Optional<String> kind(byte[] address) {
    for (Block block : BLOCKS) {
      if (block.contains(address)) {
        return Optional.of(block.name());
      }
    }
    return embedded(address).flatMap(AddressGuard::kind);
  }

  /** Returns the IPv4 address within an IPv6 one. */
  private static Optional<byte[]> embedded(byte[] address) {
    if (address.length == 4) {
      return Optional.empty();
    }
    String hex = HexFormat.of().formatHex(address);
    return EMBEDDED.entrySet().stream()
        .filter(form -> hex.startsWith(form.getKey()))
        .map(form -> Arrays.copyOfRange(address, form.getValue(), form.getValue() + 4))
        .findFirst();
  }
}
