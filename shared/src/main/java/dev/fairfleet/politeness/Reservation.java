package dev.fairfleet.politeness;

import java.time.Duration;
import java.util.List;

/** What became of a wish for slots. */
public sealed interface Reservation {
  /**
   * Slots that are spoken for.
   *
   * @param after how long from now each begins, rising, not negative; fewer than were asked for if
   *     the others would lie too far away, and none of those is spoken for
   */
  record Reserved(List<Duration> after) implements Reservation {
    public Reserved {
      after = List.copyOf(after);
    }
  }

  /**
   * The gate cannot be asked.
   *
   * @param reason what is wrong with it
   */
  record Unavailable(String reason) implements Reservation {}
}
