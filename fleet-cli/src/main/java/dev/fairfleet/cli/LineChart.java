package dev.fairfleet.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A chart with two axes as SVG, whose colours come from the page it stands in: the classes {@code
 * axis}, {@code grid} and {@code label}, and that of each series.
 *
 * @param title read out by whoever cannot see it
 * @param series drawn in this order
 */
record LineChart(String title, Axis x, Axis y, List<Series> series) {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 330;
  private static final int LEFT = 64;
  private static final int RIGHT = 14;
  private static final int TOP = 12;
  private static final int BOTTOM = 46;
  private static final int TICKS = 6;

  /**
   * An axis.
   *
   * @param log whether logarithmic; then what is below 1 is drawn at 1
   */
  record Axis(String title, boolean log) {}

  /** A value on both axes. */
  record Point(double x, double y) {}

  /**
   * Points of one kind.
   *
   * @param style name of a CSS class
   * @param dots whether drawn as dots, not as a line
   */
  record Series(String style, boolean dots, List<Point> points) {}

  /** From where to where an axis goes, as drawn: logarithms if it is logarithmic. */
  private record Range(double from, double to, boolean log) {
    static Range of(Axis axis, List<Double> values) {
      double least = axis.log() ? Double.POSITIVE_INFINITY : 0;
      double most = Double.NEGATIVE_INFINITY;
      for (double value : values) {
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
      if (!axis.log()) {
        return new Range(0, most > 0 ? most * 1.04 : 1, false);
      }
      double from = Math.log10(Math.max(1, least == Double.POSITIVE_INFINITY ? 1 : least));
      double to = Math.log10(Math.max(1, most));
      return to - from < 0.3 ? new Range(from - 0.3, to + 0.3, true) : new Range(from, to, true);
    }

    /** Returns where a value lies between both ends, 0 to 1. */
    double share(double value) {
      double drawn = log ? Math.log10(Math.max(1, value)) : value;
      return (drawn - from) / (to - from);
    }

    List<Double> ticks() {
      List<Double> ticks = new ArrayList<>();
      if (log) {
        double[] steps = to - from < 2.5 ? new double[] {1, 2, 5} : new double[] {1};
        for (int decade = (int) Math.floor(from); decade <= to; decade++) {
          for (double step : steps) {
            add(ticks, step * Math.pow(10, decade));
          }
        }
        return ticks;
      }
      double rough = to / TICKS;
      double decade = Math.pow(10, Math.floor(Math.log10(rough)));
      double step = decade * (rough / decade > 5 ? 10 : rough / decade > 2 ? 5 : 2);
      for (int i = 0; i * step <= to; i++) {
        add(ticks, i * step);
      }
      return ticks;
    }

    private void add(List<Double> ticks, double value) {
      double share = (log ? Math.log10(value) : value) - from;
      if (share >= -1e-9 && share <= to - from + 1e-9) {
        ticks.add(value);
      }
    }
  }

  /** Returns the chart as one SVG element. */
  String svg() {
    Range across = Range.of(x, values(Point::x));
    Range up = Range.of(y, values(Point::y));
    StringBuilder svg =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                WIDTH,
                HEIGHT,
                SimulationPage.escaped(title)));
    for (double tick : across.ticks()) {
      line(svg, "grid", px(across, tick), TOP, px(across, tick), HEIGHT - BOTTOM);
      text(svg, "label middle", px(across, tick), HEIGHT - BOTTOM + 16, number(tick));
    }
    for (double tick : up.ticks()) {
      line(svg, "grid", LEFT, py(up, tick), WIDTH - RIGHT, py(up, tick));
      text(svg, "label end", LEFT - 6, py(up, tick) + 4, number(tick));
    }
    line(svg, "axis", LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM);
    line(svg, "axis", LEFT, TOP, LEFT, HEIGHT - BOTTOM);
    text(svg, "label middle", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, x.title());
    svg.append(
        String.format(
            Locale.ROOT,
            "<text class=\"label middle\" transform=\"translate(14 %.0f) rotate(-90)\">%s</text>",
            (TOP + HEIGHT - BOTTOM) / 2.0,
            SimulationPage.escaped(y.title())));
    for (Series each : series) {
      svg.append(path(each, across, up));
    }
    return svg.append("</svg>").toString();
  }

  private List<Double> values(ToDoubleFunction<Point> of) {
    return series.stream()
        .flatMap(each -> each.points().stream())
        .map(point -> of.applyAsDouble(point))
        .toList();
  }

  private static double px(Range range, double value) {
    return LEFT + range.share(value) * (WIDTH - LEFT - RIGHT);
  }

  private static double py(Range range, double value) {
    return HEIGHT - BOTTOM - range.share(value) * (HEIGHT - TOP - BOTTOM);
  }

  private static String path(Series series, Range across, Range up) {
    StringBuilder path = new StringBuilder();
    for (Point point : series.points()) {
      path.append(
          String.format(
              Locale.ROOT,
              "%s%.1f %.1f%s",
              path.isEmpty() || series.dots() ? "M" : "L",
              px(across, point.x()),
              py(up, point.y()),
              series.dots() ? "h0" : ""));
    }
    return String.format(
        Locale.ROOT,
        "<path class=\"%s %s\" d=\"%s\"/>",
        series.dots() ? "dots" : "line",
        series.style(),
        path);
  }

  private static void line(
      StringBuilder svg, String style, double x1, double y1, double x2, double y2) {
    svg.append(
        String.format(
            Locale.ROOT, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", style, x1, y1, x2, y2));
  }

  private static void text(StringBuilder svg, String style, double x, double y, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%s</text>",
            style,
            x,
            y,
            SimulationPage.escaped(text)));
  }

  private static String number(double value) {
    if (value >= 1_000_000) {
      return String.format(Locale.ROOT, "%,.0fM", value / 1_000_000);
    }
    if (value >= 10_000) {
      return String.format(Locale.ROOT, "%,.0fk", value / 1_000);
    }
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.2f", value).replaceFirst("0$", "");
  }
}
