package dev.fairfleet.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A file that names the process serving a folder, so that one left behind by a dead fleet can be
 * ended before the folder is used again.
 *
 * <p>Process ids are used anew. A process is taken for the one that was written down only if it
 * also started at the same time and its command names the expected program.
 *
 * @param path the file: one line, the process id and its start in milliseconds since 1970
 */
record PidFile(Path path) {
  /** How far two readings of a start time may differ when the system's clock is corrected. */
  private static final Duration CLOCK_STEP = Duration.ofSeconds(5);

  private static final Duration GRACE = Duration.ofSeconds(5);

  /** Writes a process down. */
  void write(ProcessHandle process) throws IOException {
    long started = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    Files.writeString(path, process.pid() + " " + started + "\n");
  }

  /**
   * Ends the process that is written down, if it still runs and is what it should be: SIGTERM,
   * after five seconds SIGKILL. Returns once it has ended.
   *
   * @param program a part of its command line, such as {@code redis-server}
   * @return the id of the process that was ended; empty when there was none
   */
  Optional<Long> endLeftover(String program) throws IOException, InterruptedException {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    List<String> words = List.of(Files.readString(path, StandardCharsets.UTF_8).strip().split(" "));
    if (words.size() != 2 || !words.stream().allMatch(word -> word.matches("\\d{1,18}"))) {
      return Optional.empty();
    }
    Instant started = Instant.ofEpochMilli(Long.parseLong(words.getLast()));
    Optional<ProcessHandle> leftover =
        ProcessHandle.of(Long.parseLong(words.getFirst()))
            .filter(process -> isSame(process, started, program));
    if (leftover.isPresent()) {
      end(leftover.get());
    }
    return leftover.map(ProcessHandle::pid);
  }

  private static boolean isSame(ProcessHandle process, Instant started, String program) {
    ProcessHandle.Info info = process.info();
    boolean sameStart =
        info.startInstant()
            .map(start -> Duration.between(start, started).abs().compareTo(CLOCK_STEP) <= 0)
            .orElse(false);
    String command = info.command().orElse("") + " " + info.commandLine().orElse("");
    return sameStart && command.contains(program);
  }

  private static void end(ProcessHandle process) throws InterruptedException {
    process.destroy();
    try {
      process.onExit().get(GRACE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      process.destroyForcibly();
      process.onExit().join();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Waiting for a process cannot fail", e);
    }
  }
}
