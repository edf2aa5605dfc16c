package dev.fairfleet.fairness;

import dev.fairfleet.frontier.CrawlDepth;
import java.util.ArrayList;
import java.util.List;

/**
 * Bands of depth × bands of percentile → a range of seconds, from which the delay of a new task is
 * drawn.
 *
 * @param rows by rising {@code minDepth}; the first begins at depth 0
 */
public record DelayTable(List<Row> rows) {
  /**
   * The delays of one band of depths.
   *
   * @param minDepth first depth of the band, which ends where the next one begins
   * @param cells by rising {@code minPercentile}; the first begins at percentile 0
   */
  public record Row(int minDepth, List<Cell> cells) {
    public Row {
      cells = List.copyOf(cells);
    }
  }

  /**
   * The delay of one band of percentiles.
   *
   * @param minPercentile first percentile of the band, 0 to 100
   * @param minSeconds least delay, not negative
   * @param maxSeconds greatest delay, at least {@code minSeconds}
   */
  public record Cell(int minPercentile, int minSeconds, int maxSeconds) {
    public Cell {
      if (minPercentile < 0 || minPercentile > 100 || minSeconds < 0 || maxSeconds < minSeconds) {
        throw new IllegalArgumentException(
            "A delay cell reads percentile:min-max with 0 ≤ percentile ≤ 100 and 0 ≤ min ≤ max, not "
                + minPercentile
                + ":"
                + minSeconds
                + "-"
                + maxSeconds);
      }
    }
  }

  /** The form that {@link #parse} reads, with the default delays. */
  public static final String DEFAULT_TEXT =
      "0 = 0:0-0; "
          + "1 = 0:0-0, 25:10-30, 50:60-120, 80:120-300; "
          + "2 = 0:0-0, 25:30-60, 50:120-300, 80:600-900; "
          + "4 = 0:0-0, 25:60-120, 50:300-600, 80:600-900";

  public static final DelayTable DEFAULT = parse(DEFAULT_TEXT);

  /**
   * @throws IllegalArgumentException if a band is missing, out of order, or does not begin at 0
   */
  public DelayTable {
    rows = List.copyOf(rows);
    requireAscending("depth", rows.stream().map(Row::minDepth).toList());
    for (Row row : rows) {
      requireAscending(
          "percentile at depth " + row.minDepth(),
          row.cells().stream().map(Cell::minPercentile).toList());
    }
  }

  private static void requireAscending(String what, List<Integer> starts) {
    if (starts.isEmpty() || starts.getFirst() != 0) {
      throw new IllegalArgumentException(
          "The delay table's first band of " + what + " begins at 0, not with " + starts);
    }
    for (int i = 1; i < starts.size(); i++) {
      if (starts.get(i) <= starts.get(i - 1)) {
        throw new IllegalArgumentException(
            "The delay table's bands of " + what + " rise, but " + starts + " do not");
      }
    }
  }

  /**
   * Reads {@code depth = percentile:min-max, percentile:min-max; depth = …}, seconds.
   *
   * @throws IllegalArgumentException if the text has another form; the message shows the part
   */
  public static DelayTable parse(String text) {
    List<Row> rows = new ArrayList<>();
    for (String line : text.split(";", -1)) {
      String[] sides = line.split("=", 2);
      List<Cell> cells = new ArrayList<>();
      if (sides.length == 2) {
        for (String cell : sides[1].split(",", -1)) {
          String[] numbers = cell.strip().split("[:-]", -1);
          if (numbers.length != 3) {
            throw unreadable(cell);
          }
          cells.add(new Cell(number(numbers[0]), number(numbers[1]), number(numbers[2])));
        }
      } else {
        throw unreadable(line);
      }
      rows.add(new Row(number(sides[0]), cells));
    }
    return new DelayTable(rows);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw unreadable(text);
    }
  }

  private static IllegalArgumentException unreadable(String part) {
    return new IllegalArgumentException(
        "A delay table reads \"depth = percentile:min-max, …; depth = …\"; \""
            + part.strip()
            + "\" does not");
  }

  /** Returns the range for a page of {@code depth} of a site at {@code served}. */
  public Cell cell(CrawlDepth depth, Percentile served) {
    Row row = rows.getFirst();
    for (Row candidate : rows) {
      if (candidate.minDepth() <= depth.value()) {
        row = candidate;
      }
    }
    Cell cell = row.cells().getFirst();
    for (Cell candidate : row.cells()) {
      if (candidate.minPercentile() <= served.value() * 100) {
        cell = candidate;
      }
    }
    return cell;
  }
}
