package dev.fairfleet.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Receives tasks, and sees to it that all are ended when the worker stops: polling → {@link Intake}
 * → {@link PageWork}.
 *
 * <p>{@link #run} occupies one thread; {@link #stop} may be called from any other.
 */
final class CrawlLoop {
  // The plain form's receive under way ends within a second; after that nothing new is asked for.
  private static final Duration LAST_RECEIVE = Duration.ofSeconds(3);

  private final Polling polling;
  private final InHand inHand;
  private final CountDownLatch stopped = new CountDownLatch(1);

  CrawlLoop(Polling polling, InHand inHand) {
    this.polling = polling;
    this.inHand = inHand;
  }

  /** Polls until {@link #stop} is called. */
  void run() {
    try {
      polling.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stopped.countDown();
    }
  }

  /**
   * Stops receiving, gives back at once what has not begun, lets pages at work finish within {@code
   * grace}, and gives back the rest, visible to other workers.
   */
  void stop(Duration grace) throws InterruptedException {
    inHand.beginStop();
    boolean unused = stopped.await(LAST_RECEIVE.toMillis(), TimeUnit.MILLISECONDS);
    inHand.giveBackWaiting();
    inHand.endStop(grace);
  }
}
