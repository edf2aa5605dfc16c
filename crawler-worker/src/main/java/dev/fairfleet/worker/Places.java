package dev.fairfleet.worker;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** How many more tasks this worker may have in hand. Safe for use by many threads. */
final class Places {
  private final int all;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int free;
  private long changes;

  /**
   * @param all tasks in hand at once, at least 1
   */
  Places(int all) {
    this.all = all;
    this.free = all;
  }

  /** Returns how many there are, free or not. */
  int all() {
    return all;
  }

  /** Returns how many are free. */
  int free() {
    lock.lock();
    try {
      return free;
    } finally {
      lock.unlock();
    }
  }

  /** Takes free places, all {@code wanted} or none; returns whether it did. */
  boolean take(int wanted) {
    lock.lock();
    try {
      if (free < wanted) {
        return false;
      }
      free -= wanted;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until {@code wanted} are free, but not longer than {@code gather}, and takes as many as
   * there are then.
   *
   * @return 0 to {@code wanted}
   */
  int gather(int wanted, Duration gather) throws InterruptedException {
    lock.lock();
    try {
      await(wanted, gather);
      int taken = Math.min(free, wanted);
      free -= taken;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Gives places back, or, with none, wakes who waits for a change. */
  void give(int places) {
    lock.lock();
    try {
      free += places;
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns how many changes there were, for {@link #awaitChange}. */
  long changes() {
    lock.lock();
    try {
      return changes;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until there was a change since there were {@code seen}, or some time has passed. */
  void awaitChange(long seen, Duration most) throws InterruptedException {
    lock.lock();
    try {
      long nanos = most.toNanos();
      while (changes == seen && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all places are free; false if they are not in time. */
  boolean awaitAll(Duration most) throws InterruptedException {
    lock.lock();
    try {
      return await(all, most);
    } finally {
      lock.unlock();
    }
  }

  private boolean await(int wanted, Duration most) throws InterruptedException {
    long nanos = most.toNanos();
    while (free < wanted && nanos > 0) {
      nanos = changed.awaitNanos(nanos);
    }
    return free >= wanted;
  }
}
