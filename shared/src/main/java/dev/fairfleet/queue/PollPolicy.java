package dev.fairfleet.queue;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides which queue is asked next, and for how many tasks: high before low, low before its tasks
 * have waited longer than those of high, full batches while there is work, long polls while there
 * is none.
 *
 * <p>At most one receive per queue is under way, each with a long poll: on a queue that holds tasks
 * it returns at once and costs what a short one costs; on one that is empty it costs nothing while
 * it waits, and does not keep the other queue from being asked (SQS Developer Guide, "Setting-up
 * long polling": one thread per queue).
 *
 * <p>Pure: any thread may share it.
 *
 * @param lowShare low is asked at least once in so many receives, at least 2
 * @param gather how long to wait for a whole batch of places before asking for less
 */
public record PollPolicy(int lowShare, Duration gather) {
  /** Low is asked in one receive of 20 at least; a second to gather places. */
  public static final PollPolicy DEFAULT = new PollPolicy(20, Duration.ofSeconds(1));

  /**
   * What a worker knows when it decides.
   *
   * @param free places for tasks: free slots and room in the hold, less what receives under way may
   *     bring
   * @param places all of them
   * @param waited how long there were places free without a receive
   * @param highUnderWay whether a receive on high is under way
   * @param lowUnderWay the same for low
   * @param highWasFull whether the last receive on high brought all that was asked for
   * @param highsInARow receives on high since the last on low
   * @param highDwell how long the tasks of the last receive on high had waited, and how long ago
   *     that was, together
   * @param lowDwell the same for low
   */
  public record Facts(
      int free,
      int places,
      Duration waited,
      boolean highUnderWay,
      boolean lowUnderWay,
      boolean highWasFull,
      int highsInARow,
      Duration highDwell,
      Duration lowDwell) {}

  /**
   * A receive to be made now.
   *
   * @param max most tasks
   */
  public record Poll(Priority priority, int max) {}

  /**
   * @throws IllegalArgumentException if the share is below 2 or the time negative
   */
  public PollPolicy {
    if (lowShare < 2 || gather.isNegative()) {
      throw new IllegalArgumentException(
          "One receive in at least 2 is low's, after a time that is not negative; not "
              + lowShare
              + " and "
              + gather);
    }
  }

  /** Returns the receive to make now, or nothing if it is better to wait. */
  public Optional<Poll> next(Facts facts) {
    int batch = Math.min(TaskQueue.MAX_BATCH, Math.max(1, facts.places() / 2));
    boolean enough =
        facts.free() >= batch || (facts.free() > 0 && facts.waited().compareTo(gather) >= 0);
    if (!enough) {
      return Optional.empty();
    }
    int max = Math.min(batch, facts.free());
    boolean lowsTurn =
        facts.highsInARow() >= lowShare - 1 || facts.lowDwell().compareTo(facts.highDwell()) > 0;
    boolean highMayGo = !facts.highUnderWay() && !(lowsTurn && !facts.lowUnderWay());
    if (highMayGo) {
      return Optional.of(new Poll(Priority.HIGH, max));
    }
    // A receive on a queue that holds tasks returns at once.
    boolean highIsEmpty = !facts.highWasFull() || facts.waited().compareTo(gather) >= 0;
    boolean lowMayGo = !facts.lowUnderWay() && (lowsTurn || highIsEmpty);
    return lowMayGo ? Optional.of(new Poll(Priority.LOW, max)) : Optional.empty();
  }
}
