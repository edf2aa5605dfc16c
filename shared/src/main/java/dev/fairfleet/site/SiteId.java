package dev.fairfleet.site;

import java.util.regex.Pattern;

/**
 * The name of a site in every store, log line and table.
 *
 * @param value 1 to 128 characters of letters, digits and {@code . _ : -}, beginning with a letter
 *     or digit (and {@code [} for an IPv6 address)
 */
public record SiteId(String value) {
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9\\[][A-Za-z0-9._:\\]-]{0,127}");

  /**
   * @throws IllegalArgumentException if {@code value} has another form
   */
  public SiteId {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "A site id has 1 to 128 letters, digits and . _ : - and begins with a letter or digit, not \""
              + value
              + "\"");
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
