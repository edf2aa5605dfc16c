package dev.fairfleet.worker;

import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.Lease;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.Received;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.robots.RobotsAnswer;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.robots.Robots;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives tasks, lets those in whose turn it is, and has them worked on: high before low, never
 * more than there are free slots.
 *
 * <p>{@link #run} occupies one thread; {@link #stop} may be called from any other.
 */
final class CrawlLoop {
  /*
   * A slot is taken before a receive, so that a lease never burns while its task waits for one; what
   * the receive does not use goes back at once. From then on a delivery leaves through `end` and
   * nowhere else, whatever became of it: it gives back its slot and its place on its server.
   *
   * A queue that was empty is not asked again for a moment (QUIET): with slots coming free every few
   * milliseconds, a busy worker would otherwise pay for an empty receive on high with each full one
   * on low.
   */
  private static final Logger log = LoggerFactory.getLogger(CrawlLoop.class);
  private static final Duration GATHER_SLOTS = Duration.ofMillis(20);
  private static final Duration QUIET = Duration.ofMillis(100);
  private static final Duration LONGEST_ERROR_PAUSE = Duration.ofSeconds(30);

  private final Polling polling;
  private final TaskQueue queue;
  private final Frontier frontier;
  private final SiteCache sites;
  private final Robots robots;
  private final Gate gate;
  private final PerServerLimit perServer;
  private final PageWork pageWork;
  private final PutBack putBack;
  private final Heartbeat heartbeat;
  private final Meters meters;
  private final InstantSource clock;

  private final Semaphore slots;
  private final ExecutorService hands = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch stopping = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Map<Priority, Instant> quietUntil = new EnumMap<>(Priority.class);
  private final Set<CrawlUrl> working = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean gateAway = new AtomicBoolean();
  private long polls;

  /**
   * How the queues are polled.
   *
   * @param slots pages in hand at once, at least 1
   * @param idleWait how long a receive waits when both queues were empty, at most 20 s
   * @param lowShare one poll in this many asks the low queue first, at least 2
   */
  record Polling(int slots, Duration idleWait, int lowShare) {}

  CrawlLoop(
      Polling polling,
      TaskQueue queue,
      Frontier frontier,
      SiteCache sites,
      Robots robots,
      Gate gate,
      PerServerLimit perServer,
      PageWork pageWork,
      PutBack putBack,
      Heartbeat heartbeat,
      Meters meters,
      InstantSource clock) {
    this.polling = polling;
    this.queue = queue;
    this.frontier = frontier;
    this.sites = sites;
    this.robots = robots;
    this.gate = gate;
    this.perServer = perServer;
    this.pageWork = pageWork;
    this.putBack = putBack;
    this.heartbeat = heartbeat;
    this.meters = meters;
    this.clock = clock;
    this.slots = new Semaphore(polling.slots());
  }

  /** Polls until {@link #stop} is called. */
  void run() {
    int errors = 0;
    try {
      while (stopping.getCount() > 0) {
        int free = takeSlots();
        if (free > 0) {
          errors = poll(free) ? 0 : errors + 1;
          pauseAfter(errors);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stopped.countDown();
    }
  }

  /**
   * Stops receiving, lets pages in hand finish within {@code grace}, and gives back the rest at
   * once, visible to other workers.
   */
  void stop(Duration grace) throws InterruptedException {
    stopping.countDown();
    boolean quiet =
        slots.tryAcquire(polling.slots(), grace.toMillis(), TimeUnit.MILLISECONDS)
            && stopped.await(grace.toMillis(), TimeUnit.MILLISECONDS);
    for (Lease lease : heartbeat.inHand()) {
      if (heartbeat.remove(lease)) {
        meters.add(Meter.TASK_GIVEN_BACK);
        queue.release(lease, Duration.ZERO);
      }
    }
    if (!quiet) {
      log.info("Gave back what did not finish within {}", grace);
    }
    hands.shutdownNow();
  }

  /** Takes up to a batch of free slots: all there are, once ten are free or a moment has passed. */
  private int takeSlots() throws InterruptedException {
    int batch = Math.min(TaskQueue.MAX_BATCH, polling.slots());
    if (slots.tryAcquire(batch, GATHER_SLOTS.toMillis(), TimeUnit.MILLISECONDS)) {
      return batch;
    }
    int free = 0;
    while (free < batch && slots.tryAcquire()) {
      free++;
    }
    return free;
  }

  /** Polls once, and returns whether the queue could be asked. */
  private boolean poll(int free) {
    int left = free;
    try {
      boolean lowFirst = ++polls % polling.lowShare() == 0;
      Priority first = lowFirst ? Priority.LOW : Priority.HIGH;
      Priority second = lowFirst ? Priority.HIGH : Priority.LOW;
      left -= receiveUnlessQuiet(first, left);
      if (left > 0) {
        left -= receiveUnlessQuiet(second, left);
      }
      if (left == free && isQuiet(first) && isQuiet(second)) {
        left -= receive(polls % 2 == 0 ? first : second, left, polling.idleWait());
      }
      return true;
    } catch (RuntimeException e) {
      log.warn("Cannot receive, and will try again: {}", e.toString());
      return false;
    } finally {
      slots.release(left);
    }
  }

  private boolean isQuiet(Priority priority) {
    return clock.instant().isBefore(quietUntil.getOrDefault(priority, Instant.MIN));
  }

  private int receiveUnlessQuiet(Priority priority, int most) {
    return isQuiet(priority) ? 0 : receive(priority, most, Duration.ZERO);
  }

  private int receive(Priority priority, int most, Duration wait) {
    Received received = queue.receive(priority, most, wait);
    List<Delivery> deliveries = received.deliveries();
    meters.add(Meter.TASK_RECEIVED, deliveries.size());
    meters.add(Meter.TASK_UNREADABLE, received.unreadable());
    if (deliveries.isEmpty()) {
      quietUntil.put(priority, clock.instant().plus(QUIET));
      return 0;
    }
    quietUntil.remove(priority);
    for (Delivery delivery : deliveries) {
      heartbeat.add(delivery.lease());
      meters.add(Meter.TASK_DWELL, (double) delivery.dwell().toMillis());
    }
    hands.execute(() -> admit(deliveries));
    return deliveries.size();
  }

  private void pauseAfter(int errors) throws InterruptedException {
    if (errors > 0) {
      long millis = Math.min(LONGEST_ERROR_PAUSE.toMillis(), 500L << Math.min(errors, 10));
      stopping.await(millis, TimeUnit.MILLISECONDS);
    }
  }

  /** Decides on each delivery of a batch, and hands on those that are granted. */
  private void admit(List<Delivery> deliveries) {
    List<Admitted> granted = new ArrayList<>();
    for (Delivery delivery : deliveries) {
      CrawlUrl url = delivery.task().url();
      Optional<RobotsRules> rules = robots.known(url);
      if (rules.isEmpty()) {
        // A robots.txt that is slow to come must not hold up the rest of the batch.
        hands.execute(() -> hand(admit(delivery, robots.rulesFor(url)).stream().toList()));
        continue;
      }
      granted.addAll(admit(delivery, rules.get()).stream().toList());
    }
    hand(granted);
  }

  private Optional<Admitted> admit(Delivery delivery, RobotsRules rules) {
    try {
      return decide(delivery, rules);
    } catch (RuntimeException e) {
      giveBack(delivery, e);
      return Optional.empty();
    }
  }

  /** Has granted tasks worked on, but for those whose page needs no work any more. */
  private void hand(List<Admitted> granted) {
    if (granted.isEmpty()) {
      return;
    }
    Map<Task, Page> pages;
    try {
      pages = frontier.read(granted.stream().map(each -> each.delivery().task()).toList());
    } catch (RuntimeException e) {
      for (Admitted each : granted) {
        perServer.release(each.delivery().task().url().hostKey());
        giveBack(each.delivery(), e);
      }
      return;
    }
    for (Admitted each : granted) {
      begin(each, Optional.ofNullable(pages.get(each.delivery().task())));
    }
  }

  private record Admitted(Delivery delivery, Site site) {}

  private Optional<Admitted> decide(Delivery delivery, RobotsRules rules) {
    Task task = delivery.task();
    Optional<SiteStatus> status = sites.find(task.site());
    if (status.isEmpty() || status.get().state() == SiteState.STOPPED) {
      // The page stays unfinished in the frontier, from where resuming the site sends it again.
      log.debug("Dropped {}: site {} is stopped or unknown", task.url(), task.site());
      meters.add(Meter.TASK_STALE);
      queue.delete(delivery.lease());
      end(delivery);
      return Optional.empty();
    }
    if (stopping.getCount() == 0) {
      giveBackForStop(delivery);
      return Optional.empty();
    }
    Site site = status.get().site();
    switch (rules.check(task.url())) {
      case RobotsAnswer.Allowed allowed -> {}
      case RobotsAnswer.Barred barred -> {
        pageWork.skip(delivery, "robots: " + barred.rule());
        end(delivery);
        return Optional.empty();
      }
      case RobotsAnswer.Unreachable unreachable -> {
        meters.add(Meter.TASK_THROTTLED);
        log.debug("Parked {}: {}", task.url(), unreachable.reason());
        putBack.after(delivery, unreachable.retryAfter());
        end(delivery);
        return Optional.empty();
      }
    }
    if (!perServer.tryAcquire(task.url().hostKey())) {
      throttled(delivery);
      return Optional.empty();
    }
    Admission admission;
    try {
      admission = gate.admit(site.id(), task.url().hostKey(), GateLimits.of(site.limits()));
    } catch (RuntimeException e) {
      perServer.release(task.url().hostKey());
      throw e;
    }
    return switch (admission) {
      case Admission.Granted granted -> {
        if (gateAway.get() && gateAway.getAndSet(false)) {
          log.info("The gate is back");
        }
        meters.add(Meter.TASK_GRANTED);
        yield Optional.of(new Admitted(delivery, site));
      }
      case Admission.Deferred deferred -> {
        perServer.release(task.url().hostKey());
        throttled(delivery);
        yield Optional.empty();
      }
      case Admission.Unavailable unavailable -> {
        perServer.release(task.url().hostKey());
        meters.add(Meter.GATE_UNAVAILABLE);
        if (!gateAway.getAndSet(true)) {
          log.warn("Nothing is fetched while the gate is away: {}", unavailable.reason());
        }
        putBack.gateUnavailable(delivery);
        end(delivery);
        yield Optional.empty();
      }
    };
  }

  private void throttled(Delivery delivery) {
    meters.add(Meter.TASK_THROTTLED);
    putBack.throttled(delivery);
    end(delivery);
  }

  private void begin(Admitted admitted, Optional<Page> page) {
    Delivery delivery = admitted.delivery();
    Task task = delivery.task();
    if (page.isEmpty() || page.get().makesStale(task)) {
      meters.add(Meter.TASK_STALE);
      perServer.release(task.url().hostKey());
      queue.delete(delivery.lease());
      end(delivery);
      return;
    }
    Page known = page.get();
    if (!working.add(known.url())) {
      // SQS delivers at least once, and now and then both deliveries come here.
      perServer.release(task.url().hostKey());
      putBack.later(delivery);
      end(delivery);
      return;
    }
    hands.execute(
        () -> {
          try {
            pageWork.work(delivery, known, admitted.site());
            letGo(task);
            end(delivery);
          } catch (RuntimeException e) {
            letGo(task);
            giveBack(delivery, e);
          }
        });
  }

  private void letGo(Task task) {
    working.remove(task.url());
    perServer.release(task.url().hostKey());
  }

  /** Gives back a task because of a store or queue in trouble, unless stopping did so already. */
  private void giveBack(Delivery delivery, RuntimeException why) {
    if (heartbeat.remove(delivery.lease())) {
      meters.add(Meter.TASK_GIVEN_BACK);
      log.warn(
          "{} was given back, and will be worked on again: {}",
          delivery.task().url(),
          why.toString());
      putBack.later(delivery);
    }
    slots.release();
  }

  private void giveBackForStop(Delivery delivery) {
    meters.add(Meter.TASK_GIVEN_BACK);
    queue.release(delivery.lease(), Duration.ZERO);
    end(delivery);
  }

  private void end(Delivery delivery) {
    heartbeat.remove(delivery.lease());
    slots.release();
  }
}
