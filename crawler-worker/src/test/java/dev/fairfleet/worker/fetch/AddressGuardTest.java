package dev.fairfleet.worker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
  private static final AddressGuard GUARD = new AddressGuard(false);

  @ParameterizedTest(name = "P41, P42: {0} is {1}")
  @CsvSource({
    "0.0.0.0, unspecified",
    "0.255.255.255, unspecified",
    "10.0.0.0, private",
    "10.255.255.255, private",
    "100.64.0.1, shared",
    "100.127.255.255, shared",
    "127.0.0.1, loopback",
    "127.255.255.255, loopback",
    "169.254.169.254, link-local",
    "169.254.170.2, link-local",
    "172.16.0.0, private",
    "172.31.255.255, private",
    "192.0.0.8, protocol",
    "192.168.0.1, private",
    "198.18.0.1, benchmark",
    "198.19.255.255, benchmark",
    "224.0.0.1, multicast",
    "239.255.255.255, multicast",
    "255.255.255.255, reserved",
    "::, unspecified",
    "::1, loopback",
    "::127.0.0.1, loopback",
    "::10.0.0.1, private",
    "::ffff:10.0.0.1, private",
    "64:ff9b::10.0.0.1, private",
    "64:ff9b::a9fe:a9fe, link-local",
    "2002:a00:1::, private",
    "2002:7f00:1::1, loopback",
    "2001:0:1::, protocol",
    "2001:db8::1, documentation",
    "fc00::1, private",
    "fd00:ec2::254, private",
    "fe80::1, link-local",
    "febf::1, link-local",
    "fec0::1, site-local",
    "ff02::1, multicast"
  })
  void refusal_notPublic_saysWhy(String literal, String kind) throws UnknownHostException {
    InetAddress address = InetAddress.getByName(literal);

    assertThat(GUARD.refusal(address))
        .contains("address: " + address.getHostAddress() + " is " + kind);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255",
        "169.255.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.255.255",
        "192.169.0.0",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2606:4700::1111",
        "2a00:1450::1",
        "64:ff9b::101:101",
        "2002:101:101::1",
        "::1.1.1.1"
      })
  void refusal_public_isNothing(String literal) throws UnknownHostException {
    assertThat(GUARD.refusal(InetAddress.getByName(literal))).isEmpty();
  }

  @Test
  void refusal_mappedAddressThatJavaDidNotUnwrap_isOfTheInnerOne() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = mapped[11] = (byte) 0xff;
    mapped[12] = 10;

    assertThat(GUARD.refusal(Inet6Address.getByAddress("x", mapped, 0)))
        .hasValueSatisfying(reason -> assertThat(reason).endsWith(" is private"));
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1, true", "::1, true", "10.0.0.1, false", "169.254.169.254, false"})
  void refusal_loopbackAllowed_liftsNothingElse(String literal, boolean allowed)
      throws UnknownHostException {
    assertThat(new AddressGuard(true).refusal(InetAddress.getByName(literal)).isEmpty())
        .isEqualTo(allowed);
  }
}
