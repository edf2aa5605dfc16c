package dev.fairfleet.site;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which fields a record of this site has, and which of them says what the thing is.
 *
 * <p>A rule is a CSS selector whose first match gives the field its text, or, as {@code
 * selector@attribute}, the value of that attribute. With a natural key, a page on which that field
 * is missing holds no record. Without one, every page is a record and its canonical URL is the
 * natural key.
 *
 * @param fields field name to rule; empty means the default fields {@code title} and {@code
 *     description}
 * @param naturalKey the field that names the thing (an SKU, a listing id), one of {@code fields}
 * @param volatileFields fields that the content hash leaves out, each one of {@code fields}
 */
public record ExtractionRules(
    Map<String, String> fields, Optional<String> naturalKey, Set<String> volatileFields) {
  /** Title and description of every page, keyed by its canonical URL. */
  public static final ExtractionRules DEFAULT =
      new ExtractionRules(Map.of(), Optional.empty(), Set.of());

  /**
   * @throws IllegalArgumentException if the natural key or a volatile field is no field, or a name
   *     or rule is blank
   */
  public ExtractionRules {
    fields = Collections.unmodifiableMap(new TreeMap<>(fields));
    volatileFields = Set.copyOf(volatileFields);
    fields.forEach(
        (name, rule) -> {
          if (name.isBlank() || rule.isBlank()) {
            throw new IllegalArgumentException(
                "A field needs a name and a CSS selector, not \"" + name + ": " + rule + "\"");
          }
        });
    if (naturalKey.isPresent()) {
      requireField("naturalKey", naturalKey.get(), fields);
    }
    for (String field : volatileFields) {
      requireField("volatileFields", field, fields);
    }
  }

  private static void requireField(String what, String name, Map<String, String> fields) {
    if (!fields.containsKey(name)) {
      throw new IllegalArgumentException(
          what + " names \"" + name + "\", which is none of the fields " + fields.keySet());
    }
  }
}
