package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class TextTableTest {
  @Test
  void toString_rows_alignsTheFirstColumnLeftAndTheOthersRight() {
    TextTable table = new TextTable("site", "pages").row("a", 12_345).row("long-name", "");
    assertThat(table)
        .hasToString(
            """
            site       pages
            a          12345
            long-name
            """);
  }

  @Test
  void row_oneCellShort_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TextTable("a", "b").row("only"))
        .withMessageContaining("2 cells, not 1");
  }
}
