package dev.fairfleet.worker;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many pages a worker has at work at once: so many quick ones, and besides them a number of
 * slow ones, so that servers that take their time do not hold up all the others. Safe for use by
 * many threads.
 *
 * <p>A page that has been at work for {@link #SLOW_AFTER} is slow: it makes way for the next, as
 * long as not too many are slow already.
 */
final class FetchSlots {
  /** How many slow pages there may be for each slot. */
  static final int SLOW_PER_SLOT = 4;

  static final Duration SLOW_AFTER = Duration.ofSeconds(2);

  private final int count;
  private final Semaphore quick;
  private final Semaphore slow;
  private final Executor afterAWhile;

  /**
   * @param count quick pages at once, at least 1
   */
  FetchSlots(int count) {
    this(
        count,
        CompletableFuture.delayedExecutor(
            SLOW_AFTER.toMillis(), TimeUnit.MILLISECONDS, Runnable::run));
  }

  /**
   * @param afterAWhile runs what it is given after {@link #SLOW_AFTER}
   */
  FetchSlots(int count, Executor afterAWhile) {
    this.count = count;
    this.quick = new Semaphore(count, true);
    this.slow = new Semaphore(SLOW_PER_SLOT * count);
    this.afterAWhile = afterAWhile;
  }

  /** Returns how many quick pages may be at work at once. */
  int count() {
    return count;
  }

  /** Returns how many slow pages are at work. */
  int slow() {
    return SLOW_PER_SLOT * count - slow.availablePermits();
  }

  /** Waits for a slot, and takes it. */
  Slot acquire() throws InterruptedException {
    quick.acquire();
    Slot slot = new Slot();
    afterAWhile.execute(slot::makeWay);
    return slot;
  }

  /** The right to have a page at work, until it is closed. */
  final class Slot implements AutoCloseable {
    private boolean isSlow;
    private boolean isClosed;

    private synchronized void makeWay() {
      if (isClosed) {
        return;
      }
      isSlow = slow.tryAcquire();
      if (isSlow) {
        quick.release();
      } else {
        afterAWhile.execute(this::makeWay);
      }
    }

    @Override
    public synchronized void close() {
      if (!isClosed) {
        isClosed = true;
        (isSlow ? slow : quick).release();
      }
    }
  }
}
