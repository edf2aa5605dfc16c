package dev.fairfleet.cli;

import dev.fairfleet.record.StoredRecord;
import java.util.Optional;

/** A form of records as lines of text. Thread-safe. */
sealed interface RecordFormat permits JsonLines, CsvRows {
  /** Returns what comes before the first record; may be empty. */
  String head();

  /**
   * Returns a record, the end of its line included.
   *
   * @param change what became of it, if the lines are to say so
   */
  String line(StoredRecord stored, Optional<RecordChange> change);
}
