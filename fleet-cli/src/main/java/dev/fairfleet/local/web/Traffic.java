package dev.fairfleet.local.web;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a server answered: how often with which status, and how much.
 *
 * @param statuses the number of answers by HTTP status, without zeros
 * @param bytes of bodies that were sent; heads are not counted
 */
public record Traffic(SortedMap<Integer, Long> statuses, long bytes) {
  /** Nothing yet. */
  public static final Traffic NONE = new Traffic(Collections.emptySortedMap(), 0);

  public Traffic {
    statuses = Collections.unmodifiableSortedMap(new TreeMap<>(statuses));
  }

  /** Returns the number of all answers. */
  public long answers() {
    return statuses.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the number of answers with a status. */
  public long answers(int status) {
    return statuses.getOrDefault(status, 0L);
  }

  /** Returns what came after {@code earlier}. */
  public Traffic since(Traffic earlier) {
    SortedMap<Integer, Long> more = new TreeMap<>(statuses);
    earlier.statuses.forEach((status, count) -> more.merge(status, -count, Long::sum));
    more.values().removeIf(count -> count == 0);
    return new Traffic(more, bytes - earlier.bytes);
  }

  /** Returns this with one more answer. */
  Traffic with(int status, long bodyBytes) {
    SortedMap<Integer, Long> more = new TreeMap<>(statuses);
    more.merge(status, 1L, Long::sum);
    return new Traffic(more, bytes + bodyBytes);
  }

  /** Returns the statuses and their numbers, for people. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<Integer, Long> entry : statuses.entrySet()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(entry.getValue())
          .append(" × ")
          .append(entry.getKey());
    }
    return text.toString();
  }
}
