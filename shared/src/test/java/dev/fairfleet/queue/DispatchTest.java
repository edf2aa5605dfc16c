package dev.fairfleet.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DispatchTest {
  private static final Task TASK =
      new Task(
          new SiteId("a"),
          CrawlId.scheduledFor(Instant.EPOCH),
          CrawlUrl.of("http://a.test/"),
          CrawlDepth.ROOT,
          0);

  @ParameterizedTest
  @ValueSource(longs = {0, 1_000, 900_000})
  void new_delayThatSqsTakes_isAccepted(long millis) {
    assertThat(new Dispatch(TASK, Priority.HIGH, Duration.ofMillis(millis)).delay())
        .hasMillis(millis);
  }

  /** P76. */
  @ParameterizedTest
  @ValueSource(longs = {-1_000, -1, 1, 999, 1_001, 899_999, 900_001, 901_000, 965_000})
  void new_delayThatSqsRefuses_isRefused(long millis) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Dispatch(TASK, Priority.HIGH, Duration.ofMillis(millis)))
        .withMessageContaining("0 to 900");
  }
}
