package dev.fairfleet.worker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemHostResolverTest {
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "a.localhost", "b.a.localhost", "127.0.0.1"})
  void resolve_nameBelowLocalhost_isLoopback(String host) throws UnknownHostException {
    assertThat(new SystemHostResolver().resolve(host))
        .containsExactly(InetAddress.getLoopbackAddress());
  }
}
