package dev.fairfleet.local;

import dev.fairfleet.worker.metrics.MetricsLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A worker in a process of its own. Safe for use by many threads. */
public final class WorkerProcess {
  // One collector thread, a small heap and only the quick compiler: a local worker shares few cores
  // with everything else and lives for minutes; docs/decisions/0004 has the figures.
  private static final List<String> JVM =
      List.of(
          "-XX:+UseSerialGC",
          "-Xms64m",
          "-Xmx192m",
          "-Xss512k",
          "-XX:TieredStopAtLevel=1",
          "-XX:+IgnoreUnrecognizedVMOptions",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");
  private static final String MAIN = "dev.fairfleet.worker.WorkerMain";

  private final String id;
  private final ChildProcess process;
  private final CountDownLatch ready;

  private WorkerProcess(String id, ChildProcess process, CountDownLatch ready) {
    this.id = id;
    this.process = process;
    this.ready = ready;
  }

  /**
   * Starts a worker.
   *
   * @param settings its environment variables
   * @param dir where its log goes
   * @param lines given each line that it prints to standard output
   */
  static WorkerProcess start(
      String id, Map<String, String> settings, DataDir dir, Consumer<String> lines) {
    List<String> command = java(MAIN);
    CountDownLatch ready = new CountDownLatch(1);
    ChildProcess process =
        ChildProcess.start(
            command,
            settings,
            dir.logs().resolve(id + ".log"),
            line -> {
              if (MetricsLine.parse(line).isPresent()) {
                ready.countDown();
              }
              lines.accept(line);
            });
    return new WorkerProcess(id, process, ready);
  }

  /** Returns the command that runs a main class in a JVM like a worker's, to be added to. */
  static List<String> java(String main) {
    List<String> command = new ArrayList<>();
    command.add(ChildProcess.javaLauncher().toString());
    command.addAll(JVM);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    return command;
  }

  /** Returns its name in logs and metrics. */
  public String id() {
    return id;
  }

  /** Returns the process, for its processor time, memory and end. */
  public ChildProcess process() {
    return process;
  }

  /**
   * Waits until the worker polls its queues.
   *
   * @throws LocalFleetException if it ended instead, or took longer than a minute
   */
  public void awaitReady() throws InterruptedException {
    for (int i = 0; i < 600; i++) {
      if (ready.await(100, TimeUnit.MILLISECONDS)) {
        return;
      }
      if (!process.isAlive()) {
        break;
      }
    }
    throw new LocalFleetException(
        "Worker " + id + " did not start. The end of its log:\n" + process.logTail(20), null);
  }

  /** Ends the worker in order: pages in hand finish, or are given back. */
  public void stop(Duration grace) {
    process.stop(grace);
  }

  /** Ends the worker as a crash would. */
  public void kill() {
    process.kill();
  }
}
