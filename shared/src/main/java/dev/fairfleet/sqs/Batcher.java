package dev.fairfleet.sqs;

import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.retry.RetryDecision;
import dev.fairfleet.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;

/**
 * Gathers the entries of many threads into batch requests of at most ten entries and a number of
 * bytes.
 *
 * <p>A batch leaves when it is full, or when it has waited for as long as it may. What became of
 * every entry is read from the answer: an entry that failed by no fault of ours, or of which the
 * answer says nothing, is tried again a few times. In a request, an entry's id is its number.
 *
 * @param <E> what is batched
 */
final class Batcher<E> implements AutoCloseable {
  /** SQS takes 1 MiB since August 2025, older emulators and proxies this much. */
  static final int MAX_BYTES = 262_144;

  private static final int MOST_REQUESTS_AT_ONCE = 8;

  /** One batch request. */
  @FunctionalInterface
  interface Request<E> {
    /**
     * Sends {@code batch}, the number of each entry as its id.
     *
     * @throws SdkException if the request as a whole failed
     */
    Reply send(List<E> batch);
  }

  /**
   * The answer to a batch request.
   *
   * @param done ids of the entries that are done
   * @param failed what is said of those that are not
   */
  record Reply(Set<String> done, List<BatchResultErrorEntry> failed) {}

  /** Is told what became of an entry; called once for each, by any thread. */
  interface Outcome<E> {
    void done(E entry);

    /** The entry is not done and will not be tried again, for the reason given. */
    void failed(E entry, String reason);
  }

  /*
   * Each batch has a virtual thread of its own, which waits until the batch is full or has lingered,
   * and until there may be one more request; then it closes the batch, so that under load batches
   * leave full, and carries the request out. So there is no thread while there is nothing to do, and
   * no timer to look after.
   */
  private final class Batch {
    final List<Entry<E>> entries = new ArrayList<>(TaskQueue.MAX_BATCH);
    final CountDownLatch full = new CountDownLatch(1);
    int bytes;
  }

  /** An entry; its identity counts, because equal tasks may be sent in one batch. */
  private static final class Entry<E> {
    final E value;
    final Outcome<E> outcome;

    Entry(E value, Outcome<E> outcome) {
      this.value = value;
      this.outcome = outcome;
    }

    void done() {
      outcome.done(value);
    }

    void failed(String reason) {
      outcome.failed(value, reason);
    }
  }

  private final Request<E> request;
  private final ToIntFunction<E> size;
  private final Duration linger;
  private final RetryPolicy retries;
  private final RandomGenerator random;
  private final Semaphore requests = new Semaphore(MOST_REQUESTS_AT_ONCE, true);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private @Nullable Batch open;
  private int unfinished;
  private boolean closed;

  /**
   * Creates a batcher.
   *
   * @param size bytes of an entry in a request; never underestimated
   * @param linger how long a batch waits for company
   * @param retries for entries that failed by no fault of ours
   * @param random must be safe for use by many threads
   */
  Batcher(
      Request<E> request,
      ToIntFunction<E> size,
      Duration linger,
      RetryPolicy retries,
      RandomGenerator random) {
    this.request = request;
    this.size = size;
    this.linger = linger;
    this.retries = retries;
    this.random = random;
  }

