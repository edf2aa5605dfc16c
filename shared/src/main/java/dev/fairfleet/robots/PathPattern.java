package dev.fairfleet.robots;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The path of an {@code Allow} or {@code Disallow} line (RFC 9309, sections 2.2.2 and 2.2.3).
 *
 * <p>It matches what begins like it; {@code *} stands for any octets, and {@code $} at its end for
 * the end of the URL. Octets are compared after both sides were brought to one spelling: those that
 * mean the same encoded and plain are plain, all others upper-case percent-encoded. Letters,
 * digits, {@code -._~} mean the same (RFC 3986, section 2.3), and so do those reserved characters
 * that separate nothing in an http URL, {@code !'(),:@[]}; in a query also {@code /} and {@code ?},
 * as the second row of the RFC's table has it.
 *
 * <p>Every character of a text here is one octet. Immutable.
 */
final class PathPattern {
  private static final String UNRESERVED = "-._~";
  private static final String SEPARATES_NOTHING = "!'(),:@[]";
  private static final String SEPARATES = "/?#&=+;";
  private static final String SEPARATES_NOTHING_IN_QUERY = "/?";
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final String start;
  private final String[] further;
  private final boolean toTheEnd;
  private final boolean namesQuery;
  private final int octets;

  private PathPattern(
      String start, String[] further, boolean toTheEnd, boolean namesQuery, int octets) {
    this.start = start;
    this.further = further;
    this.toTheEnd = toTheEnd;
    this.namesQuery = namesQuery;
    this.octets = octets;
  }

  /** Path and query of a URL as patterns are compared with it. */
  record Path(String plain, String queryDecoded) {
    static Path of(String pathAndQuery) {
      return new Path(spelled(pathAndQuery, true, false), spelled(pathAndQuery, true, true));
    }
  }

  /** Returns the pattern that a line's value spells. */
  static PathPattern of(String value) {
    boolean toTheEnd = value.endsWith("$");
    String body = toTheEnd ? value.substring(0, value.length() - 1) : value;
    String spelled = spelled(body, false, true);
    List<String> pieces = new ArrayList<>();
    int from = 0;
    for (int star = spelled.indexOf('*'); star >= 0; star = spelled.indexOf('*', from)) {
      pieces.add(spelled.substring(from, star));
      from = star + 1;
    }
    String last = spelled.substring(from);
    // Two stars in a row are one; the last piece may be empty, and the first.
    List<String> further = new ArrayList<>();
    if (!pieces.isEmpty()) {
      pieces.stream().skip(1).filter(piece -> !piece.isEmpty()).forEach(further::add);
      further.add(last);
    }
    return new PathPattern(
        pieces.isEmpty() ? last : pieces.getFirst(),
        further.toArray(String[]::new),
        toTheEnd,
        spelled.indexOf('?') >= 0,
        spelled.length() + (toTheEnd ? 1 : 0));
  }

  /** Returns how many octets the pattern has: of those that match, the one with most decides. */
  int octets() {
    return octets;
  }

  boolean matches(Path path) {
    return matches(path.plain())
        || (namesQuery
            && !path.queryDecoded().equals(path.plain())
            && matches(path.queryDecoded()));
  }

  private boolean matches(String path) {
    if (!path.startsWith(start)) {
      return false;
    }
    if (further.length == 0) {
      return !toTheEnd || path.length() == start.length();
    }
    // The first place for each piece leaves most room for the next ones.
    int at = start.length();
    for (int i = 0; i < further.length - 1; i++) {
      int found = path.indexOf(further[i], at);
      if (found < 0) {
        return false;
      }
      at = found + further[i].length();
    }
    String last = further[further.length - 1];
    return toTheEnd
        ? path.length() - last.length() >= at && path.endsWith(last)
        : path.indexOf(last, at) >= 0;
  }

  /**
   * Returns the one spelling of some octets.
   *
   * @param literally whether {@code *} and {@code $} are those characters themselves
   * @param decodeQuery whether what separates nothing in a query is plain there
   */
  private static String spelled(String octets, boolean literally, boolean decodeQuery) {
    StringBuilder spelled = new StringBuilder(octets.length());
    boolean inQuery = false;
    for (int i = 0; i < octets.length(); i++) {
      char c = octets.charAt(i);
      boolean escape =
          c == '%'
              && i + 2 < octets.length()
              && HexFormat.isHexDigit(octets.charAt(i + 1))
              && HexFormat.isHexDigit(octets.charAt(i + 2));
      if (escape) {
        c = (char) HexFormat.fromHexDigits(octets, i + 1, i + 3);
        i += 2;
      }
      boolean plain =
          isPlain(c)
              || (escape
                  ? decodeQuery && inQuery && SEPARATES_NOTHING_IN_QUERY.indexOf(c) >= 0
                  : SEPARATES.indexOf(c) >= 0 || (c == '*' && !literally));
      if (plain) {
        spelled.append(c);
      } else {
        spelled.append('%').append(HEX.toHexDigits((byte) c));
      }
      inQuery |= c == '?' && !escape;
    }
    return spelled.toString();
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || UNRESERVED.indexOf(c) >= 0
        || SEPARATES_NOTHING.indexOf(c) >= 0;
  }
}
