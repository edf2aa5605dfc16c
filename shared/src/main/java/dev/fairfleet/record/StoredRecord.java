package dev.fairfleet.record;

import java.time.Instant;
import java.util.Optional;

/**
 * A record with its history.
 *
 * @param firstSeen when it was stored first
 * @param lastChanged when its content hash last differed
 * @param changes how often its content hash differed; 0 for a record as it was stored first
 * @param tombstone if it is no longer there
 * @param returned when it came back last after it had been deleted
 */
public record StoredRecord(
    CrawlRecord record,
    Instant firstSeen,
    Instant lastChanged,
    int changes,
    Optional<Tombstone> tombstone,
    Optional<Instant> returned) {
  /** Returns when anything of it was written last: content, deletion or return. */
  public Instant writtenAt() {
    Instant deleted = tombstone.map(Tombstone::at).orElse(lastChanged);
    Instant back = returned.orElse(lastChanged);
    Instant newer = deleted.isAfter(back) ? deleted : back;
    return newer.isAfter(lastChanged) ? newer : lastChanged;
  }
}