  /**
   * Adds entries, in their order; returns at once.
   *
   * @throws IllegalStateException if the batcher is closed
   */
  void add(List<E> values, Outcome<E> outcome) {
    List<E> tooLarge = new ArrayList<>(0);
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("The queue is closed");
      }
      for (E value : values) {
        int bytes = size.applyAsInt(value);
        if (bytes > MAX_BYTES) {
          tooLarge.add(value);
        } else {
          add(new Entry<>(value, outcome), bytes);
        }
      }
    } finally {
      lock.unlock();
    }
    for (E value : tooLarge) {
      outcome.failed(value, "it has " + size.applyAsInt(value) + " bytes, more than " + MAX_BYTES);
    }
  }

  private void add(Entry<E> entry, int bytes) {
    Batch batch = open;
    if (batch != null && batch.bytes + bytes > MAX_BYTES) {
      dispatch(batch);
      batch = null;
    }
    if (batch == null) {
      batch = new Batch();
      open = batch;
      unfinished++;
      Batch started = batch;
      Thread.ofVirtual().name("sqs-batch").start(() -> run(started));
    }
    batch.entries.add(entry);
    batch.bytes += bytes;
    if (batch.entries.size() == TaskQueue.MAX_BATCH) {
      dispatch(batch);
    }
  }

  private void dispatch(Batch batch) {
    open = null;
    batch.full.countDown();
  }

  private void run(Batch batch) {
    try {
      boolean unused = batch.full.await(linger.toNanos(), TimeUnit.NANOSECONDS);
      requests.acquire();
      lock.lock();
      try {
        if (open == batch) {
          open = null;
        }
      } finally {
        lock.unlock();
      }
      carryOut(batch.entries);
    } catch (InterruptedException e) {
      throw new AssertionError("Nobody interrupts the thread of a batch", e);
    } finally {
      lock.lock();
      try {
        unfinished--;
        idle.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private void carryOut(List<Entry<E>> entries) throws InterruptedException {
    List<Entry<E>> left = entries;
    for (int attempt = 1; !left.isEmpty(); attempt++) {
      Map<Entry<E>, String> again = attempt(left);
      if (again.isEmpty()) {
        return;
      }
      switch (retries.afterFailure(attempt, random)) {
        case RetryDecision.Retry retry -> {
          Thread.sleep(retry.after());
          requests.acquire();
        }
        case RetryDecision.GiveUp giveUp -> {
          again.forEach(Entry::failed);
          return;
        }
      }
      left = left.stream().filter(again::containsKey).toList();
    }
  }

  /**
   * Returns the entries worth another attempt, and why they failed; tells the others' outcomes. The
   * caller has acquired the right to one request, which ends here.
   */
  private Map<Entry<E>, String> attempt(List<Entry<E>> entries) {
    Reply reply;
    try {
      reply = request.send(entries.stream().map(entry -> entry.value).toList());
    } catch (SdkException e) {
      return failedTogether(entries, e);
    } catch (RuntimeException | Error e) {
      failAll(entries, e.toString());
      throw e;
    } finally {
      requests.release();
    }
    Map<String, BatchResultErrorEntry> failed = new HashMap<>();
    for (BatchResultErrorEntry failure : reply.failed()) {
      failed.put(failure.id(), failure);
    }
    Map<Entry<E>, String> again = new HashMap<>();
    for (int i = 0; i < entries.size(); i++) {
      Entry<E> entry = entries.get(i);
      String id = Integer.toString(i);
      BatchResultErrorEntry failure = failed.get(id);
      if (failure == null && reply.done().contains(id)) {
        entry.done();
      } else if (failure != null && Boolean.TRUE.equals(failure.senderFault())) {
        entry.failed(reasonOf(failure));
      } else {
        again.put(entry, failure == null ? "the answer does not mention it" : reasonOf(failure));
      }
    }
    return again;
  }

  private Map<Entry<E>, String> failedTogether(List<Entry<E>> entries, SdkException e) {
    String reason = String.valueOf(e.getMessage());
    boolean ourFault =
        e instanceof AwsServiceException service
            && service.statusCode() >= 400
            && service.statusCode() < 500
            && !service.isThrottlingException();
    if (ourFault) {
      failAll(entries, reason);
      return Map.of();
    }
    Map<Entry<E>, String> again = new HashMap<>();
    for (Entry<E> entry : entries) {
      again.put(entry, reason);
    }
    return again;
  }

  private void failAll(List<Entry<E>> entries, String reason) {
    for (Entry<E> entry : entries) {
      entry.failed(reason);
    }
  }

  private static String reasonOf(BatchResultErrorEntry failure) {
    return failure.message() == null
        ? String.valueOf(failure.code())
        : failure.code() + ": " + failure.message();
  }

  /** Sends what is gathered, and returns when the outcome of every entry is known. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      if (open != null) {
        dispatch(open);
      }
      while (unfinished > 0) {
        idle.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }
}
