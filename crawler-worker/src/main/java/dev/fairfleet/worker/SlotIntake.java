package dev.fairfleet.worker;

import dev.fairfleet.fairness.TurnPolicy;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.worker.Doorman.Guest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Holds each task until its slot, without a fetch slot, and then asks for its turn; whose turn is
 * far then is put back.
 */
final class SlotIntake implements Intake {
  /*
   * Each task has a thread of its own, which tells its story from top to bottom. A look at the gate
   * tells when it is worth while to take a fetch slot and to connect. The gate is asked, and the
   * request counted, when the connection stands, so that between its answer and the request nothing
   * is waited for; and by one task of a host at a time, so that they do not all wake for one turn.
   */
  private static final Duration LONGEST_WAIT_AT_THE_WIRE = Duration.ofSeconds(2);

  private final InHand inHand;
  private final Doorman doorman;
  private final GateKeeper gate;
  private final HostLines lines;
  private final FetchSlots slots;
  private final TurnPolicy turns;
  private final Frontier frontier;
  private final Scheduling scheduling;
  private final AtomicInteger held = new AtomicInteger();

  SlotIntake(
      InHand inHand,
      Doorman doorman,
      GateKeeper gate,
      HostLines lines,
      FetchSlots slots,
      TurnPolicy turns,
      Frontier frontier,
      Scheduling scheduling) {
    this.inHand = inHand;
    this.doorman = doorman;
    this.gate = gate;
    this.lines = lines;
    this.slots = slots;
    this.turns = turns;
    this.frontier = frontier;
    this.scheduling = scheduling;
  }

  /** Returns how many tasks a worker with some slots may have in hand, at work or waiting. */
  static int most(int slots) {
    return (2 + FetchSlots.SLOW_PER_SLOT) * slots + TaskQueue.MAX_BATCH;
  }

  @Override
  public void accept(List<Delivery> deliveries) {
    inHand.execute(() -> doorman.letIn(deliveries, this::hold));
  }

  private void hold(List<Guest> guests) {
    Map<Task, Page> pages;
    try {
      pages = frontier.read(guests.stream().map(Guest::task).toList());
    } catch (RuntimeException e) {
      guests.forEach(guest -> inHand.giveBack(guest.delivery(), e));
      return;
    }
    for (Guest guest : guests) {
      try {
        begin(guest, Optional.ofNullable(pages.get(guest.task())));
      } catch (RuntimeException e) {
        inHand.giveBack(guest.delivery(), e);
      }
    }
  }

  private void begin(Guest guest, Optional<Page> page) {
    Task task = guest.task();
    if (page.isEmpty() || page.get().makesStale(task)) {
      if (page.filter(it -> it.crawl().equals(task.crawl()) && it.state().isFinal()).isPresent()) {
        // Whoever settled it may have died before it could say so.
        scheduling.settled(task, guest.site());
      }
      inHand.drop(guest.delivery());
    } else if (inHand.begin(task.url())) {
      inHand.execute(() -> live(guest, page.get()));
    } else {
      inHand.later(guest.delivery());
    }
  }

  private void live(Guest guest, Page page) {
    Consumer<Delivery> ending;
    try {
      boolean ended = holdUntilSlot(guest.delivery()) && inLine(guest, page);
      ending = ended ? inHand::end : inHand::giveBackForStop;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ending = inHand::giveBackForStop;
    } catch (RuntimeException | Error e) {
      ending = delivery -> inHand.giveBack(delivery, e);
    }
    inHand.letGo(guest.task().url());
    ending.accept(guest.delivery());
  }

  private boolean holdUntilSlot(Delivery delivery) throws InterruptedException {
    held.incrementAndGet();
    try {
      return inHand.hold(roundedUp(delivery.hold()));
    } finally {
      held.decrementAndGet();
    }
  }

  /**
   * Returns for how many more tasks there is use now: as many as there are fetch slots and a batch,
   * less those that have one or would take one. Slow pages have made way; the places that are meant
   * for them are left to them.
   */
  int room() {
    int active = inHand.size() - held.get() - lines.waiting() - slots.slow();
    int placesForSlow = FetchSlots.SLOW_PER_SLOT * slots.count() - slots.slow();
    return Math.min(
        slots.count() + TaskQueue.MAX_BATCH - active, inHand.places().free() - placesForSlow);
  }

  /** Returns how many tasks may be in hand while no page is slow. */
  int usualPlaces() {
    return 2 * slots.count() + TaskQueue.MAX_BATCH;
  }

  /** Sees a task through its turn; false if the worker stops before. */
  private boolean inLine(Guest guest, Page page) throws InterruptedException {
    try (HostLines.Visit visit = lines.enter(guest.task().url().hostKey())) {
      visit.awaitHead();
      Duration wait = Duration.ZERO;
      while (holdInLine(visit, wait)) {
        if (doorman.drops(guest)) {
          return true;
        }
        Optional<Admission> answer = workIfGranted(guest, page, visit);
        if (answer.isEmpty()) {
          return false;
        }
        switch (answer.get()) {
          case Admission.Granted granted -> {
            return true;
          }
          case Admission.Unavailable unavailable -> {
            gate.park(guest.delivery());
            return true;
          }
          case Admission.Deferred deferred -> {
            switch (turns.decide(deferred.after())) {
              case TurnPolicy.Turn.Hold hold -> wait = roundedUp(hold.after());
              case TurnPolicy.Turn.Requeue requeue -> {
                scheduling.deferred(guest.delivery(), guest.site());
                return true;
              }
            }
          }
        }
      }
      return false;
    }
  }

  private boolean holdInLine(HostLines.Visit visit, Duration wait) throws InterruptedException {
    visit.waitsForTurn(!wait.isZero());
    try {
      return inHand.hold(wait);
    } finally {
      visit.waitsForTurn(false);
    }
  }

  /** Returns the gate's answer, once the page was worked on if that was yes; nothing at a stop. */
  private Optional<Admission> workIfGranted(Guest guest, Page page, HostLines.Visit visit)
      throws InterruptedException {
    FetchSlots.Slot slot = slots.acquire();
    try {
      if (inHand.isStopping()) {
        return Optional.empty();
      }
      Admission answer = gate.look(guest);
      return answer instanceof Admission.Granted granted
          ? work(guest, page, visit, granted)
          : Optional.of(answer);
    } finally {
      slot.close();
    }
  }

  private Optional<Admission> work(
      Guest guest, Page page, HostLines.Visit visit, Admission.Granted granted) {
    Runnable turn =
        () -> {
          gate.awaitTurn(guest.site(), guest.task().url(), LONGEST_WAIT_AT_THE_WIRE);
          visit.leaveHead();
        };
    try {
      boolean begun = inHand.work(guest.delivery(), page, guest.site(), turn);
      return begun ? Optional.of(granted) : Optional.empty();
    } catch (TurnLostException e) {
      return Optional.of(e.admission());
    }
  }

  private static Duration roundedUp(Duration wait) {
    return Duration.ofMillis(wait.plusNanos(999_999).toMillis());
  }
}
