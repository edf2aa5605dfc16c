package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.cli.LineChart.Axis;
import dev.fairfleet.cli.LineChart.Point;
import dev.fairfleet.cli.LineChart.Series;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class LineChartTest {
  private static String svg(boolean log, boolean dots, Point... points) {
    return new LineChart(
            "a < b",
            new Axis("across", log),
            new Axis("up", log),
            List.of(new Series("mine", dots, List.of(points))))
        .svg();
  }

  private static List<String> labels(String svg) {
    return Pattern.compile("<text[^>]*>([^<]*)</text>")
        .matcher(svg)
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  @Test
  void svg_linearAxes_beginAtZeroAndReachTheMost() {
    String svg = svg(false, false, new Point(0, 0), new Point(10, 50), new Point(100, 100));
    assertThat(labels(svg)).contains("0", "20", "100", "across", "up");
    assertThat(svg).containsPattern("class=\"line mine\" d=\"M64\\.0 284\\.0L\\d+\\.\\d");
  }

  @Test
  void svg_logAxes_haveTheirDecadesAndDrawZeroAtOne() {
    String svg = svg(true, true, new Point(1, 0), new Point(10_000, 1), new Point(100, 1_000));
    assertThat(labels(svg)).contains("1", "10", "100", "1000", "10k");
    assertThat(svg).contains("d=\"M64.0 284.0h0M706.0 284.0h0M385.0 12.0h0\"");
  }

  @Test
  void svg_allValuesAlike_hasRoomOnBothSides() {
    assertThat(svg(true, true, new Point(100, 100), new Point(100, 100)))
        .contains("d=\"M385.0 148.0h0M385.0 148.0h0\"");
  }

  @Test
  void svg_noPoints_isAnEmptyChart() {
    assertThat(svg(false, false)).contains("<svg", "</svg>").doesNotContain("NaN", "Infinity");
    assertThat(svg(true, true)).contains("<svg", "</svg>").doesNotContain("NaN", "Infinity");
  }

  @Test
  void svg_title_isEscaped() {
    assertThat(svg(false, false, new Point(1, 1))).contains("aria-label=\"a &lt; b\"");
  }
}
