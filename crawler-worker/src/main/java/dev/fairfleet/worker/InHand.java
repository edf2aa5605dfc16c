package dev.fairfleet.worker;

import dev.fairfleet.frontier.Page;
import dev.fairfleet.lease.Lease;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Received;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks that this worker has in hand: each takes a place when it is received, its lease is
 * looked after, and it leaves once, through {@link #end}, {@link #drop}, {@link #later}, {@link
 * #giveBack} or {@link #giveBackForStop}, which give its place back. Safe for use by many threads.
 */
final class InHand {
  private static final Logger log = LoggerFactory.getLogger(InHand.class);
  private static final Duration LAST_RECEIVES = Duration.ofSeconds(2);

  private final Places places;
  private final TaskQueue queue;
  private final PutBack putBack;
  private final PageWork pageWork;
  private final Heartbeat heartbeat;
  private final Meters meters;
  private final ExecutorService hands = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch givingBack = new CountDownLatch(1);
  private volatile boolean gaveBack;
  private final Set<CrawlUrl> urls = ConcurrentHashMap.newKeySet();
  // What begins after the worker stops is kept out by this set's own lock.
  private final Set<Lease> atWork = ConcurrentHashMap.newKeySet();

  InHand(
      Places places,
      TaskQueue queue,
      PutBack putBack,
      PageWork pageWork,
      Heartbeat heartbeat,
      Meters meters) {
    this.places = places;
    this.queue = queue;
    this.putBack = putBack;
    this.pageWork = pageWork;
    this.heartbeat = heartbeat;
    this.meters = meters;
  }

  Places places() {
    return places;
  }

  /** Runs something on a thread of its own. */
  void execute(Runnable what) {
    hands.execute(what);
  }

  /**
   * Takes what was received into hand; its places are taken already.
   *
   * @return what there is to do: nothing if the worker stops, for then it was given back
   */
  List<Delivery> accept(Received received) {
    List<Delivery> deliveries = received.deliveries();
    meters.add(Meter.TASK_RECEIVED, deliveries.size());
    meters.add(Meter.TASK_UNREADABLE, received.unreadable());
    for (Delivery delivery : deliveries) {
      heartbeat.add(delivery.lease());
      meters.add(Meter.TASK_DWELL, (double) delivery.dwell().toMillis());
    }
    if (isStopping()) {
      deliveries.forEach(delivery -> giveBackForStop(delivery.lease()));
      return List.of();
    }
    return deliveries;
  }

  /** Returns how many tasks are in hand. */
  int size() {
    return heartbeat.size();
  }

  boolean isStopping() {
    return stopping.getCount() == 0;
  }

  /** Waits, and returns whether the worker stops meanwhile. */
  boolean stopsWithin(Duration wait) throws InterruptedException {
    return stopping.await(wait.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Holds a task for a time; false if it is to be given back because the worker stops. */
  boolean hold(Duration wait) throws InterruptedException {
    return !givingBack.await(wait.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Begins to work on a page; SQS delivers at least once, and now and then both deliveries come
   * here.
   *
   * @return false if another task of it is in hand
   */
  boolean begin(CrawlUrl url) {
    return urls.add(url);
  }

  /** Says that a page is no longer worked on; to be called before its task ends. */
  void letGo(CrawlUrl url) {
    urls.remove(url);
  }

  /**
   * Has a page worked on to its end.
   *
   * @param beforeRequest runs just before the request is written; what it throws is thrown on
   * @return false if the worker stops, and nothing was begun
   */
  boolean work(Delivery delivery, Page page, Site site, Runnable beforeRequest) {
    synchronized (atWork) {
      if (isStopping()) {
        return false;
      }
      atWork.add(delivery.lease());
    }
    try {
      pageWork.work(delivery, page, site, beforeRequest);
      return true;
    } finally {
      atWork.remove(delivery.lease());
    }
  }

  /** Ends a task that was deleted or put back. */
  void end(Delivery delivery) {
    boolean unused = heartbeat.remove(delivery.lease());
    places.give(1);
  }

  /** Drops a task that need not be worked on. */
  void drop(Delivery delivery) {
    meters.add(Meter.TASK_STALE);
    delete(delivery);
    end(delivery);
  }

  /** Deletes a task from its queue; it is to be ended next. */
  void delete(Delivery delivery) {
    queue.delete(delivery.lease());
  }

  /** Puts a task back for a few seconds. */
  void later(Delivery delivery) {
    boolean unused = putBack.later(delivery);
    end(delivery);
  }

  /** Gives a task back because of a store or queue in trouble, unless stopping did so already. */
  void giveBack(Delivery delivery, Throwable why) {
    try {
      if (putBack.later(delivery)) {
        meters.add(Meter.TASK_GIVEN_BACK);
        log.warn(
            "{} was given back, and will be worked on again: {}",
            delivery.task().url(),
            why.toString());
      }
    } finally {
      places.give(1);
    }
  }

  /** Gives a task back, visible at once, because this worker stops. */
  void giveBackForStop(Delivery delivery) {
    try {
      giveBackForStop(delivery.lease());
    } finally {
      places.give(1);
    }
  }

  private void giveBackForStop(Lease lease) {
    if (putBack.atOnce(lease)) {
      gaveBack = true;
      meters.add(Meter.TASK_GIVEN_BACK);
    }
  }

  /** Says that this worker stops: nothing new is received or begins. */
  void beginStop() {
    stopping.countDown();
    places.give(0);
  }

  /** Gives back what has not begun; what a receive still under way brings is given back, too. */
  void giveBackWaiting() {
    givingBack.countDown();
    Set<Lease> working;
    synchronized (atWork) {
      working = Set.copyOf(atWork);
    }
    for (Lease lease : heartbeat.inHand()) {
      if (!working.contains(lease)) {
        giveBackForStop(lease);
      }
    }
  }

  /** Lets pages at work finish within {@code grace}, and gives back the rest. */
  void endStop(Duration grace) throws InterruptedException {
    boolean quiet = awaitNothingInHand(grace);
    heartbeat.inHand().forEach(this::giveBackForStop);
    if (!quiet) {
      log.info("Gave back what did not finish within {}", grace);
    }
    // A long poll that is still open receives what was given back, whether its connection is closed
    // or not. So it is left open for a moment, and what it brings is given back once more.
    if (gaveBack) {
      boolean unused = places.awaitAll(LAST_RECEIVES);
    }
    hands.shutdownNow();
    boolean ended = places.awaitAll(LAST_RECEIVES);
    if (!ended) {
      log.info("Some receives did not end within {}", LAST_RECEIVES);
    }
  }

  private boolean awaitNothingInHand(Duration most) throws InterruptedException {
    long deadline = System.nanoTime() + most.toNanos();
    while (heartbeat.size() > 0) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      long seen = places.changes();
      if (heartbeat.size() > 0) {
        places.awaitChange(seen, Duration.ofNanos(left));
      }
    }
    return true;
  }
}
