package dev.fairfleet.memory;

import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.Lease;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.queue.Received;
import dev.fairfleet.queue.TaskQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The two queues for the workers of one process, with the delays, leases, receive counts and
 * redrive of SQS, on the clock that it is given.
 *
 * <p>{@link #receive} waits in real time, and is woken by what other threads do. On a virtual clock
 * it must not be asked to wait.
 */
public final class InMemoryTaskQueue implements TaskQueue {
  private final InstantSource clock;
  private final LeasePolicy leases;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Messages high = new Messages();
  private final Messages low = new Messages();
  private final List<Task> deadLetters = new ArrayList<>();

  /** Creates two empty queues. */
  public InMemoryTaskQueue(InstantSource clock, LeasePolicy leases) {
    this.clock = clock;
    this.leases = leases;
  }

  private Messages messages(Priority priority) {
    return switch (priority) {
      case HIGH -> high;
      case LOW -> low;
    };
  }

  private static final class Message {
    final Task task;
    final Priority priority;
    final Instant availableAt;
    final Duration hold;
    Instant visibleAt;
    int receives;
    // Counts every change, so that earlier places in the line are known to be stale.
    int version;
    boolean deleted;

    Message(Dispatch dispatch, Instant now) {
      this.task = dispatch.task();
      this.priority = dispatch.priority();
      this.availableAt = now.plus(dispatch.delay());
      this.visibleAt = availableAt;
      this.hold = dispatch.hold();
    }
  }

  private record Place(Message message, Instant visibleAt, int version) {
    boolean isStale() {
      return message.deleted || message.version != version;
    }
  }

  /** All messages of one queue, by when they become visible. */
  private static final class Messages {
    final PriorityQueue<Place> line = new PriorityQueue<>(Comparator.comparing(Place::visibleAt));
    long size;

    void place(Message message, Instant visibleAt) {
      message.visibleAt = visibleAt;
      message.version++;
      line.add(new Place(message, visibleAt, message.version));
    }

    @Nullable Place first() {
      Place place = line.peek();
      while (place != null && place.isStale()) {
        line.remove();
        place = line.peek();
      }
      return place;
    }

    @Nullable Message takeVisible(Instant now) {
      Place place = first();
      if (place == null || place.visibleAt().isAfter(now)) {
        return null;
      }
      line.remove();
      return place.message();
    }
  }

  private record MemoryLease(Message message, Instant receivedAt, int receiveCount)
      implements Lease {
    boolean isNewest() {
      return !message.deleted && message.receives == receiveCount;
    }
  }

  @Override
  public Received receive(Priority priority, int max, Duration wait) {
    long deadline = System.nanoTime() + wait.toNanos();
    lock.lock();
    try {
      List<Delivery> deliveries = takeVisible(priority, max);
      while (deliveries.isEmpty()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          break;
        }
        Place next = messages(priority).first();
        long untilNext =
            next == null
                ? left
                : Duration.between(clock.instant(), next.visibleAt()).plusMillis(1).toNanos();
        changed.await(Math.min(left, untilNext), TimeUnit.NANOSECONDS);
        deliveries = takeVisible(priority, max);
      }
      return new Received(deliveries, 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Received(List.of(), 0);
    } finally {
      lock.unlock();
    }
  }

  private List<Delivery> takeVisible(Priority priority, int max) {
    Instant now = clock.instant();
    Messages messages = messages(priority);
    List<Delivery> deliveries = new ArrayList<>(max);
    while (deliveries.size() < max) {
      Message message = messages.takeVisible(now);
      if (message == null) {
        break;
      }
      message.receives++;
      if (message.receives > leases.maxReceiveCount()) {
        message.deleted = true;
        messages.size--;
        deadLetters.add(message.task);
        continue;
      }
      messages.place(message, now.plus(leases.visibility()));
      Duration dwell =
          message.receives == 1 ? Duration.between(message.availableAt, now) : Duration.ZERO;
      boolean waits = message.receives == 1 && message.hold.compareTo(dwell) > 0;
      deliveries.add(
          new Delivery(
              message.task,
              priority,
              new MemoryLease(message, now, message.receives),
              dwell,
              waits ? message.hold.minus(dwell) : Duration.ZERO));
    }
    return deliveries;
  }

  @Override
  public void send(Collection<Dispatch> dispatches) {
    lock.lock();
    try {
      Instant now = clock.instant();
      for (Dispatch dispatch : dispatches) {
        Messages messages = messages(dispatch.priority());
        Message message = new Message(dispatch, now);
        messages.place(message, message.visibleAt);
        messages.size++;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void delete(Lease lease) {
    MemoryLease memory = own(lease);
    lock.lock();
    try {
      if (memory.isNewest()) {
        memory.message.deleted = true;
        messages(memory.message.priority).size--;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void release(Lease lease, Duration after) {
    MemoryLease memory = own(lease);
    lock.lock();
    try {
      Instant now = clock.instant();
      if (memory.isNewest() && memory.message.visibleAt.isAfter(now)) {
        Duration invisible = leases.clamp(after, memory.receivedAt, now);
        long seconds = invisible.plusNanos(999_999_999).toSeconds();
        messages(memory.message.priority).place(memory.message, now.plusSeconds(seconds));
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private static MemoryLease own(Lease lease) {
    if (lease instanceof MemoryLease memory) {
      return memory;
    }
    throw new IllegalArgumentException("A lease of another queue: " + lease);
  }

  @Override
  public QueueDepth depth() {
    lock.lock();
    try {
      Instant now = clock.instant();
      QueueDepth depth = new QueueDepth(0, 0, 0);
      for (Messages messages : List.of(high, low)) {
        long delayed = 0;
        long inFlight = 0;
        for (Place place : messages.line) {
          if (!place.isStale() && place.visibleAt().isAfter(now)) {
            if (place.message().receives == 0) {
              delayed++;
            } else {
              inFlight++;
            }
          }
        }
        depth = depth.plus(new QueueDepth(messages.size - inFlight - delayed, inFlight, delayed));
      }
      return depth;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the tasks that were delivered more often than the policy allows. */
  public List<Task> deadLetters() {
    lock.lock();
    try {
      return List.copyOf(deadLetters);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {}
}
