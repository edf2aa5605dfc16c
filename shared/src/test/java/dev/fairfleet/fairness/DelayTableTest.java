package dev.fairfleet.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairfleet.frontier.CrawlDepth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayTableTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0.99, 0, 0",
    "1, 0.4999, 10, 30",
    "1, 0.50, 60, 120",
    "1, 0.7999, 60, 120",
    "1, 0.80, 120, 300",
    "2, 0.7999, 120, 300",
    "2, 0.80, 600, 900",
    "3, 0.80, 600, 900",
    "3, 0.2499, 0, 0",
    "3, 0.25, 30, 60",
    "4, 0, 0, 0",
    "4, 0.25, 60, 120",
    "1000, 1, 600, 900",
  })
  void cell_defaultTable_isThatOfTheLastBandsReached(
      int depth, double percentile, int min, int max) {
    DelayTable.Cell cell =
        DelayTable.DEFAULT.cell(new CrawlDepth(depth), new Percentile(percentile));

    assertThat(cell.minSeconds()).isEqualTo(min);
    assertThat(cell.maxSeconds()).isEqualTo(max);
  }

  @Test
  void parse_spacesAndOneBand_readsThem() {
    assertThat(DelayTable.parse(" 0 = 0:1-2 , 30 : 3 - 4 ").cell(new CrawlDepth(9), pct(0.3)))
        .isEqualTo(new DelayTable.Cell(30, 3, 4));
  }

  private static Percentile pct(double value) {
    return new Percentile(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";",
        "0",
        "0 =",
        "0 = 0",
        "0 = 0:1",
        "0 = 0:1-2-3",
        "0 = 0:a-2",
        "x = 0:1-2",
        "0 = 0:2-1",
        "0 = 0:-1-2",
        "0 = 0:1-2, 101:1-2",
        "1 = 0:1-2",
        "0 = 5:1-2",
        "0 = 0:1-2, 0:1-2",
        "0 = 0:1-2; 0 = 0:1-2",
        "0 = 0:1-2; 2 = 0:1-2; 1 = 0:1-2",
        "0 = 0:1-2;",
        "0 = 0:1-99999999999"
      })
  void parse_otherForm_isRefusedWithTheReason(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DelayTable.parse(text))
        .withMessageMatching("(?s).*(delay table|delay cell).*");
  }
}
