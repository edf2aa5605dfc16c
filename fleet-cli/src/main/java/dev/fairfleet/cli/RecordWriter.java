package dev.fairfleet.cli;

import dev.fairfleet.record.StoredRecord;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * Writes records to a file, which appears whole or not at all, or to a stream such as standard
 * output. Not thread-safe.
 */
final class RecordWriter implements AutoCloseable {
  private final Optional<Path> file;
  private final Optional<PrintStream> stream;
  private final RecordFormat format;
  private final Writer writer;

  private RecordWriter(
      Optional<Path> file, Optional<PrintStream> stream, RecordFormat format, OutputStream out)
      throws IOException {
    this.file = file;
    this.stream = stream;
    this.format = format;
    this.writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    writer.write(format.head());
  }

  /**
   * Begins a file, or on standard output if there is none.
   *
   * @throws UsageException if the file cannot be written
   */
  static RecordWriter open(Optional<Path> file, RecordFormat format) {
    if (file.isEmpty()) {
      return to(System.out, format);
    }
    try {
      return new RecordWriter(
          file, Optional.empty(), format, Files.newOutputStream(part(file.get())));
    } catch (IOException e) {
      throw JsonFile.cannotWrite(file.get(), e);
    }
  }

  /** Begins on a stream, which is left open. */
  static RecordWriter to(PrintStream stream, RecordFormat format) {
    try {
      return new RecordWriter(Optional.empty(), Optional.of(stream), format, stream);
    } catch (IOException e) {
      throw JsonFile.cannotWrite(Path.of("standard output"), e);
    }
  }

  private static Path part(Path file) {
    return file.resolveSibling(file.getFileName() + ".part");
  }

  /** Writes a record. */
  void write(StoredRecord stored) {
    write(stored, Optional.empty());
  }

  /**
   * Writes a record and, if it is given, what became of it.
   *
   * @throws UsageException if there is no more room
   */
  void write(StoredRecord stored, Optional<RecordChange> change) {
    try {
      writer.write(format.line(stored, change));
    } catch (IOException e) {
      throw cannotWrite(e);
    }
  }

  /**
   * Hands on what was written so far.
   *
   * @throws UsageException if there is no more room, or nobody reads the stream any more
   */
  void flush() {
    try {
      writer.flush();
      // A print stream keeps its failures to itself until it is asked.
      if (stream.isPresent() && stream.get().checkError()) {
        throw new IOException("it was closed");
      }
    } catch (IOException e) {
      throw cannotWrite(e);
    }
  }

  /** Lets the file appear; nothing may be written afterwards. */
  void finish() {
    flush();
    if (file.isPresent()) {
      try {
        writer.close();
        Files.move(part(file.get()), file.get(), StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw cannotWrite(e);
      }
    }
  }

  private UsageException cannotWrite(IOException e) {
    return JsonFile.cannotWrite(file.orElse(Path.of("standard output")), e);
  }

  /** Removes a file that was not finished. */
  @Override
  public void close() {
    try {
      if (file.isPresent()) {
        writer.close();
        Files.deleteIfExists(part(file.get()));
      } else {
        writer.flush();
      }
    } catch (IOException e) {
      // Why it cannot be written is known: nobody closes an unfinished file without a reason.
      return;
    }
  }
}
