package dev.fairfleet.worker.fetch;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads {@code Retry-After} (RFC 9110, section 10.2.3). */
final class RetryAfter {
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int MOST_DIGITS = 9;
  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ENGLISH);

  private RetryAfter() {}

  /**
   * Returns how long to wait, at most a day, or nothing if {@code value} is neither a number of
   * seconds nor a date in one of the three forms of RFC 9110, section 5.6.7. A date in the past
   * means zero.
   *
   * @param date the answer's own {@code Date}, which a date is counted from so that the server's
   *     clock may be wrong; empty if there was none
   * @param now our clock, for want of that
   */
  static Optional<Duration> parse(String value, String date, Instant now) {
    String text = value.strip();
    if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return Optional.of(
          text.length() > MOST_DIGITS
              ? LONGEST
              : bounded(Duration.ofSeconds(Long.parseLong(text))));
    }
    return date(text, now)
        .map(until -> bounded(Duration.between(date(date.strip(), now).orElse(now), until)));
  }

  private static Optional<Instant> date(String text, Instant now) {
    int thisYear = now.atZone(ZoneOffset.UTC).getYear();
    // Two digits mean a year that is at most 50 years ahead.
    DateTimeFormatter rfc850 =
        new DateTimeFormatterBuilder()
            .appendPattern("EEEE, dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, thisYear - 49)
            .appendPattern(" HH:mm:ss 'GMT'")
            .toFormatter(Locale.ENGLISH);
    for (DateTimeFormatter form : List.of(DateTimeFormatter.RFC_1123_DATE_TIME, rfc850, ASCTIME)) {
      try {
        return Optional.of(LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC));
      } catch (DateTimeParseException e) {
        // The next form, or none.
      }
    }
    return Optional.empty();
  }

  private static Duration bounded(Duration wait) {
    if (wait.isNegative()) {
      return Duration.ZERO;
    }
    return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
  }
}
