package dev.fairfleet.record;

import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The port to what was extracted: one record per natural key, however often it is put.
 *
 * <p>Implementations are safe for use by many threads and processes. A store that cannot be reached
 * throws its client's unchecked exception; the put may be repeated.
 */
public interface RecordStore {
  /** What a put did. */
  enum Put {
    /** The record is new. */
    CREATED,
    /** Its content hash differed; it was replaced, and its first sighting kept. */
    CHANGED,
    /** Its content hash is the stored one; nothing was written. */
    UNCHANGED
  }

  /**
   * Stores the record unless one with the same id and content hash is stored already.
   *
   * <p>Fields that would make the item larger than its store allows are cut, and the names of those
   * that were cut are kept with the record.
   */
  Put put(CrawlRecord record, Instant now);

  /** Returns a record, or nothing if there is none of that id. */
  Optional<StoredRecord> find(RecordId id);

  /** Hands every record of a site to {@code each}, in no particular order. */
  void forEach(SiteId site, Consumer<StoredRecord> each);
}
