package dev.fairfleet.cli;

import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.record.StoredRecord;
import java.time.Instant;
import java.util.Locale;

/** What became of a record since a moment. */
enum RecordChange {
  /** It was seen first since then, and is there. */
  ADDED,
  /** It was there before, and its content differs now. */
  CHANGED,
  /** It was deleted and came back since then, changed or not. */
  RETURNED,
  /** It is no longer there. */
  REMOVED;

  /**
   * Returns what became of a record that was written since.
   *
   * @param since where the walk to it began; {@link FeedPosition#START} to ask for all that ever
   *     was
   */
  static RecordChange of(StoredRecord stored, FeedPosition since) {
    if (stored.tombstone().isPresent()) {
      return REMOVED;
    }
    if (isAfter(since, stored, stored.firstSeen())) {
      return ADDED;
    }
    return stored.returned().filter(at -> isAfter(since, stored, at)).isPresent()
        ? RETURNED
        : CHANGED;
  }

  private static boolean isAfter(FeedPosition since, StoredRecord stored, Instant at) {
    return FeedPosition.of(stored.record().id(), at).compareTo(since) > 0;
  }

  /** Returns the word for it in files. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
