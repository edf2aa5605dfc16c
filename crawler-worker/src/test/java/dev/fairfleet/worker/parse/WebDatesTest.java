package dev.fairfleet.worker.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebDatesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1997 | 1997-01-01T00:00:00Z",
        "1997-07 | 1997-07-01T00:00:00Z",
        "1997-07-16 | 1997-07-16T00:00:00Z",
        "1997-07-16T19:20+01:00 | 1997-07-16T18:20:00Z",
        "1997-07-16T19:20:30+01:00 | 1997-07-16T18:20:30Z",
        "1997-07-16T19:20:30.45+01:00 | 1997-07-16T18:20:30Z",
        "1997-07-16T19:20:30Z | 1997-07-16T19:20:30Z",
        "1997-07-16T19:20:30 | 1997-07-16T19:20:30Z",
        "' 1997-07-16 19:20:30 -0230 ' | 1997-07-16T21:50:30Z",
        "1997-12-31T23:59:60Z | 1997-12-31T23:59:59Z",
        "'Sat, 07 Sep 2002 00:00:01 GMT' | 2002-09-07T00:00:01Z",
        "'Sat, 7 Sep 02 00:00:01 EST' | 2002-09-07T05:00:01Z",
        "'7 September 2002 10:15 +0200' | 2002-09-07T08:15:00Z",
        "7 Sep 2002 | 2002-09-07T00:00:00Z",
        "'Saturday, 07-Sep-85 00:00:01 UTC' | 1985-09-07T00:00:01Z",
      })
  void parse_date_isRead(String text, Instant expected) {
    assertThat(WebDates.parse(text)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "1997-13-01",
        "1997-02-30",
        "0000-00-00",
        "97-07-16",
        "1997-07-16T25:00Z",
        "1997-07-16T10:00+99:00",
        "32 Sep 2002",
        "7 Foo 2002",
        "１９９７-07-16",
        "-5",
        "1700000000"
      })
  void parse_nonsense_isNothing(String text) {
    assertThat(WebDates.parse(text)).isEmpty();
  }
}
