package dev.fairfleet.url;

import java.util.regex.Pattern;

/**
 * A pattern on the path and query of a URL, in the language of robots.txt (RFC 9309, section
 * 2.2.3): it matches from the first character on, {@code *} stands for any characters, also none,
 * and a {@code $} at the end for the end of the URL.
 *
 * <p>{@code /shop/} is everything below that folder, {@code *.pdf$} every URL that ends so, {@code
 * *?*sort=} every URL with that parameter. A pattern is written as people read URLs: characters
 * that a canonical URL carries percent-encoded are encoded here, too. Upper and lower case differ.
 *
 * <p>A glob and no regular expression: whoever writes patterns for a site knows the form from
 * robots.txt, and matching never takes more steps than pattern length times URL length. Immutable.
 */
public record UrlPattern(String text) {
  /** Longest pattern, in characters. */
  public static final int MAX_LENGTH = 1_024;

  private static final Pattern FORBIDDEN = Pattern.compile("[\\x00-\\x20\\x7f#]");

  /**
   * @throws IllegalArgumentException if the text begins with neither {@code /} nor {@code *}, holds
   *     white space, a control character or {@code #}, or is longer than {@link #MAX_LENGTH}
   */
  public UrlPattern {
    if (!text.startsWith("/") && !text.startsWith("*")) {
      throw refused(text, "begins with / or *");
    }
    if (FORBIDDEN.matcher(text).find()) {
      throw refused(text, "holds no white space (write %20), control character or #");
    }
    if (text.length() > MAX_LENGTH) {
      throw refused(text.substring(0, 100) + "…", "has at most " + MAX_LENGTH + " characters");
    }
    text = CrawlUrl.encode(text);
  }

  private static IllegalArgumentException refused(String text, String allowed) {
    return new IllegalArgumentException(
        "A pattern on path and query, like /shop/ or *.pdf$, "
            + allowed
            + "; not \""
            + text
            + "\"");
  }

  /** Tells whether the path and query of {@code url} match. */
  public boolean matches(CrawlUrl url) {
    return matches(url.pathAndQuery());
  }

  private boolean matches(String subject) {
    boolean toEnd = text.endsWith("$");
    int end = toEnd ? text.length() - 1 : text.length();
    int star = text.indexOf('*');
    if (star < 0) {
      return subject.startsWith(text.substring(0, end)) && (!toEnd || subject.length() == end);
    }
    if (!subject.startsWith(text.substring(0, star))) {
      return false;
    }
    int at = star;
    while (true) {
      int from = star + 1;
      star = text.indexOf('*', from);
      if (star < 0) {
        String last = text.substring(from, end);
        return toEnd
            ? subject.length() - at >= last.length() && subject.endsWith(last)
            : subject.indexOf(last, at) >= 0;
      }
      int found = subject.indexOf(text.substring(from, star), at);
      if (found < 0) {
        return false;
      }
      at = found + star - from;
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
