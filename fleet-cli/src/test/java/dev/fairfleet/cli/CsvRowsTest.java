package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.record.StoredRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRowsTest {
  private static final String ID = Stored.record("7", Map.of()).id().value();
  private static final String BEGIN = "books,\"" + ID + "\",7,http://books.test/7,";

  private static CsvRows rows(String... names) {
    return new CsvRows(List.of(names), false, false);
  }

  private static String row(CsvRows rows, StoredRecord stored) {
    return rows.line(stored, Optional.empty());
  }

  @Test
  void head_namesEveryColumn() {
    assertThat(rows("price", "url").head())
        .isEqualTo(
            "site,id,key,url,deletedAt,deletedReason,firstSeen,lastChanged,changes,returnedAt,"
                + "fields.price,fields.url,otherFields\r\n");
    assertThat(new CsvRows(List.of(), true, false).head())
        .startsWith("site,id,key,url,change,deletedAt,");
  }

  @Test
  void line_record_hasEmptyCellsForWhatIsAbsent() {
    assertThat(row(rows("price", "title"), Stored.fresh("7", Map.of("price", "12"))))
        .isEqualTo(BEGIN + ",,2026-11-30T12:00:00Z,2026-11-30T12:00:00Z,0,,12,,\r\n");
  }

  @Test
  void line_emptyText_isNotAbsent() {
    assertThat(row(rows("price"), Stored.fresh("7", Map.of("price", "")))).endsWith(",\"\",\r\n");
  }

  @Test
  void line_tombstoneAndReturn_sayWhen() {
    assertThat(row(rows(), Stored.deleted("7", Map.of(), "404")))
        .startsWith(BEGIN + "2026-11-30T13:00:00Z,404,");
    assertThat(row(rows(), Stored.returned("7", Map.of())))
        .endsWith(",2026-11-30T13:00:00Z,1,2026-11-30T14:00:00Z,\r\n");
  }

  @Test
  void line_changes_sayWhatBecameOfIt() {
    assertThat(
            new CsvRows(List.of(), true, false)
                .line(Stored.fresh("7", Map.of()), Optional.of(RecordChange.ADDED)))
        .startsWith(BEGIN + "added,,,");
  }

  /** RFC 4180, section 2, rules 5 to 7. */
  @ParameterizedTest
  @ValueSource(strings = {"a,b", "a\nb", "a\r\nb", "a\"b", "\"", "a;\tb ", "\"a\",\"b\""})
  void line_textWithSpecialCharacters_isQuoted(String text) {
    assertThat(row(rows("t"), Stored.fresh("7", Map.of("t", text))).split(",0,,", 2)[1])
        .isIn(
            "\"" + text.replace("\"", "\"\"") + "\",\r\n",
            text.matches("[^\",\r\n]*") ? text + ",\r\n" : "");
  }

  @Test
  void line_fieldsOfNoColumn_areJson() {
    assertThat(row(rows("a"), Stored.fresh("7", Map.of("a", "1", "b", "2", "c", "\""))))
        .endsWith(",1,\"{\"\"b\"\":\"\"2\"\",\"\"c\"\":\"\"\\\"\"\"\"}\"\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"})
  void line_formula_isTextInASpreadsheet(String formula) {
    StoredRecord stored = Stored.fresh("7", Map.of("t", formula));
    assertThat(row(new CsvRows(List.of("t"), false, true), stored)).contains("'" + formula);
    assertThat(row(rows("t"), stored)).contains(formula).doesNotContain("'");
  }

  @Test
  void line_otherText_isTheSameInASpreadsheet() {
    StoredRecord stored = Stored.fresh("7", Map.of("t", "a=1", "u", ""));
    assertThat(row(new CsvRows(List.of("t", "u"), false, true), stored))
        .isEqualTo(row(rows("t", "u"), stored));
  }
}
