package dev.fairfleet.sim;

/** A way of scheduling that can be simulated. */
public enum Policy {
  /** One queue, first come first served; what is throttled comes back after half a minute. */
  FIFO,
  /** Two queues and delays; what is throttled comes back after 5 to 10 s. */
  CLASSIC,
  /** Slots reserved when a task is sent, and a window per site. */
  RESERVED
}
