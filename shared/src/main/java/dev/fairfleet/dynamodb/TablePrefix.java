package dev.fairfleet.dynamodb;

import java.util.regex.Pattern;

/**
 * What the name of each of a fleet's tables begins with, so that several fleets share an account.
 *
 * @param value up to 200 letters, digits and {@code . _ -}; may be empty
 */
public record TablePrefix(String value) {
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._-]{0,200}");

  /**
   * @throws IllegalArgumentException if {@code value} could not begin a table's name
   */
  public TablePrefix {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "A table prefix has up to 200 letters, digits and . _ -, not \"" + value + "\"");
    }
  }

  /** Returns the full name of the sites' table. */
  public String sites() {
    return table("sites");
  }

  /** Returns the full name of the table that is the frontier. */
  public String pages() {
    return table("pages");
  }

  /** Returns the full name of the records' table. */
  public String records() {
    return table("records");
  }

  String table(String name) {
    return value + name;
  }
}
