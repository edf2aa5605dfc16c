package dev.fairfleet.worker.parse;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a page sends its reader, and when (HTML, "shared declarative refresh steps").
 *
 * @param seconds whole seconds until then; very long ones are all alike
 * @param target as it was spelled; empty for the page itself
 */
record Refresh(int seconds, String target) {
  private static final int MOST_DIGITS = 9;
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*+(?=[\\d.])(\\d*+)[\\d.]*+(?:\\s*+[;,]\\s*+|\\s++|$)(?:url\\s*+=\\s*+)?(.*+)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** Returns what a meta tag's content or a {@code Refresh} header says, if it is of that form. */
  static Optional<Refresh> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String digits = matcher.group(1);
    int seconds =
        digits.isEmpty()
            ? 0
            : digits.length() > MOST_DIGITS ? Integer.MAX_VALUE : Integer.parseInt(digits);
    return Optional.of(new Refresh(seconds, unquoted(matcher.group(2).strip())));
  }

  private static String unquoted(String target) {
    if (target.isEmpty() || "\"'".indexOf(target.charAt(0)) < 0) {
      return target;
    }
    int end = target.indexOf(target.charAt(0), 1);
    return target.substring(1, end < 0 ? target.length() : end);
  }
}
