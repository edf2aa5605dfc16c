package dev.fairfleet.worker.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.site.ExtractionRules;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SelectorsTest {
  @Test
  void extract_textAndAttribute_areOfTheFirstMatch() {
    Map<String, String> values =
        extract(
            Map.of(
                "name", "h1",
                "price", "span.price@data-amount",
                "image", "img@abs:src",
                "mail", "a[href*=@x.test]",
                "missing", "h2",
                "blank", "i",
                "noAttribute", "h1@title"),
            """
            <h1>A \n  <b>name</b></h1><h1>Another</h1><i> </i>
            <span class=price data-amount=' 9.50 '>about ten</span><img src=/i.jpg>
            <a href=mailto:me@x.test>Me</a>
            """,
            100);

    assertThat(values)
        .containsExactly(
            Map.entry("image", "http://a.test/i.jpg"),
            Map.entry("mail", "Me"),
            Map.entry("name", "A name"),
            Map.entry("price", "9.50"));
  }

  @Test
  void extract_longValue_isCutBetweenCharacters() {
    assertThat(extract(Map.of("x", "p"), "<p>12345", 5)).containsEntry("x", "12345");
    assertThat(extract(Map.of("x", "p"), "<p>123456", 5)).containsEntry("x", "12345");
    assertThat(extract(Map.of("x", "p"), "<p>1234\uD83D\uDE00", 5)).containsEntry("x", "1234");
  }

  @ParameterizedTest
  @ValueSource(strings = {"p[", "p >", "p:nonsense(1)", "@href", "a@@href", "p:has("})
  void compile_noSelector_namesTheField(String rule) {
    ExtractionRules rules = new ExtractionRules(Map.of("title", rule), Optional.empty(), Set.of());

    assertThatThrownBy(() -> Selectors.compile(rules))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Field \"title\" has no valid CSS selector: ");
  }

  private static Map<String, String> extract(Map<String, String> fields, String html, int longest) {
    ExtractionRules rules = new ExtractionRules(fields, Optional.empty(), Set.of());
    return Selectors.compile(rules).extract(Jsoup.parse(html, "http://a.test/"), longest);
  }
}
