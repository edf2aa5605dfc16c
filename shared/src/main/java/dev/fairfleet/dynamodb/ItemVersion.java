package dev.fairfleet.dynamodb;

import static dev.fairfleet.dynamodb.Attributes.number;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The version of an item's form, in its attribute {@code v}; an item without it has version 1.
 *
 * <p>Older versions are read, and have this one after the next write. A newer one is neither read
 * nor written, because it may say with attributes of its own what this program would get wrong.
 * {@link Update} sees to that for every write; whoever reads an item calls {@link #check}.
 */
final class ItemVersion {
  /** The version that is written. */
  static final int CURRENT = 2;

  static final String ATTRIBUTE = "v";

  /** What holds of an item that may be written; the value is bound as {@code :v}. */
  static final String CONDITION = "(attribute_not_exists(#v) OR #v <= :v)";

  private ItemVersion() {}

  /**
   * Returns the item, which may be empty.
   *
   * @throws NewerVersionException if a newer version of this program wrote it
   */
  static Map<String, AttributeValue> check(String table, Map<String, AttributeValue> item) {
    long version = number(item, ATTRIBUTE);
    if (version > CURRENT) {
      throw new NewerVersionException(table, key(item), version, CURRENT);
    }
    return item;
  }

  /** Returns the key of an item of any of our tables, for people. */
  private static String key(Map<String, AttributeValue> item) {
    return Stream.of("siteId", "recordId", "sitePartition", "urlHash")
        .map(name -> Attributes.text(item, name))
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining("/"));
  }
}
