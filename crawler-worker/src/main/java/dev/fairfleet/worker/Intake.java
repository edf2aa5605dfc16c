package dev.fairfleet.worker;

import dev.fairfleet.queue.Delivery;
import java.util.List;

/** What becomes of tasks that were received. */
@FunctionalInterface
interface Intake {
  /** Sees each task to its end; returns at once. */
  void accept(List<Delivery> deliveries);
}
