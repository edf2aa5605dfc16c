package dev.fairfleet.worker;

import dev.fairfleet.lease.Lease;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.queue.Received;
import dev.fairfleet.queue.TaskQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A queue that writes down what workers ask of it. */
final class ObservedQueue implements TaskQueue {
  final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
  final List<Dispatch> sent = new CopyOnWriteArrayList<>();
  final List<Duration> releases = new CopyOnWriteArrayList<>();
  final List<String> endings = new CopyOnWriteArrayList<>();

  /** The most tasks that were received and neither deleted nor released, at any moment. */
  final AtomicInteger mostInHand = new AtomicInteger();

  /** Receives of each queue that have returned. */
  final ConcurrentHashMap<Priority, Integer> returned = new ConcurrentHashMap<>();

  /** Runs after every send. */
  volatile Runnable afterSend = () -> {};

  /** Runs before every delete, which fails if this throws. */
  volatile Runnable beforeDelete = () -> {};

  private final Supplier<? extends TaskQueue> queue;
  private final Set<Lease> inHand = ConcurrentHashMap.newKeySet();

  ObservedQueue(Supplier<? extends TaskQueue> queue) {
    this.queue = queue;
  }

  @Override
  public Received receive(Priority priority, int max, Duration wait) {
    Received received = queue.get().receive(priority, max, wait);
    received.deliveries().forEach(delivery -> inHand.add(delivery.lease()));
    mostInHand.accumulateAndGet(inHand.size(), Math::max);
    deliveries.addAll(received.deliveries());
    returned.merge(priority, 1, Integer::sum);
    return received;
  }

  @Override
  public void send(Collection<Dispatch> dispatches) {
    endings.add("send");
    sent.addAll(dispatches);
    queue.get().send(dispatches);
    afterSend.run();
  }

  @Override
  public void delete(Lease lease) {
    beforeDelete.run();
    endings.add("delete");
    queue.get().delete(lease);
    inHand.remove(lease);
  }

  @Override
  public void release(Lease lease, Duration after) {
    releases.add(after);
    inHand.remove(lease);
    queue.get().release(lease, after);
  }

  @Override
  public QueueDepth depth() {
    return queue.get().depth();
  }

  @Override
  public void close() {}
}
