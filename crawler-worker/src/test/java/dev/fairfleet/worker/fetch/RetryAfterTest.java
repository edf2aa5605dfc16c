package dev.fairfleet.worker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
  private static final Instant NOW = Instant.parse("1994-11-06T08:49:37Z");

  @ParameterizedTest(name = "P59: {0}")
  @CsvSource({
    "0, PT0S",
    "' 120 ', PT120S",
    "86400, PT24H",
    "86401, PT24H",
    "99999999, PT24H",
    "99999999999999999999, PT24H",
    "'Sun, 06 Nov 1994 08:49:57 GMT', PT20S",
    "'Sunday, 06-Nov-94 08:49:57 GMT', PT20S",
    "'Friday, 06-Nov-43 08:49:57 GMT', PT24H",
    "'Tuesday, 06-Nov-45 08:49:57 GMT', PT0S",
    "'Sun Nov  6 08:49:57 1994', PT20S",
    "'Sun, 06 Nov 1994 08:49:36 GMT', PT0S",
    "'Sat, 06 Nov 2094 08:49:57 GMT', PT24H"
  })
  void parse_secondsOrDate_isBounded(String value, Duration expected) {
    assertThat(RetryAfter.parse(value, "", NOW)).contains(expected);
  }

  @ParameterizedTest(name = "P59: {0}")
  @ValueSource(
      strings = {
        "",
        "-5",
        "1.5",
        "abc",
        "+3",
        "1e3",
        "Sun, 99 Nov 1994",
        "Mon, 06 Nov 1994 08:49:57 GMT"
      })
  void parse_invalid_isNothing(String value) {
    assertThat(RetryAfter.parse(value, "", NOW)).isEmpty();
  }

  @ParameterizedTest(name = "P59: {0}")
  @CsvSource({"'Sun, 06 Nov 1994 09:49:37 GMT', PT20S", "nonsense, PT1H20S"})
  void parse_serverClockAhead_countsFromItsDate(String date, Duration expected) {
    assertThat(RetryAfter.parse("Sun, 06 Nov 1994 09:49:57 GMT", date, NOW)).contains(expected);
  }
}
