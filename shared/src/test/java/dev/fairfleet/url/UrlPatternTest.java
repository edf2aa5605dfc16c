package dev.fairfleet.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlPatternTest {
  @ParameterizedTest(name = "{0} on {1}: {2}")
  @CsvSource({
    "/, /, true",
    "/, /x, true",
    "/shop, /shop, true",
    "/shop, /shops/x?y, true",
    "/shop/, /shop, false",
    "/Shop, /shop, false",
    "/shop$, /shop, true",
    "/shop$, /shop/, false",
    "*.pdf, /a.pdf?x, true",
    "*.pdf$, /a.pdf, true",
    "*.pdf$, /a.pdf?x, false",
    "*.pdf$, /a.pdf/b.pdf, true",
    "*?*sort=, /list?page=2&sort=asc, true",
    "*?*sort=, /sort=, false",
    "/a*b*c$, /abbc, true",
    "/a*b*c$, /abcb, false",
    "/a*bc$, /abc, true",
    "/a*abc$, /abc, false",
    "/a*$, /a, true",
    "*, /anything, true",
    "*$, /anything, true",
    "/a**b, /axb, true",
    "/a$b, /a$bc, true",
    "/ü, /%C3%BCx, true",
    "/%c3%bc, /%C3%BC, true",
    "/%7Ea, /~a, true"
  })
  void matches_robotsLikePattern_decides(String pattern, String path, boolean expected) {
    CrawlUrl url = CrawlUrl.of("http://a.test" + path);

    assertThat(new UrlPattern(pattern).matches(url)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "'', begins with / or *",
    "shop, begins with / or *",
    "^/shop$, begins with / or *",
    "http://a.test/, begins with / or *",
    "/a b, holds no white space",
    "/a#b, 'control character or #'"
  })
  void new_badPattern_saysWhatIsAllowed(String pattern, String allowed) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new UrlPattern(pattern))
        .withMessageStartingWith("A pattern on path and query, like /shop/ or *.pdf$, ")
        .withMessageContaining(allowed)
        .withMessageContaining("not \"" + pattern + "\"");
  }

  @Test
  void new_longestAndOneMore_decidesAt1024() {
    assertThat(new UrlPattern("/" + "a".repeat(1_023)).text()).hasSize(1_024);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new UrlPattern("/" + "a".repeat(1_024)))
        .withMessageContaining("has at most 1024 characters");
  }

  /** A pattern that takes a backtracking engine longer than the age of the universe. */
  @Test
  void matches_manyStars_ends() {
    UrlPattern pattern = new UrlPattern("/" + "*a".repeat(500) + "*b$");

    assertThat(pattern.matches(CrawlUrl.of("http://a.test/" + "a".repeat(4_000)))).isFalse();
  }
}
