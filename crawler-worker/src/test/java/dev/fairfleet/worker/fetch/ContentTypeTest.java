package dev.fairfleet.worker.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ContentTypeTest {
  @ParameterizedTest(name = "P61: {0}")
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      emptyValue = "",
      value = {
        "`` | `` | ``",
        "text/html | text/html | ``",
        "TEXT/HTML;Charset=\"utf-8\" | text/html | utf-8",
        "text/html ; charset = 'UTF-8' | text/html | UTF-8",
        "text/html; x=y; charset=a; charset=b | text/html | a",
        "text/html, text/plain; charset=x | text/html | x",
        "; charset=x | `` | x",
        "text/html; charset=\" | text/html | \""
      })
  void parse_header_isRead(String header, String mime, String charset) {
    assertThat(ContentType.parse(header)).isEqualTo(new ContentType(mime, charset));
  }
}
