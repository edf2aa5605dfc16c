package dev.fairfleet.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The processor time and peak memory of one process, still readable after its end.
 *
 * <p>A daemon thread reads both twice a second for as long as the process lives; asking while it
 * lives reads afresh. So at most the last half second of a process that was killed is missing.
 *
 * <p>Processor time is what {@link ProcessHandle.Info#totalCpuDuration} gives: user and system time
 * of all threads, without child processes. Peak memory is {@code VmHWM} of {@code /proc/PID/status}
 * (proc(5)), which only Linux has; elsewhere it is unknown. Any thread may use it.
 */
public final class ProcessUsage {
  private static final Duration EVERY = Duration.ofMillis(500);

  private final ProcessHandle process;
  private volatile @Nullable Duration cpuTime;
  private volatile long peakRssBytes = -1;

  private ProcessUsage(ProcessHandle process) {
    this.process = process;
  }

  /** Starts to watch a process, until it ends. */
  public static ProcessUsage watch(ProcessHandle process) {
    ProcessUsage usage = new ProcessUsage(process);
    usage.sample();
    // This JVM need not be sampled: whoever asks lives.
    if (!process.equals(ProcessHandle.current())) {
      Thread.ofPlatform().daemon().name("usage-of-" + process.pid()).start(usage::sampleUntilEnd);
    }
    return usage;
  }

  private void sampleUntilEnd() {
    while (true) {
      try {
        process.onExit().get(EVERY.toMillis(), TimeUnit.MILLISECONDS);
        return;
      } catch (TimeoutException e) {
        sample();
      } catch (InterruptedException | ExecutionException e) {
        return;
      }
    }
  }

  /** Reads both figures now; keeps the earlier ones when the process has ended. */
  void sample() {
    if (!process.isAlive()) {
      return;
    }
    process.info().totalCpuDuration().ifPresent(now -> cpuTime = now);
    try {
      Path status = Path.of("/proc", Long.toString(process.pid()), "status");
      if (Files.exists(status)) { // Linux
        peakRssBytes(Files.readString(status, StandardCharsets.UTF_8))
            .ifPresent(now -> peakRssBytes = now);
      }
    } catch (IOException e) {
      // The process ended between two lines: the last sample stands.
    }
  }

  /** Returns {@code VmHWM} in bytes from the text of a status file; a zombie's file has none. */
  static OptionalLong peakRssBytes(String status) {
    return status
        .lines()
        .filter(line -> line.startsWith("VmHWM:"))
        .map(line -> line.substring("VmHWM:".length()).strip())
        .filter(value -> value.endsWith(" kB"))
        .mapToLong(value -> Long.parseLong(value.substring(0, value.length() - 3).strip()) * 1024)
        .findFirst();
  }

  /** Returns the processor time used so far, or all of it after the end; empty when unknown. */
  public Optional<Duration> cpuTime() {
    sample();
    return Optional.ofNullable(cpuTime);
  }

  /** Returns the most memory that was ever resident, in bytes; empty when unknown. */
  public OptionalLong peakRssBytes() {
    sample();
    long bytes = peakRssBytes;
    return bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
  }
}
