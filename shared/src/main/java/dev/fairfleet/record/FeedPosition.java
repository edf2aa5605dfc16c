package dev.fairfleet.record;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in a site's records, in the order in which they were written last.
 *
 * <p>Its text, 15 digits and {@code #} and the id, sorts as the places do.
 *
 * @param time of the writer's clock, to the millisecond, from 1970 to the year 33658
 * @param id of the record, which orders those of one millisecond; empty for the place before them
 */
public record FeedPosition(Instant time, String id) implements Comparable<FeedPosition> {
  /**
   * How far back a walk begins that is to miss nothing that the one before could not see: room for
   * clocks that differ, writes that are tried again, and an index that follows its table late.
   */
  public static final Duration OVERLAP = Duration.ofMinutes(2);

  /** The place before every record. */
  public static final FeedPosition START = since(Instant.EPOCH);

  private static final long LAST_MILLIS = 999_999_999_999_999L;
  private static final Pattern FORM = Pattern.compile("(\\d{15})#([0-9a-f]{0,32})");

  public FeedPosition {
    Instant last = Instant.ofEpochMilli(LAST_MILLIS);
    time = time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(last) ? last : time;
    time = Instant.ofEpochMilli(time.toEpochMilli());
  }

  /** Returns the place before all that is written at {@code time} or later. */
  public static FeedPosition since(Instant time) {
    return new FeedPosition(time, "");
  }

  /** Returns the place of a record that was written last at {@code time}. */
  public static FeedPosition of(RecordId id, Instant time) {
    return new FeedPosition(time, id.value());
  }

  /**
   * Returns the place that a text names; an empty one names {@link #START}.
   *
   * @throws IllegalArgumentException if it is none that {@link #toString} made
   */
  public static FeedPosition parse(String text) {
    if (text.isEmpty()) {
      return START;
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no cursor: 15 digits, # and an id or nothing");
    }
    return new FeedPosition(Instant.ofEpochMilli(Long.parseLong(form.group(1))), form.group(2));
  }

  /**
   * Returns where the walk after one that came to this place begins, so that it misses nothing.
   *
   * @param began when the walk that came here began, by its own clock
   */
  public FeedPosition resumption(Instant began) {
    FeedPosition safe = since(began.minus(OVERLAP));
    return compareTo(safe) <= 0 ? this : safe;
  }

  @Override
  public int compareTo(FeedPosition other) {
    int byTime = time.compareTo(other.time);
    return byTime == 0 ? id.compareTo(other.id) : byTime;
  }

  @Override
  public String toString() {
    return String.format("%015d#%s", time.toEpochMilli(), id);
  }
}
