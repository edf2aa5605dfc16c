package dev.fairfleet.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.url.HostKey;
import dev.fairfleet.url.IgnoredParameters;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeTest {
  private static Scope withSubdomains(String... hosts) {
    Set<HostKey> keys =
        Stream.of(hosts).map(host -> new HostKey(host, 80)).collect(Collectors.toSet());
    return new Scope(keys, true, List.of(), List.of(), IgnoredParameters.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource({
    "shop.example.co.uk, example.co.uk, true",
    "shop.example.co.uk, a.b.example.co.uk, true",
    "shop.example.co.uk, other.co.uk, false",
    "shop.example.co.uk, co.uk, false",
    "shop.example.co.uk, notexample.co.uk, false",
    "a.github.io, b.github.io, false",
    "a.github.io, x.a.github.io, true",
    "www.a.test, img.a.test, true",
    "www.a.test, b.test, false",
    "localhost, b.localhost, false",
    "127.0.0.1, 126.0.0.1, false",
    "[::1], [::2], false",
    "xn--bcher-kva.example.com, www.example.com, true"
  })
  void contains_subdomains_areThoseOfTheRegistrableDomain(
      String named, String host, boolean expected) {
    assertThat(withSubdomains(named).contains(new HostKey(host, 80))).isEqualTo(expected);
    assertThat(withSubdomains(named).contains(new HostKey(named, 80))).isTrue();
  }

  @Test
  void contains_subdomainOnOddPort_needsAHostOnThatPort() {
    Scope plain = withSubdomains("www.a.test");
    Scope odd =
        new Scope(
            Set.of(new HostKey("www.a.test", 8080)),
            true,
            List.of(),
            List.of(),
            IgnoredParameters.DEFAULT);

    assertThat(plain.contains(new HostKey("img.a.test", 443))).isTrue();
    assertThat(plain.contains(new HostKey("img.a.test", 8080))).isFalse();
    assertThat(odd.contains(new HostKey("img.a.test", 8080))).isTrue();
  }

  @Test
  void contains_withoutSubdomains_isOnlyWhatIsNamed() {
    Scope scope = new Scope(Set.of(new HostKey("www.a.test", 80)));

    assertThat(scope.contains(new HostKey("www.a.test", 80))).isTrue();
    assertThat(scope.contains(new HostKey("img.a.test", 80))).isFalse();
    assertThat(scope.contains(new HostKey("www.a.test", 443))).isFalse();
  }
}
