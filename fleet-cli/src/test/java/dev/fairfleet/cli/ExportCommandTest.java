package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.record.FeedPosition;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExportCommandTest {
  @Test
  void position_instantDateOrCursor_isThatPlace() {
    Instant noon = Instant.parse("2026-11-30T12:00:00.250Z");
    FeedPosition cursor = FeedPosition.of(Stored.record("7", Map.of()).id(), noon);
    assertThat(ExportCommand.position("2026-11-30T12:00:00.250Z"))
        .isEqualTo(FeedPosition.since(noon));
    assertThat(ExportCommand.position("2026-11-30T13:00:00.250+01:00"))
        .isEqualTo(FeedPosition.since(noon));
    assertThat(ExportCommand.position("2026-11-30"))
        .isEqualTo(FeedPosition.since(Instant.parse("2026-11-30T00:00:00Z")));
    assertThat(ExportCommand.position(cursor.toString())).isEqualTo(cursor);
    assertThat(ExportCommand.position("")).isEqualTo(FeedPosition.START);
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "2026-11-30T12:00", "2026-13-01", "30.11.2026", "17"})
  void position_otherText_isMisuse(String text) {
    assertThatThrownBy(() -> ExportCommand.position(text))
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("--since", "\"" + text + "\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--site a --since soon",
        "--site a --scan --since 2026-11-30",
        "--site a --spreadsheet",
        "--site a/b",
        "--since 2026-11-30",
        "--site a --format xml",
        "--site a --out no/such/folder/x"
      })
  void call_misuse_isToldBeforeAnythingIsOpened(String arguments, @TempDir Path folder) {
    Path data = folder.resolve("data");
    StringWriter err = new StringWriter();
    int code =
        Fairfleet.commandLine()
            .setErr(new PrintWriter(err))
            .execute(("export --data-dir " + data + " " + arguments).split(" "));
    assertThat(code).as(err.toString()).isEqualTo(Fairfleet.MISUSE);
    assertThat(err.toString()).doesNotContain("\tat ");
    assertThat(data).doesNotExist();
  }
}
