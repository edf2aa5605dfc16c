package dev.fairfleet.worker.parse;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the dates that pages, sitemaps and feeds hold: W3C date and time (a profile of ISO 8601),
 * RFC 822 and RFC 850, with the liberties that people take. Pure.
 */
final class WebDates {
  private static final int LONGEST = 64;
  private static final String ZONE = "(?:\\s*(Z|[A-Z]{2,4}|[+-]\\d{2}:?\\d{2}))?";
  private static final Pattern W3C =
      Pattern.compile(
          "(\\d{4})(?:-(\\d{1,2})(?:-(\\d{1,2})"
              + "(?:[T ](\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d+)?)?"
              + ZONE
              + ")?)?)?",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern RFC =
      Pattern.compile(
          "(?:[a-z]{3,9},?\\s+)?(\\d{1,2})[ -]([a-z]{3})[a-z]{0,6}[ -](\\d{4}|\\d{2})"
              + "(?:\\s+(\\d{1,2}):(\\d{2})(?::(\\d{2}))?"
              + ZONE
              + ")?",
          Pattern.CASE_INSENSITIVE);
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  // Hours; RFC 822, section 5.1.
  private static final Map<String, Integer> ZONES =
      Map.of(
          "EST", -5, "EDT", -4, "CST", -6, "CDT", -5, "MST", -7, "MDT", -6, "PST", -8, "PDT", -7);

  private WebDates() {}

  /**
   * Returns the instant that {@code text} names, to the second; what it leaves out is the least
   * there is, and UTC. Nothing, if it is no date.
   */
  static Optional<Instant> parse(String text) {
    String clean = text.strip();
    if (clean.isEmpty() || clean.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      Matcher w3c = W3C.matcher(clean);
      if (w3c.matches()) {
        return Optional.of(instant(number(w3c, 1, 0), number(w3c, 2, 1), number(w3c, 3, 1), w3c));
      }
      Matcher rfc = RFC.matcher(clean);
      if (rfc.matches()) {
        int month = MONTHS.indexOf(rfc.group(2).toLowerCase(Locale.ROOT)) + 1;
        return Optional.of(instant(year(rfc.group(3)), month, number(rfc, 1, 0), rfc));
      }
    } catch (DateTimeException e) {
      // A 30 February, or the like.
    }
    return Optional.empty();
  }

  /** Groups 4 to 7 are hour, minute, second and zone. */
  private static Instant instant(int year, int month, int day, Matcher time) {
    // A leap second counts as the one before it.
    int second = Math.min(number(time, 6, 0), 59);
    return LocalDateTime.of(year, month, day, number(time, 4, 0), number(time, 5, 0), second)
        .toInstant(zone(time.group(7)));
  }

  private static int number(Matcher matcher, int group, int otherwise) {
    String digits = matcher.group(group);
    return digits == null ? otherwise : Integer.parseInt(digits);
  }

  /** Two digits mean 1950 to 2049 (RFC 5322, section 4.3). */
  private static int year(String digits) {
    int year = Year.parse(digits.length() == 4 ? digits : "20" + digits).getValue();
    return digits.length() == 2 && year >= 2050 ? year - 100 : year;
  }

  private static ZoneOffset zone(@Nullable String zone) {
    if (zone == null) {
      return ZoneOffset.UTC;
    }
    if (zone.charAt(0) == '+' || zone.charAt(0) == '-') {
      return ZoneOffset.of(
          zone.indexOf(':') < 0 ? zone.substring(0, 3) + ":" + zone.substring(3) : zone);
    }
    return ZoneOffset.ofHours(ZONES.getOrDefault(zone.toUpperCase(Locale.ROOT), 0));
  }
}
