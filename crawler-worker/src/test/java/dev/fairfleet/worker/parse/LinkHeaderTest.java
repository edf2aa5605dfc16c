package dev.fairfleet.worker.parse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LinkHeaderTest {
  @Test
  void parse_severalLinks_areSplit() {
    assertThat(
            LinkHeader.parse(
                "</a,b>; rel=\"Canonical next\"; title=\"x, y; rel=no\" , </c> ;rel=prev;type=Text/HTML,"
                    + "<d>"))
        .containsExactly(
            new LinkHeader("/a,b", List.of("canonical", "next"), ""),
            new LinkHeader("/c", List.of("prev"), "text/html"),
            new LinkHeader("d", List.of(""), ""));
  }

  @Test
  void parse_secondRel_isIgnored() {
    assertThat(LinkHeader.parse("<a>; rel=next; rel=canonical").getFirst().rel())
        .containsExactly("next");
  }

  @Test
  void parse_noLink_isNothing() {
    assertThat(LinkHeader.parse("")).isEmpty();
    assertThat(LinkHeader.parse("/x; rel=canonical")).isEmpty();
    assertThat(LinkHeader.parse("</x; rel=canonical")).isEmpty();
  }

  @Test
  @Timeout(10)
  void parse_longNonsense_isBounded() {
    assertThat(LinkHeader.parse("<a>" + ";=\"".repeat(20_000))).hasSize(1);
    assertThat(LinkHeader.parse("<".repeat(60_000))).isEmpty();
  }
}
