package dev.fairfleet.cli;

import dev.fairfleet.local.LocalFleetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for one run, deleted at its end. */
record TemporaryDir(Path path) implements AutoCloseable {
  /**
   * Creates the folder among the system's temporary ones.
   *
   * @throws LocalFleetException if there is no room or right to
   */
  static TemporaryDir create(String name) {
    try {
      return new TemporaryDir(Files.createTempDirectory("fairfleet-" + name + "-"));
    } catch (IOException e) {
      throw new LocalFleetException(
          "Cannot create a temporary folder ("
              + e
              + "). Free some room there, or let the variable TMPDIR name another place.",
          e);
    }
  }

  @Override
  public void close() {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("fairfleet: " + path + " could not be deleted whole: " + e);
    }
  }
}
