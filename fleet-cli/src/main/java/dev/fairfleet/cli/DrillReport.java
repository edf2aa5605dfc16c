package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a drill expected beside what it saw, row by row, and what was wrong. Used by one thread. */
final class DrillReport {
  private static final int MOST_FAULTS = 20;

  private final String title;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();

  private record Row(String what, String expected, String actual, boolean ok) {}

  /**
   * @param title what the rows are about
   */
  DrillReport(String title) {
    this.title = title;
  }

  /** Adds what must be equal. */
  DrillReport equal(String what, Object expected, Object actual) {
    return row(what, expected.toString(), actual.toString(), expected.equals(actual));
  }

  /** Adds a number that must be smaller than another. */
  DrillReport below(String what, double bound, double actual, String format) {
    return row(what, "< " + number(format, bound), number(format, actual), actual < bound);
  }

  /** Adds what is shown only. */
  DrillReport shown(String what, Object actual) {
    return row(what, "", actual.toString(), true);
  }

  /** Adds a number that is shown only. */
  DrillReport shown(String what, double actual, String format) {
    return shown(what, number(format, actual));
  }

  /** Adds the number of faults, of which there must be none. */
  DrillReport none(String what, List<String> found) {
    faults.addAll(found.stream().limit(MOST_FAULTS).toList());
    return row(what, "0", Integer.toString(found.size()), found.isEmpty());
  }

  private DrillReport row(String what, String expected, String actual, boolean ok) {
    rows.add(new Row(what, expected, actual, ok));
    return this;
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  /** Tells whether everything is as expected. */
  boolean ok() {
    return rows.stream().allMatch(Row::ok);
  }

  /** Returns the rows as a table, and a line for each fault. */
  String text() {
    TextTable table = new TextTable(title, "expected", "actual", "");
    rows.forEach(
        row -> table.row(row.what(), row.expected(), row.actual(), row.ok() ? "" : "WRONG"));
    StringBuilder text = new StringBuilder(table.toString());
    faults.forEach(fault -> text.append("WRONG: ").append(fault).append('\n'));
    return text.toString();
  }

  /** Returns the same for machines. */
  ObjectNode json() {
    ObjectNode json = JsonFile.object();
    json.put("title", title);
    json.put("ok", ok());
    ArrayNode array = json.putArray("rows");
    for (Row row : rows) {
      ObjectNode node = array.addObject();
      node.put("what", row.what());
      node.put("expected", row.expected());
      node.put("actual", row.actual());
      node.put("ok", row.ok());
    }
    ArrayNode wrong = json.putArray("faults");
    faults.forEach(wrong::add);
    return json;
  }
}
