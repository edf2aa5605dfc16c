package dev.fairfleet.worker;

import dev.fairfleet.frontier.TaskKind;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.TaskQueue;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Has the ends of crawls looked for, and leaves the pages to another intake. */
final class EndIntake implements Intake {
  // Each reads a whole site.
  private static final int MOST_AT_ONCE = 2;

  private final InHand inHand;
  private final TaskQueue queue;
  private final Ending ending;
  private final Intake pages;
  private final Semaphore atOnce = new Semaphore(MOST_AT_ONCE);

  /** Uses the queue without closing it. */
  EndIntake(InHand inHand, TaskQueue queue, Ending ending, Intake pages) {
    this.inHand = inHand;
    this.queue = queue;
    this.ending = ending;
    this.pages = pages;
  }

  @Override
  public void accept(List<Delivery> deliveries) {
    List<Delivery> ofPages =
        deliveries.stream().filter(it -> it.task().kind() == TaskKind.PAGE).toList();
    if (!ofPages.isEmpty()) {
      pages.accept(ofPages);
    }
    deliveries.stream()
        .filter(it -> it.task().kind() == TaskKind.END)
        .forEach(it -> inHand.execute(() -> look(it)));
  }

  private void look(Delivery delivery) {
    atOnce.acquireUninterruptibly();
    try {
      if (inHand.isStopping()) {
        inHand.giveBackForStop(delivery);
        return;
      }
      ending.look(delivery.task());
      queue.delete(delivery.lease());
    } catch (RuntimeException e) {
      inHand.giveBack(delivery, e);
      return;
    } finally {
      atOnce.release();
    }
    inHand.end(delivery);
  }
}
