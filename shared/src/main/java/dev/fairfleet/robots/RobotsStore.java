package dev.fairfleet.robots;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The port to what a fleet knows of every origin's robots.txt, and to the right to ask for it: one
 * worker at a time.
 *
 * <p>All workers share one store, and its clock is the only clock. Each method is one atomic step.
 * What was had is kept for at least {@link RobotsPolicy#BELIEVED}. Implementations are safe for use
 * by many threads, and throw what the store behind them throws.
 */
public interface RobotsStore {
  /** Returns what is known of an origin. */
  RobotsNote find(Origin origin);

  /**
   * Makes the caller the one that asks an origin, unless somebody else is or it is not due.
   *
   * @param lease for how long; a worker that dies holds the others up for no longer
   * @return the number of the caller's turn, with which it is ended; nothing if it has none
   */
  OptionalLong begin(Origin origin, Duration lease);

  /**
   * Ends a turn with what was had. Does nothing if somebody else has a later turn.
   *
   * @param askAgainIn how long until it is asked for again
   */
  void had(Origin origin, long turn, RobotsFile file, Duration askAgainIn);

  /**
   * Ends a turn with a failure; what was had before is kept. Does nothing if somebody else has a
   * later turn.
   *
   * @param why what went wrong
   * @param askAgainIn how long until it is asked for again
   */
  void failed(Origin origin, long turn, String why, Duration askAgainIn);

  /** Ends a turn in which nobody was asked; another may begin at once. */
  void gaveUp(Origin origin, long turn);
}
