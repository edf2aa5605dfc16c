package dev.fairfleet.worker;

import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.worker.Doorman.Guest;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Asks for each task's turn as soon as it is received; whose turn has not come is put back. */
final class PlainIntake implements Intake {
  private final InHand inHand;
  private final Doorman doorman;
  private final GateKeeper gate;
  private final PerServerLimit perServer;
  private final Frontier frontier;
  private final Scheduling scheduling;
  private final Meters meters;

  PlainIntake(
      InHand inHand,
      Doorman doorman,
      GateKeeper gate,
      PerServerLimit perServer,
      Frontier frontier,
      Scheduling scheduling,
      Meters meters) {
    this.inHand = inHand;
    this.doorman = doorman;
    this.gate = gate;
    this.perServer = perServer;
    this.frontier = frontier;
    this.scheduling = scheduling;
    this.meters = meters;
  }

  @Override
  public void accept(List<Delivery> deliveries) {
    inHand.execute(() -> doorman.letIn(deliveries, this::admit));
  }

  private void admit(List<Guest> guests) {
    List<Guest> granted = new ArrayList<>();
    for (Guest guest : guests) {
      try {
        if (isGranted(guest)) {
          granted.add(guest);
        }
      } catch (RuntimeException e) {
        inHand.giveBack(guest.delivery(), e);
      }
    }
    if (!granted.isEmpty()) {
      hand(granted);
    }
  }

  /** Asks for a task's turn; one that is not granted has ended. */
  private boolean isGranted(Guest guest) {
    if (!perServer.tryAcquire(guest.task().url().hostKey())) {
      meters.add(Meter.TASK_THROTTLED);
      scheduling.deferred(guest.delivery(), guest.site());
      inHand.end(guest.delivery());
      return false;
    }
    boolean granted = false;
    try {
      granted =
          switch (gate.admit(guest)) {
            case Admission.Granted yes -> true;
            case Admission.Deferred deferred -> {
              scheduling.deferred(guest.delivery(), guest.site());
              yield false;
            }
            case Admission.Unavailable unavailable -> {
              gate.park(guest.delivery());
              yield false;
            }
          };
    } finally {
      if (!granted) {
        perServer.release(guest.task().url().hostKey());
      }
    }
    if (!granted) {
      inHand.end(guest.delivery());
    }
    return granted;
  }

  /** Has granted tasks worked on, but for those whose page needs no work any more. */
  private void hand(List<Guest> granted) {
    Map<Task, Page> pages;
    try {
      pages = frontier.read(granted.stream().map(Guest::task).toList());
    } catch (RuntimeException e) {
      for (Guest guest : granted) {
        perServer.release(guest.task().url().hostKey());
        inHand.giveBack(guest.delivery(), e);
      }
      return;
    }
    for (Guest guest : granted) {
      Optional<Page> page = Optional.ofNullable(pages.get(guest.task()));
      boolean stale = page.isEmpty() || page.get().makesStale(guest.task());
      if (!stale && inHand.begin(guest.task().url())) {
        inHand.execute(() -> work(guest, page.get()));
      } else {
        perServer.release(guest.task().url().hostKey());
        leave(guest.delivery(), stale);
      }
    }
  }

  private void leave(Delivery delivery, boolean stale) {
    try {
      if (stale) {
        inHand.drop(delivery);
      } else {
        inHand.later(delivery);
      }
    } catch (RuntimeException e) {
      inHand.giveBack(delivery, e);
    }
  }

  private void work(Guest guest, Page page) {
    Consumer<Delivery> ending;
    try {
      boolean begun = inHand.work(guest.delivery(), page, guest.site(), () -> {});
      ending = begun ? inHand::end : inHand::giveBackForStop;
    } catch (RuntimeException | Error e) {
      ending = delivery -> inHand.giveBack(delivery, e);
    }
    letGo(guest.task());
    ending.accept(guest.delivery());
  }

  private void letGo(Task task) {
    inHand.letGo(task.url());
    perServer.release(task.url().hostKey());
  }
}
