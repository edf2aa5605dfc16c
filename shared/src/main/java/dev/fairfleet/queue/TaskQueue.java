package dev.fairfleet.queue;

import dev.fairfleet.lease.Lease;
import java.time.Duration;
import java.util.Collection;

/**
 * The port to the high and the low queue.
 *
 * <p>Delivery is at least once and in no order; a lease that ran out means that another worker may
 * receive the task. Implementations are safe for use by many threads and gather the requests of
 * many callers into batches. {@link #close} sends what is gathered. A queue that cannot be reached
 * throws its client's unchecked exception from {@link #receive} and {@link #depth}.
 */
public interface TaskQueue extends AutoCloseable {
  /** Most tasks that one receive can return. */
  int MAX_BATCH = 10;

  /**
   * Receives up to {@code max} tasks of one queue.
   *
   * @param max 1 to {@link #MAX_BATCH}
   * @param wait how long to wait for the first, 0 to 20 s
   */
  Received receive(Priority priority, int max, Duration wait);

  /**
   * Sends tasks and returns when every one is durable.
   *
   * @throws SendException if some are not, after retries; the others are
   */
  void send(Collection<Dispatch> dispatches);

  /** Ends a lease because the task is done; soon, in a batch. */
  void delete(Lease lease);

  /**
   * Makes a task visible again after {@code after}: zero gives it back at once, more parks it, and
   * for a task in work extends its lease; soon, in a batch. Whole seconds, rounded up, never beyond
   * 12 hours from the receive. Of several calls the last one counts; after {@link #delete} none.
   */
  void release(Lease lease, Duration after);

  /** Tells what is in both queues, approximately. */
  QueueDepth depth();

  /** Sends everything gathered, and returns when that is done. */
  @Override
  void close();
}
