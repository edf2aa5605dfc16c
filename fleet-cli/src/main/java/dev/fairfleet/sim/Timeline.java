package dev.fairfleet.sim;

import java.util.PriorityQueue;

/**
 * Virtual time: what happens when, one thing after the other.
 *
 * <p>Times are microseconds from the start of the simulation. Things at the same time happen in the
 * order in which they were planned, so a run with the same seed is the same run.
 */
final class Timeline {
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long planned;
  private long happened;

  private record Event(long at, long order, Runnable what) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** Returns the time of the event that happens now. */
  long now() {
    return now;
  }

  /** Returns how many events have happened. */
  long happened() {
    return happened;
  }

  /** Plans something for {@code delay} from now; a negative delay means now. */
  void in(long delay, Runnable what) {
    events.add(new Event(now + Math.max(0, delay), planned++, what));
  }

  /** Lets the next thing happen; false if nothing is left. */
  boolean step() {
    Event event = events.poll();
    if (event == null) {
      return false;
    }
    now = event.at();
    happened++;
    event.what().run();
    return true;
  }
}
