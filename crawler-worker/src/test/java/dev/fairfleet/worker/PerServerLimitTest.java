package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.url.HostKey;
import org.junit.jupiter.api.Test;

final class PerServerLimitTest {
  private static final HostKey HOST = new HostKey("a.test", 80);
  private static final HostKey OTHER = new HostKey("b.test", 80);

  private final PerServerLimit limit = new PerServerLimit(2);

  @Test
  void tryAcquire_belowAtAndAboveTheLimit_grantsUpToIt() {
    assertThat(limit.tryAcquire(HOST)).isTrue();
    assertThat(limit.tryAcquire(HOST)).isTrue();
    assertThat(limit.tryAcquire(HOST)).isFalse();
  }

  @Test
  void tryAcquire_otherHost_isCountedApart() {
    limit.tryAcquire(HOST);
    limit.tryAcquire(HOST);
    assertThat(limit.tryAcquire(OTHER)).isTrue();
  }

  @Test
  void release_oneOfTwo_freesOnePlace() {
    limit.tryAcquire(HOST);
    limit.tryAcquire(HOST);
    limit.release(HOST);
    assertThat(limit.tryAcquire(HOST)).isTrue();
    assertThat(limit.tryAcquire(HOST)).isFalse();
  }
}
