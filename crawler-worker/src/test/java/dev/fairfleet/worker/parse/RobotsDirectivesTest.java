package dev.fairfleet.worker.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RobotsDirectivesTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

  @ParameterizedTest(name = "P64: {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "noindex | noindex",
        "NOFOLLOW | nofollow",
        "None | noindex nofollow",
        "all | ''",
        "index, follow | ''",
        "all, noindex | noindex",
        "noindex,nofollow | noindex nofollow",
        "noindex nofollow | noindex nofollow",
        "noindex;nofollow | noindex nofollow",
        ",, noindex ,| noindex",
        "noindexes, anone | ''",
        "max-snippet:20, noindex | noindex",
        "max-snippet:-1, max-image-preview:large | ''",
        "unavailable_after: 2026-11-30T11:59:59Z | noindex",
        "unavailable_after: 2026-11-30T12:00:00Z | noindex",
        "unavailable_after: 2026-11-30T12:00:01Z | ''",
        "otherbot: noindex | ''",
        "'' | ''"
      })
  void ofMeta_content_isUnderstood(String content, String expected) {
    assertThat(RobotsDirectives.ofMeta(content, NOW)).hasToString(expected);
  }

  @ParameterizedTest(name = "P65: {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "noindex | noindex",
        "ourbot: noindex | noindex",
        "OURBOT : NoFollow | nofollow",
        "*: noindex | noindex",
        "otherbot: noindex, nofollow | ''",
        "otherbot: none, ourbot: nofollow | nofollow",
        "ourbot: noindex, otherbot: nofollow | noindex",
        "nofollow, ourbot: noindex | noindex nofollow",
        "ourbotx: noindex | ''",
        "max-snippet:20, nofollow | nofollow",
        "ourbot: max-snippet:20, nofollow | nofollow",
        "unavailable_after: 1 Jan 2030 15:00:00 GMT, nofollow | nofollow",
        "unavailable_after: 25 Jun 2010 15:00:00 PST | noindex",
        "unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, nofollow | noindex nofollow",
        "unavailable_after: Fri, 25 Jun 2010 15:00:00 +0200 | noindex",
        "ourbot: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT | noindex",
        "otherbot: unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT | ''",
        "unavailable_after: someday, nofollow | nofollow",
        "unavailable_after: | ''"
      })
  void ofHeader_value_isUnderstood(String value, String expected) {
    assertThat(RobotsDirectives.ofHeader(value, "ourbot", NOW)).hasToString(expected);
  }
}
