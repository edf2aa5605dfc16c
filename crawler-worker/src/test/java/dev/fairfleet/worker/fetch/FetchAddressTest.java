package dev.fairfleet.worker.fetch;

import static dev.fairfleet.worker.fetch.TestWeb.html;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome.Failed;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.FetchOutcome.Refused;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchAddressTest extends FetcherFixture {
  @Test
  void fetch_unknownHost_failsAtDns() {
    HostResolver none =
        host -> {
          throw new UnknownHostException(host);
        };
    try (HttpPageFetcher lost = fetcher(LIMITS, none, LOOPBACK)) {
      Failed failed = (Failed) lost.fetch(web.url("/"), Validators.NONE);

      assertThat(failed.kind()).isEqualTo(FailureKind.DNS);
      assertThat(failed.reason()).isEqualTo("a.localhost could not be resolved");
    }
  }

  @ParameterizedTest(name = "P41: {0}")
  @ValueSource(strings = {"a.localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"})
  void fetch_loopbackWhenNotAllowed_makesNoConnection(String host) {
    try (HttpPageFetcher guarded =
        fetcher(LIMITS, new SystemHostResolver(), new AddressGuard(false))) {
      Refused refused =
          (Refused)
              guarded.fetch(CrawlUrl.of("http://" + host + ":" + web.port()), Validators.NONE);

      assertThat(refused.reason()).startsWith("address: ").endsWith(" is loopback");
      assertThat(refused.status()).isZero();
    }
    assertThat(web.connections()).isZero();
  }

  @Test
  void fetch_nameThatChangesItsAddress_isLookedUpOnce_P42() {
    AtomicInteger lookups = new AtomicInteger();
    HostResolver rebinding =
        host ->
            lookups.getAndIncrement() == 0
                ? List.of(InetAddress.getByName("10.0.0.1"), InetAddress.getLoopbackAddress())
                : List.of(InetAddress.getByName("10.0.0.1"));
    web.on("/", html("here"));

    try (HttpPageFetcher guarded = fetcher(LIMITS, rebinding, LOOPBACK)) {
      assertThat(guarded.fetch(web.url("/"), Validators.NONE)).isInstanceOf(Fetched.class);
      assertThat(lookups).hasValue(1);
      CrawlUrl other = CrawlUrl.of("http://b.localhost:" + web.port());
      assertThat(((Refused) guarded.fetch(other, Validators.NONE)).reason())
          .isEqualTo("address: 10.0.0.1 is private");
    }
  }

  @ParameterizedTest(name = "P42: {0}")
  @ValueSource(
      strings = {
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "0",
        "0.0.0.0",
        "[::]",
        "[::1]",
        "[::ffff:10.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[::ffff:0:10.0.0.1]",
        "[64:ff9b::a9fe:a9fe]",
        "[64:ff9b:1::1]",
        "[2002:7f00:1::]",
        "[2001:0:1::1]",
        "[fd00:ec2::254]",
        "[fe80::1]",
        "[ff02::1]",
        "100.64.0.1",
        "169.254.169.254",
        "169.254.170.2",
        "192.168.1.1",
        "224.0.0.1",
        "255.255.255.255"
      })
  void fetch_everySpellingOfAPrivateAddress_makesNoConnection(String host) {
    try (HttpPageFetcher guarded =
        fetcher(LIMITS, new SystemHostResolver(), new AddressGuard(false))) {
      // What is no URL at all is not fetched either.
      for (CrawlUrl url :
          CrawlUrl.parse("http://" + host + ":" + web.port() + "/").stream().toList()) {
        for (Purpose purpose : Purpose.values()) {
          Refused refused = (Refused) guarded.fetch(FetchRequest.of(url, purpose), () -> {});
          assertThat(refused.reason()).startsWith("address: ");
        }
      }
    }
    assertThat(web.connections()).isZero();
  }

  @Test
  void fetch_ipv6Literals_areParsedAndFetchedIfAllowed_P39() {
    assertThat(CrawlUrl.parse("http://[::1]:" + web.port() + "/")).isPresent();
    CrawlUrl mapped = CrawlUrl.of("http://[::FFFF:127.0.0.1]:" + web.port() + "/");
    web.on("/", html("here"));

    // A mapped address is the IPv4 one to Java; a URL may spell it either way.
    assertThat(fetcher.fetch(mapped, Validators.NONE)).isInstanceOf(Fetched.class);
  }

  @Test
  void fetch_nameOfAPrivateAddress_isRefusedAfterTheLookUp_P42() {
    for (String address : List.of("10.0.0.1", "169.254.169.254", "::1", "fd00:ec2::254")) {
      HostResolver resolver = host -> List.of(InetAddress.getByName(address));
      try (HttpPageFetcher guarded = fetcher(LIMITS, resolver, new AddressGuard(false))) {
        assertThat(guarded.fetch(url("http://inner.test/"), Validators.NONE))
            .isInstanceOf(Refused.class);
      }
    }
  }
}
