package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonLinesTest {
  private static final String ID = Stored.record("7", Map.of()).id().value();

  private final JsonLines lines = new JsonLines();

  @Test
  void line_record_hasNothingThatIsNotSo() {
    assertThat(lines.head()).isEmpty();
    assertThat(lines.line(Stored.fresh("7", Map.of("title", "Räder\n\"&\"")), Optional.empty()))
        .isEqualTo(
            "{\"id\":\""
                + ID
                + "\",\"site\":\"books\",\"key\":\"7\",\"url\":\"http://books.test/7\","
                + "\"fields\":{\"title\":\"Räder\\n\\\"&\\\"\"},"
                + "\"firstSeen\":\"2026-11-30T12:00:00Z\",\"lastChanged\":\"2026-11-30T12:00:00Z\","
                + "\"changes\":0}\n");
  }

  @Test
  void line_returned_saysWhen() {
    assertThat(lines.line(Stored.returned("7", Map.of()), Optional.of(RecordChange.RETURNED)))
        .isEqualTo(
            "{\"id\":\""
                + ID
                + "\",\"site\":\"books\",\"key\":\"7\",\"url\":\"http://books.test/7\","
                + "\"change\":\"returned\",\"fields\":{},"
                + "\"firstSeen\":\"2026-11-30T12:00:00Z\",\"lastChanged\":\"2026-11-30T13:00:00Z\","
                + "\"changes\":1,\"returned\":\"2026-11-30T14:00:00Z\"}\n");
  }

  @Test
  void line_tombstone_saysWhenAndWhy() {
    assertThat(lines.line(Stored.deleted("7", Map.of("a", "b"), "404 twice"), Optional.empty()))
        .contains("\"fields\":{\"a\":\"b\"}")
        .endsWith("\"deleted\":{\"at\":\"2026-11-30T13:00:00Z\",\"reason\":\"404 twice\"}}\n");
  }
}
