package dev.fairfleet.worker;

/** A way of asking the queues for tasks. */
interface Polling {
  /** Polls until the worker stops; occupies the thread. */
  void run() throws InterruptedException;
}
