package dev.fairfleet.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.Priority;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueSettingsTest {
  @Test
  void default_isWhatQueuesJsonStates() {
    assertThat(QueueSettings.DEFAULT)
        .isEqualTo(
            new QueueSettings(
                Map.of(
                    Priority.HIGH,
                    new QueueSettings.Names("high", "high-dead"),
                    Priority.LOW,
                    new QueueSettings.Names("low", "low-dead")),
                new LeasePolicy(Duration.ofMinutes(2), 1_000),
                Duration.ofDays(14),
                Duration.ofSeconds(20)));
  }
}
