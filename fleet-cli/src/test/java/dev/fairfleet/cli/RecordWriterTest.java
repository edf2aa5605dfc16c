package dev.fairfleet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordWriterTest {
  private static final RecordFormat CSV = new CsvRows(List.of("title"), false, false);

  @TempDir private Path folder = Path.of("");

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void finish_file_appearsWhole() throws IOException {
    Path file = folder.resolve("out.csv");
    try (RecordWriter writer = RecordWriter.open(Optional.of(file), CSV)) {
      writer.write(Stored.fresh("7", Map.of("title", "Räder \uD800")));
      writer.flush();
      assertThat(file).doesNotExist();
      writer.finish();
    }
    assertThat(Files.readString(file)).startsWith(CSV.head()).contains("Räder ?");
    assertThat(files()).containsExactly(file);
  }

  @Test
  void close_unfinishedFile_leavesWhatWasThere() throws IOException {
    Path file = Files.writeString(folder.resolve("out.csv"), "before");
    try (RecordWriter writer = RecordWriter.open(Optional.of(file), CSV)) {
      writer.write(Stored.fresh("7", Map.of()));
      writer.flush();
    }
    assertThat(file).hasContent("before");
    assertThat(files()).containsExactly(file);
  }

  @Test
  void open_noSuchFolder_isMisuse() {
    assertThatThrownBy(() -> RecordWriter.open(Optional.of(folder.resolve("no/out.csv")), CSV))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("no/out.csv");
  }

  @Test
  void finish_noRecord_writesTheHead() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (RecordWriter writer = RecordWriter.to(new PrintStream(out, false, UTF_8), CSV)) {
      writer.finish();
    }
    assertThat(out.toString(UTF_8)).isEqualTo(CSV.head());
  }

  @Test
  void flush_nobodyReads_isToldAtOnce() {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    try (RecordWriter writer = RecordWriter.to(new PrintStream(closed, false, UTF_8), CSV)) {
      writer.write(Stored.fresh("7", Map.of()));
      assertThatThrownBy(writer::flush)
          .isInstanceOf(UsageException.class)
          .hasMessageContaining("standard output");
    }
  }
}
