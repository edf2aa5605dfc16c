package dev.fairfleet.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program that runs beside this one and never outlives it.
 *
 * <p>However this JVM ends, SIGKILL included, the program gets SIGTERM at once and SIGKILL five
 * seconds later; the script {@code supervise.sh} says how. It runs in a session of its own, so a
 * Ctrl-C in the terminal reaches this JVM only, which then stops its parts in its own order. Linux
 * and macOS; needs {@code /bin/sh}.
 *
 * <p>Standard error is appended to a log file, standard output goes line by line to a consumer.
 * Standard input is empty. Any thread may use it.
 */
public final class ChildProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);
  private static final Duration LAST_LINES = Duration.ofSeconds(2);
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final int TAIL_BYTES = 16 * 1024;

  private final Process process;
  private final Thread reader;
  private final ProcessUsage usage;
  private final Path log;
  private final long logStart;

  private ChildProcess(Process process, Thread reader, Path log, long logStart) {
    this.process = process;
    this.reader = reader;
    this.usage = ProcessUsage.watch(process.toHandle());
    this.log = log;
    this.logStart = logStart;
  }

  /**
   * Starts a program.
   *
   * @param command the program and its arguments; a bare name is looked up in {@code PATH}
   * @param environment variables set on top of those of this JVM
   * @param log the file that standard error is appended to; created with its folders when absent
   * @param lines given each line of standard output, without its end, by one thread in order; a
   *     slow consumer slows the program down, and what it throws is logged and passed over
   * @throws LocalFleetException if the log cannot be written or no shell can be started. A program
   *     that cannot be found is seen as one that ends at once with exit value 126 or 127.
   */
  public static ChildProcess start(
      List<String> command, Map<String, String> environment, Path log, Consumer<String> lines) {
    List<String> supervised = new ArrayList<>(List.of("/bin/sh", "-c", script(), "supervise"));
    supervised.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(supervised);
    builder.environment().putAll(environment);
    try {
      Files.createDirectories(log.toAbsolutePath().getParent());
      long logStart = Files.exists(log) ? Files.size(log) : 0;
      builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
      Process process = builder.start();
      Thread reader =
          Thread.ofPlatform()
              .daemon()
              .name("lines-of-" + process.pid())
              .start(() -> handOver(process, lines));
      return new ChildProcess(process, reader, log, logStart);
    } catch (IOException e) {
      throw new LocalFleetException(
          "Cannot start %s with the log %s (%s). Check that the folder can be written and the disk is not full."
              .formatted(command.getFirst(), log.toAbsolutePath(), e),
          e);
    }
  }

  /** Returns the {@code java} launcher that this JVM was started with, to start another. */
  public static Path javaLauncher() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /** Returns the shell script that runs each child. */
  static String script() {
    try (InputStream in = ChildProcess.class.getResourceAsStream("supervise.sh")) {
      if (in == null) {
        throw new IllegalStateException("supervise.sh is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("supervise.sh cannot be read", e);
    }
  }

  private static void handOver(Process process, Consumer<String> lines) {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        try {
          lines.accept(line);
        } catch (RuntimeException e) {
          LOG.warn(
              "A line of process {} was not understood and is passed over: {}",
              process.pid(),
              line,
              e);
        }
      }
    } catch (IOException e) {
      LOG.debug("The output of process {} ended early", process.pid(), e);
    }
  }

  /** Returns the process id of the program itself. */
  public long pid() {
    return process.pid();
  }

  /** Returns the program's process, for what this type does not offer. */
  public ProcessHandle handle() {
    return process.toHandle();
  }

  /** Returns whether the program still runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Returns its exit value, 128 plus the signal's number after a signal; empty while it runs. */
  public OptionalInt exitValue() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** Waits for its end, and returns whether it came within the limit. */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Asks the program to end with SIGTERM, and kills it if it has not when the grace is over, or
   * this thread is interrupted meanwhile. Returns once it has ended, and its last line of output
   * was handed over; does nothing if it had before.
   *
   * @return whether it ended by itself
   */
  public boolean stop(Duration grace) {
    usage.sample();
    process.destroy();
    try {
      if (awaitEnd(grace)) {
        // Somebody may hold its output open, so not for ever.
        boolean told = reader.join(LAST_LINES);
        LOG.debug("All lines of process {} were handed over: {}", pid(), told);
        return true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kill();
    return false;
  }

  /** Ends the program with SIGKILL, as a crash would. Returns once it has ended. */
  public void kill() {
    usage.sample();
    process.destroyForcibly();
    process.onExit().join();
  }

  /** Stops the program, with ten seconds of grace. */
  @Override
  public void close() {
    stop(GRACE);
  }

  /** Returns the processor time used, see {@link ProcessUsage#cpuTime}. */
  public Optional<Duration> cpuTime() {
    return usage.cpuTime();
  }

  /** Returns the peak memory in bytes, see {@link ProcessUsage#peakRssBytes}. */
  public OptionalLong peakRssBytes() {
    return usage.peakRssBytes();
  }

  /** Returns what it has written to its log, at most the given number of last lines. */
  public String logTail(int lines) {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      channel.position(Math.max(logStart, channel.size() - TAIL_BYTES));
      String text =
          new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
      List<String> all = text.lines().toList();
      return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    } catch (IOException e) {
      return "";
    }
  }
}
