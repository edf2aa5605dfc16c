package dev.fairfleet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.csv.CsvGenerator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.record.Tombstone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values as in RFC 4180, under a row of column names.
 *
 * <p>The columns: {@code site, id, key, url, change} (the last if rows say it), {@code deletedAt,
 * deletedReason, firstSeen, lastChanged, changes, returnedAt}, then {@code fields.NAME} for each of
 * {@code names}, and {@code otherFields}, a JSON object of whatever else a record has. What is
 * absent is an empty cell; an empty text is {@code ""}.
 *
 * @param names of the fields that get a column each
 * @param changes whether rows say what became of a record
 * @param spreadsheet whether a cell that a spreadsheet program would take for a formula gets a
 *     {@code '} in front (OWASP, "CSV Injection")
 */
record CsvRows(List<String> names, boolean changes, boolean spreadsheet) implements RecordFormat {
  private static final ObjectWriter ROW =
      CsvMapper.builder()
          .enable(CsvGenerator.Feature.ALWAYS_QUOTE_EMPTY_STRINGS)
          .build()
          .writerFor(String[][].class)
          .with(CsvSchema.emptySchema().withLineSeparator("\r\n"));
  private static final JsonMapper JSON = new JsonMapper();
  private static final String FORMULA = "=+-@\t\r\n";

  CsvRows {
    names = List.copyOf(names);
  }

  @Override
  public String head() {
    List<@Nullable String> columns = new ArrayList<>(List.of("site", "id", "key", "url"));
    if (changes) {
      columns.add("change");
    }
    columns.addAll(
        List.of("deletedAt", "deletedReason", "firstSeen", "lastChanged", "changes", "returnedAt"));
    names.forEach(name -> columns.add("fields." + name));
    columns.add("otherFields");
    return row(columns);
  }

  @Override
  public String line(StoredRecord stored, Optional<RecordChange> change) {
    CrawlRecord record = stored.record();
    List<@Nullable String> cells = new ArrayList<>();
    cells.add(record.site().value());
    cells.add(record.id().value());
    cells.add(text(record.naturalKey()));
    cells.add(record.url().toString());
    if (changes) {
      cells.add(change.map(RecordChange::word).orElse(null));
    }
    cells.add(stored.tombstone().map(Tombstone::at).map(Instant::toString).orElse(null));
    cells.add(text(stored.tombstone().map(Tombstone::reason).orElse(null)));
    cells.add(stored.firstSeen().toString());
    cells.add(stored.lastChanged().toString());
    cells.add(Integer.toString(stored.changes()));
    cells.add(stored.returned().map(Instant::toString).orElse(null));
    SortedMap<String, String> others = new TreeMap<>(record.fields());
    names.forEach(name -> cells.add(text(others.remove(name))));
    cells.add(others.isEmpty() ? null : json(others));
    return row(cells);
  }

  private @Nullable String text(@Nullable String text) {
    return spreadsheet && text != null && !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0
        ? "'" + text
        : text;
  }

  private static String row(List<@Nullable String> cells) {
    try {
      // A row alone would be written without its empty cells.
      return ROW.writeValueAsString(new String[][] {cells.toArray(String[]::new)});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("A record cannot be written as CSV", e);
    }
  }

  private static String json(SortedMap<String, String> fields) {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Fields cannot be written as JSON", e);
    }
  }
}
