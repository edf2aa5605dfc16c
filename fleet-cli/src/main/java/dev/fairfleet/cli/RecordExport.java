package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.record.Changes;
import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One export of a site's records: what was written so far, and where the next one begins. Holds a
 * step of records in memory, however many there are. Not thread-safe.
 */
final class RecordExport {
  // A step of the largest records, 400 KB each, is 80 MB.
  private static final int STEP = 200;

  private final RecordStore records;
  private final SiteId site;
  private final Instant began;
  private final Map<RecordChange, Integer> counts = new EnumMap<>(RecordChange.class);
  private FeedPosition next = FeedPosition.START;

  /**
   * @param began when the export begins, by this machine's clock
   */
  RecordExport(RecordStore records, SiteId site, Instant began) {
    this.records = records;
    this.site = site;
    this.began = began;
  }

  /**
   * Writes what was written after {@code from}, in the order of writing.
   *
   * @param changes whether to say what became of each record
   */
  void walk(FeedPosition from, boolean changes, RecordWriter writer) {
    FeedPosition place = from;
    next = from.resumption(began);
    boolean end = false;
    while (!end) {
      Changes step = records.changes(site, place.toString(), STEP);
      step.records().forEach(stored -> write(stored, from, changes, writer));
      writer.flush();
      place = FeedPosition.parse(step.next());
      next = place.resumption(began);
      end = step.end();
    }
  }

  /** Writes all records of the table, in no particular order. */
  void scan(boolean changes, RecordWriter writer) {
    records.forEach(site, stored -> write(stored, FeedPosition.START, changes, writer));
    writer.flush();
    next = FeedPosition.since(began.minus(FeedPosition.OVERLAP));
  }

  private void write(
      StoredRecord stored, FeedPosition since, boolean changes, RecordWriter writer) {
    RecordChange change = RecordChange.of(stored, since);
    counts.merge(change, 1, Integer::sum);
    writer.write(stored, changes ? Optional.of(change) : Optional.empty());
  }

  /**
   * Returns where the next export begins so that it misses nothing: at the end of what was written,
   * but at least {@link FeedPosition#OVERLAP} before this one began.
   */
  FeedPosition next() {
    return next;
  }

  /** Returns how many records were written of which this became. */
  int count(RecordChange change) {
    return counts.getOrDefault(change, 0);
  }

  private int records() {
    return count(RecordChange.ADDED) + count(RecordChange.CHANGED) + count(RecordChange.RETURNED);
  }

  /** Returns the summary for people: a line. */
  String text() {
    String details =
        counts.entrySet().stream()
            .map(count -> "%,d %s".formatted(count.getValue(), count.getKey().word()))
            .collect(Collectors.joining(", "));
    return "%,d records and %,d tombstones of %s%s"
        .formatted(
            records(),
            count(RecordChange.REMOVED),
            site,
            details.isEmpty() ? "" : " (" + details + ")");
  }

  /** Returns the summary for programs. */
  ObjectNode json() {
    ObjectNode summary = JsonFile.object();
    summary.put("site", site.value());
    summary.put("records", records());
    summary.put("tombstones", count(RecordChange.REMOVED));
    for (RecordChange change : RecordChange.values()) {
      summary.put(change.word(), count(change));
    }
    summary.put("next", next.toString());
    return summary;
  }
}
