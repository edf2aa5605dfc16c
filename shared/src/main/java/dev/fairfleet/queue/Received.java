package dev.fairfleet.queue;

import java.util.List;

/**
 * The answer to one receive.
 *
 * @param deliveries tasks that can be read, at most as many as were asked for
 * @param unreadable how many messages could not be read; they were moved to the dead-letter queue
 *     with a reason, or will be delivered again if that failed
 */
public record Received(List<Delivery> deliveries, int unreadable) {
  public Received {
    deliveries = List.copyOf(deliveries);
  }
}
