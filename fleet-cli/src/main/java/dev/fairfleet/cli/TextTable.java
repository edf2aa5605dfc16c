package dev.fairfleet.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns that line up: text to the left, numbers to the right. */
final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final int textColumns;

  /**
   * @param titles of the columns, of which the first holds text
   */
  TextTable(String... titles) {
    this(1, titles);
  }

  private TextTable(int textColumns, String... titles) {
    this.textColumns = textColumns;
    rows.add(List.of(titles));
  }

  /** Returns a table whose columns all hold text. */
  static TextTable ofText(String... titles) {
    return new TextTable(titles.length, titles);
  }

  /** Adds a row; it has as many cells as there are titles. */
  TextTable row(Object... cells) {
    if (cells.length != rows.getFirst().size()) {
      throw new IllegalArgumentException(
          "A row of this table has " + rows.getFirst().size() + " cells, not " + cells.length);
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(cell.toString());
    }
    rows.add(row);
    return this;
  }

  /** Returns the lines, the titles first, without trailing blanks. */
  @Override
  public String toString() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String padding = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? "" : GAP);
        line.append(i < textColumns ? row.get(i) + padding : padding + row.get(i));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
