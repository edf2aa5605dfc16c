package dev.fairfleet.cli;

import dev.fairfleet.local.CrawlWatch;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * How far a crawl is, on standard error: a bar where somebody watches, else a line every few
 * seconds.
 */
final class Progress implements AutoCloseable {
  private static final Duration LINE_EVERY = Duration.ofSeconds(5);
  private static final Duration RATE_OVER = Duration.ofSeconds(3);
  private static final int WIDTH = 150;

  private final LongSupplier nanoTime;
  private final Supplier<String> remark;
  private final @Nullable ProgressBar bar;
  private long linedAt;
  private long ratedAt;
  private long ratedSettled;
  private double rate;

  /**
   * @param remark what else is worth saying, asked for each time
   */
  Progress(String title, LongSupplier nanoTime, Supplier<String> remark) {
    this.nanoTime = nanoTime;
    this.remark = remark;
    this.linedAt = nanoTime.getAsLong();
    this.ratedAt = linedAt;
    this.bar =
        "bar".equals(System.getProperty("fairfleet.progress"))
            ? new ProgressBarBuilder()
                .setTaskName(title)
                .setInitialMax(1)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(250)
                .setMaxRenderedLength(WIDTH)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                .build()
            : null;
  }

  /** Shows where a crawl stands. */
  void show(CrawlWatch.Snapshot snapshot) {
    long now = nanoTime.getAsLong();
    if (now - ratedAt >= RATE_OVER.toNanos()) {
      rate = (snapshot.settled() - ratedSettled) * 1e9 / (now - ratedAt);
      ratedAt = now;
      ratedSettled = snapshot.settled();
    }
    if (bar != null) {
      bar.maxHint(Math.max(1, snapshot.known()));
      bar.stepTo(snapshot.settled());
      bar.setExtraMessage(" " + message(snapshot));
    } else if (now - linedAt >= LINE_EVERY.toNanos()) {
      linedAt = now;
      System.err.printf(
          Locale.ROOT,
          "%,d of %,d pages, %s%n",
          snapshot.settled(),
          snapshot.known(),
          message(snapshot));
    }
  }

  private String message(CrawlWatch.Snapshot snapshot) {
    String more = remark.get();
    return String.format(
        Locale.ROOT,
        "%.0f/s, queued %,d ready %,d in flight %,d delayed%s",
        rate,
        snapshot.queues().visible(),
        snapshot.queues().inFlight(),
        snapshot.queues().delayed(),
        more.isEmpty() ? "" : ", " + more);
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
