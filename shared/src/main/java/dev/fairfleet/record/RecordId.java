package dev.fairfleet.record;

import dev.fairfleet.site.SiteId;

/**
 * The key of a record: a hash of its site and natural key, so that every sighting of one thing
 * leads to one item, however long the natural key is.
 *
 * @param value 32 lower-case hexadecimal digits
 */
public record RecordId(String value) {
  /** Returns the id of the thing that {@code naturalKey} names on {@code site}. */
  public static RecordId of(SiteId site, String naturalKey) {
    return new RecordId(Hashes.hex128(site.value() + "\0" + naturalKey));
  }

  @Override
  public String toString() {
    return value;
  }
}
