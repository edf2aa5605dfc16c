package dev.fairfleet.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How many of a known number are done, on standard error: a bar where somebody watches, else a line
 * every few seconds. Any thread may use it.
 */
final class CountProgress implements AutoCloseable {
  private static final Duration LINE_EVERY = Duration.ofSeconds(5);
  private static final int WIDTH = 120;

  private final String what;
  private final int all;
  private final LongSupplier nanoTime;
  private final @Nullable ProgressBar bar;
  private long linedAt;
  private int most;

  CountProgress(String what, int all, LongSupplier nanoTime) {
    this.what = what;
    this.all = all;
    this.nanoTime = nanoTime;
    this.linedAt = nanoTime.getAsLong();
    this.bar =
        "bar".equals(System.getProperty("fairfleet.progress"))
            ? new ProgressBarBuilder()
                .setTaskName(what)
                .setInitialMax(all)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(250)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                .build()
            : null;
  }

  /** Shows how many are done; a lower number than before says nothing. */
  synchronized void show(int done) {
    most = Math.max(most, done);
    long now = nanoTime.getAsLong();
    if (bar != null) {
      bar.stepTo(most);
    } else if (now - linedAt >= LINE_EVERY.toNanos()) {
      linedAt = now;
      System.err.printf(Locale.ROOT, "%,d of %,d %s%n", most, all, what);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
