package dev.fairfleet.worker;

import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One receive after the other: high before low, never more than there are free slots. */
final class PlainPolling implements Polling {
  /*
   * A slot is taken before a receive, so that a lease never burns while its task waits for one; what
   * the receive does not use goes back at once. A queue that was empty is not asked again for a
   * moment (QUIET): with slots coming free every few milliseconds, a busy worker would otherwise pay
   * for an empty receive on high with each full one on low.
   */
  private static final Logger log = LoggerFactory.getLogger(PlainPolling.class);
  private static final Duration GATHER_SLOTS = Duration.ofMillis(20);
  private static final Duration QUIET = Duration.ofMillis(100);

  private final InHand inHand;
  private final Places slots;
  private final TaskQueue queue;
  private final Intake intake;
  private final Duration idleWait;
  private final int lowShare;
  private final InstantSource clock;
  private final Map<Priority, Instant> quietUntil = new EnumMap<>(Priority.class);
  private long polls;

  /**
   * @param idleWait how long a receive waits when both queues were empty, at most 20 s
   * @param lowShare one poll in this many asks the low queue first, at least 2
   */
  PlainPolling(
      InHand inHand,
      TaskQueue queue,
      Intake intake,
      Duration idleWait,
      int lowShare,
      InstantSource clock) {
    this.inHand = inHand;
    this.slots = inHand.places();
    this.queue = queue;
    this.intake = intake;
    this.idleWait = idleWait;
    this.lowShare = lowShare;
    this.clock = clock;
  }

  @Override
  public void run() throws InterruptedException {
    int batch = Math.min(TaskQueue.MAX_BATCH, slots.all());
    int errors = 0;
    while (!inHand.isStopping()) {
      int free = slots.gather(batch, GATHER_SLOTS);
      if (free > 0) {
        errors = poll(free) ? 0 : errors + 1;
        if (errors > 0 && inHand.stopsWithin(ErrorPause.after(errors))) {
          return;
        }
      }
    }
  }

  /** Polls once, and returns whether the queue could be asked. */
  private boolean poll(int free) {
    int left = free;
    try {
      boolean lowFirst = ++polls % lowShare == 0;
      Priority first = lowFirst ? Priority.LOW : Priority.HIGH;
      Priority second = lowFirst ? Priority.HIGH : Priority.LOW;
      left -= receiveUnlessQuiet(first, left);
      if (left > 0) {
        left -= receiveUnlessQuiet(second, left);
      }
      if (left == free && isQuiet(first) && isQuiet(second)) {
        left -= receive(polls % 2 == 0 ? first : second, left, idleWait);
      }
      return true;
    } catch (RuntimeException e) {
      log.warn("Cannot receive, and will try again: {}", e.toString());
      return false;
    } finally {
      slots.give(left);
    }
  }

  private boolean isQuiet(Priority priority) {
    return clock.instant().isBefore(quietUntil.getOrDefault(priority, Instant.MIN));
  }

  private int receiveUnlessQuiet(Priority priority, int most) {
    return isQuiet(priority) ? 0 : receive(priority, most, Duration.ZERO);
  }

  private int receive(Priority priority, int most, Duration wait) {
    List<Delivery> deliveries = inHand.accept(queue.receive(priority, most, wait));
    if (deliveries.isEmpty()) {
      quietUntil.put(priority, clock.instant().plus(QUIET));
      return 0;
    }
    quietUntil.remove(priority);
    intake.accept(deliveries);
    return deliveries.size();
  }
}
