package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.site.SiteLimits;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LoopbackHostsTest {
  private static boolean holds(String root) {
    return LoopbackHosts.holds(SitesFile.ofRoots(List.of(root), SiteLimits.POLITE).getFirst());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://localhost/",
        "http://LOCALHOST:8080/",
        "http://shop.localhost:1/",
        "http://127.0.0.1/",
        "http://127.1.2.3:8080/",
        "http://[::1]:80/"
      })
  void holds_loopbackName_isTrue(String root) {
    assertThat(holds(root)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.org/",
        "http://localhost.example.org/",
        "http://notlocalhost/",
        "http://127.0.0.1.example.org/",
        "http://10.0.0.1/",
        "http://[::2]/"
      })
  void holds_otherName_isFalse(String root) {
    assertThat(holds(root)).isFalse();
  }
}
