package dev.fairfleet.scope;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a path that goes round in circles, as when a relative link without its slash is answered
 * with the same page at every level.
 *
 * <p>One segment may stand {@code limit} times, wherever. A sequence of two or more may follow
 * itself one time less: {@code /a/b/a/b/a/b} is a circle where {@code /a/x/a/y/a} need be none.
 */
final class Repetition {
  private Repetition() {}

  /** Returns what is repeated too often, or null. */
  static @Nullable String in(List<String> segments, int limit) {
    for (int i = 0; i < segments.size(); i++) {
      int count = Collections.frequency(segments, segments.get(i));
      if (count > limit) {
        return found(segments.subList(i, i + 1), count + " times", limit);
      }
    }
    int most = Math.max(1, limit - 1);
    for (int length = 2; length * (most + 1) <= segments.size(); length++) {
      for (int from = 0; from + length * (most + 1) <= segments.size(); from++) {
        if (repeats(segments, from, length, most)) {
          return found(segments.subList(from, from + length), most + 1 + " times in a row", most);
        }
      }
    }
    return null;
  }

  /** Tells whether the sequence follows itself {@code times} times. */
  private static boolean repeats(List<String> segments, int from, int length, int times) {
    List<String> sequence = segments.subList(from, from + length);
    for (int i = 1; i <= times; i++) {
      int at = from + i * length;
      if (!segments.subList(at, at + length).equals(sequence)) {
        return false;
      }
    }
    return true;
  }

  private static String found(List<String> sequence, String times, int limit) {
    return "\""
        + ScopeRule.abbreviated(String.join("/", sequence))
        + "\" stands "
        + times
        + ", at most "
        + limit
        + " are allowed";
  }
}
