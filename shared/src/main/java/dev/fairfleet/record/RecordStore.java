package dev.fairfleet.record;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The port to what was extracted: one record per natural key, however often it is put.
 *
 * <p>Implementations are safe for use by many threads and processes. A store that cannot be reached
 * throws its client's unchecked exception; what was asked of it may be repeated.
 */
public interface RecordStore {
  /** What a put did. */
  enum Put {
    /** The record is new. */
    CREATED,
    /** Its content hash differed; it was replaced, and its first sighting kept. */
    CHANGED,
    /** It had a tombstone, which was taken away; its content was replaced if it differed. */
    RETURNED,
    /** Its content hash is the stored one; nothing of the record was written. */
    UNCHANGED
  }

  /**
   * Stores the record unless one with the same id and content hash, and no tombstone, is stored
   * already.
   *
   * <p>Fields that would make the item larger than its store allows are cut, and the names of those
   * that were cut are kept with the record.
   */
  Put put(CrawlRecord record, Instant now);

  /**
   * Marks a record as deleted, unless it is already, or was written by a later crawl.
   *
   * @param crawl that found it deleted
   * @param reason see {@link Tombstone#reason}
   * @return whether it has a tombstone of this crawl now, whoever set it
   */
  boolean delete(RecordId id, CrawlId crawl, String reason, Instant now);

  /** Returns a record, or nothing if there is none of that id. */
  Optional<StoredRecord> find(RecordId id);

  /**
   * Walks on through a site's records in the order in which they were written last.
   *
   * <p>A record that is written while somebody walks comes once more. Because clocks of writers
   * differ, and the order may be known a moment late, who wants to miss nothing begins a later walk
   * a little before the end of the one before, see {@link FeedPosition#resumption}.
   *
   * <p>A record that an older version wrote has no place in the order before it is written again,
   * or put again unchanged; {@link #forEach} knows it.
   *
   * @param from {@link Changes#next} of the step before, or {@link #since}; empty to begin with the
   *     first record
   * @param most how many, at least 1; fewer may come before the end
   * @throws IllegalArgumentException if {@code from} is neither
   */
  Changes changes(SiteId site, String from, int most);

  /**
   * Returns where the records begin that were written at {@code time} or later, to the millisecond.
   */
  default String since(Instant time) {
    return FeedPosition.since(time).toString();
  }

  /** Hands every record of a site to {@code each}, in no particular order. */
  void forEach(SiteId site, Consumer<StoredRecord> each);

  /** Removes every record of a site; may be repeated until nothing is left. */
  void removeAll(SiteId site);
}
