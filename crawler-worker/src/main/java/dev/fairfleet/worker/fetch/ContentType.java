package dev.fairfleet.worker.fetch;

import java.util.Locale;

/**
 * A media type (RFC 9110, section 8.3.1).
 *
 * @param mime type and subtype in lower case, as {@code text/html}; empty if the server named none
 * @param charset value of the parameter {@code charset}, unquoted, as it was spelled; empty if
 *     there was none. It may be any text.
 */
public record ContentType(String mime, String charset) {
  /** What a server means that sends no {@code Content-Type}: nobody knows. */
  public static final ContentType NONE = new ContentType("", "");

  /** Returns what a header says; of several types joined by commas, the first. */
  public static ContentType parse(String header) {
    String mime = "";
    String charset = "";
    for (String part : header.split("[;,]", -1)) {
      String text = part.strip();
      int equals = text.indexOf('=');
      if (equals < 0 && mime.isEmpty()) {
        mime = text.toLowerCase(Locale.ROOT);
      } else if (equals > 0
          && charset.isEmpty()
          && text.substring(0, equals).strip().equalsIgnoreCase("charset")) {
        charset = unquoted(text.substring(equals + 1).strip());
      }
    }
    return new ContentType(mime, charset);
  }

  private static String unquoted(String text) {
    boolean quoted = text.length() >= 2 && "\"'".indexOf(text.charAt(0)) >= 0;
    return quoted && text.charAt(text.length() - 1) == text.charAt(0)
        ? text.substring(1, text.length() - 1).strip()
        : text;
  }
}
