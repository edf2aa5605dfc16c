package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.site.SiteId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CursorFileTest {
  @TempDir private Path folder = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void nameFile() {
    file = folder.resolve("books.cursor");
  }

  @Test
  void read_noFile_isNothing() {
    assertThat(new CursorFile(file, Stored.SITE).read()).isEmpty();
  }

  @Test
  void read_written_isTheSame() {
    FeedPosition place = FeedPosition.since(Stored.NOON);
    new CursorFile(file, Stored.SITE).write(place);
    assertThat(new CursorFile(file, Stored.SITE).read()).contains(place);
  }

  @Test
  void read_ofAnotherSite_isMisuse() {
    new CursorFile(file, Stored.SITE).write(FeedPosition.START);
    assertThatThrownBy(() -> new CursorFile(file, new SiteId("shop")).read())
        .isInstanceOf(UsageException.class)
        .hasMessageContainingAll("books.cursor", "\"books\"", "shop");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "2026-11-30",
        "{\"site\":\"books\"}",
        "{\"site\":\"books\",\"next\":\"soon\"}",
        "{\"site\":\"books\",\"next\":17}"
      })
  void read_somethingElse_isMisuse(String content) throws IOException {
    Files.writeString(file, content);
    assertThatThrownBy(() -> new CursorFile(file, Stored.SITE).read())
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("books.cursor");
  }
}
