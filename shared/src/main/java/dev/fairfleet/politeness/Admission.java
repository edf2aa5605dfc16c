package dev.fairfleet.politeness;

import java.time.Duration;

/** Whether a host may be asked now. */
public sealed interface Admission {
  /** The request may be made now, and is counted. */
  record Granted() implements Admission {}

  /**
   * The request may not be made, and is not counted.
   *
   * @param after from now to the first moment at which it could be granted, positive
   * @param limit which limit holds it back
   */
  record Deferred(Duration after, Limit limit) implements Admission {}

  /**
   * The gate cannot be asked, so nothing may be fetched.
   *
   * @param reason what is wrong with it
   */
  record Unavailable(String reason) implements Admission {}

  /** What can hold a request back. */
  enum Limit {
    /** The least time between two requests to one host. */
    DELAY,
    /** The number of requests of a site in an hour. */
    HOURLY,
    /** The site asked for less, and rests. */
    COOL_DOWN
  }
}
