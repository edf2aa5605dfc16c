package dev.fairfleet.worker;

import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.PollPolicy;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A receive under way on each queue, as {@link PollPolicy} decides. */
final class SlotPolling implements Polling {
  private static final Logger log = LoggerFactory.getLogger(SlotPolling.class);
  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private final InHand inHand;
  private final Places places;
  private final TaskQueue queue;
  private final SlotIntake slots;
  private final Intake intake;
  private final PollPolicy policy;
  private final PressureGauge gauge;
  private final InFlightWatch inFlight;
  private final Duration wait;
  private final InstantSource clock;

  private final Object lock = new Object();
  private final Map<Priority, Line> lines = new EnumMap<>(Priority.class);
  private int highsInARow;
  private Instant lastPoll;

  /** What is known of a queue; guarded by the lock. */
  private static final class Line {
    boolean underWay;
    boolean wasFull;
    int errors;
    Instant notBefore = Instant.MIN;
    Duration dwell = Duration.ZERO;
    Instant at;

    Line(Instant now) {
      this.at = now;
    }

    Duration waited(Instant now) {
      return dwell.plus(Duration.between(at, now));
    }
  }

  /**
   * @param wait how long a receive waits at a queue that is empty, at most 20 s
   */
  SlotPolling(
      InHand inHand,
      TaskQueue queue,
      SlotIntake slots,
      Intake intake,
      PollPolicy policy,
      PressureGauge gauge,
      InFlightWatch inFlight,
      Duration wait,
      InstantSource clock) {
    this.inHand = inHand;
    this.places = inHand.places();
    this.queue = queue;
    this.slots = slots;
    this.intake = intake;
    this.policy = policy;
    this.gauge = gauge;
    this.inFlight = inFlight;
    this.wait = wait;
    this.clock = clock;
    this.lastPoll = clock.instant();
    for (Priority priority : Priority.values()) {
      lines.put(priority, new Line(lastPoll));
    }
  }

  private Line line(Priority priority) {
    Line line = lines.get(priority);
    if (line == null) {
      throw new AssertionError("There is a line for every priority");
    }
    return line;
  }

  @Override
  public void run() throws InterruptedException {
    while (!inHand.isStopping()) {
      long seen = places.changes();
      Optional<PollPolicy.Poll> poll = next();
      if (poll.isEmpty()) {
        places.awaitChange(seen, policy.gather().isZero() ? A_MOMENT : policy.gather());
      } else if (places.take(poll.get().max())) {
        inHand.execute(() -> receive(poll.get()));
      }
    }
  }

  /** Decides, and notes the receive that is to be made. */
  private Optional<PollPolicy.Poll> next() {
    synchronized (lock) {
      Instant now = clock.instant();
      Line high = line(Priority.HIGH);
      Line low = line(Priority.LOW);
      Optional<PollPolicy.Poll> poll =
          policy.next(
              new PollPolicy.Facts(
                  slots.room(),
                  slots.usualPlaces(),
                  Duration.between(lastPoll, now),
                  high.underWay || now.isBefore(high.notBefore),
                  low.underWay || now.isBefore(low.notBefore),
                  high.wasFull,
                  highsInARow,
                  high.waited(now),
                  low.waited(now)));
      poll.ifPresent(
          made -> {
            line(made.priority()).underWay = true;
            highsInARow = made.priority() == Priority.HIGH ? highsInARow + 1 : 0;
            lastPoll = now;
          });
      return poll;
    }
  }

  private void receive(PollPolicy.Poll poll) {
    List<Delivery> deliveries = List.of();
    boolean answered = false;
    try {
      deliveries = inHand.accept(queue.receive(poll.priority(), poll.max(), wait));
      answered = true;
    } catch (RuntimeException e) {
      if (!inHand.isStopping()) {
        log.warn(
            "Cannot receive from the {} queue, and will try again: {}",
            poll.priority(),
            e.toString());
      }
    } finally {
      if (answered) {
        returned(poll, deliveries);
      } else {
        failed(poll.priority());
      }
      places.give(poll.max() - deliveries.size());
    }
    if (!deliveries.isEmpty()) {
      intake.accept(deliveries);
    }
  }

  private static Duration meanDwell(List<Delivery> deliveries) {
    return deliveries.isEmpty()
        ? Duration.ZERO
        : deliveries.stream()
            .map(Delivery::dwell)
            .reduce(Duration.ZERO, Duration::plus)
            .dividedBy(deliveries.size());
  }

  private void returned(PollPolicy.Poll poll, List<Delivery> deliveries) {
    Duration dwell = meanDwell(deliveries);
    if (!deliveries.isEmpty() || !inFlight.nearsQuota()) {
      gauge.received(dwell);
    }
    synchronized (lock) {
      Line line = line(poll.priority());
      line.underWay = false;
      line.wasFull = deliveries.size() == poll.max();
      line.errors = 0;
      line.dwell = dwell;
      line.at = clock.instant();
    }
  }

  private void failed(Priority priority) {
    synchronized (lock) {
      Line line = line(priority);
      line.underWay = false;
      line.wasFull = false;
      line.errors++;
      line.notBefore = clock.instant().plus(ErrorPause.after(line.errors));
    }
  }
}
