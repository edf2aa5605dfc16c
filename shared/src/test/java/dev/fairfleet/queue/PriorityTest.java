package dev.fairfleet.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.CrawlDepth;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriorityTest {
  @ParameterizedTest
  @CsvSource({"0, 1, HIGH", "1, 1, HIGH", "2, 1, LOW", "0, 0, HIGH", "1, 0, LOW", "0, -1, LOW"})
  void of_depth_isHighUpToTheHighestDepth(int depth, int highestDepth, Priority priority) {
    assertThat(Priority.of(new CrawlDepth(depth), highestDepth)).isEqualTo(priority);
  }
}
