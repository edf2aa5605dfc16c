package dev.fairfleet.dynamodb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecordItemTest {
  private static SortedMap<String, String> fields(String... namesAndValues) {
    SortedMap<String, String> fields = new TreeMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }

  private static int bytes(RecordItem.Fitting fitting) {
    return fitting.fields().values().stream().mapToInt(value -> value.getBytes(UTF_8).length).sum();
  }

  @Test
  void fit_exactlyFull_cutsNothing() {
    SortedMap<String, String> fields = fields("a", "x".repeat(359_991));
    assertThat(RecordItem.fit(fields)).isEqualTo(new RecordItem.Fitting(fields, List.of()));
  }

  @Test
  void fit_oneByteTooMany_cutsOneByte() {
    RecordItem.Fitting fitting = RecordItem.fit(fields("a", "x".repeat(359_992)));
    assertThat(fitting.fields()).containsEntry("a", "x".repeat(359_991));
    assertThat(fitting.cut()).containsExactly("a");
  }

  @Test
  void fit_oneLargeField_keepsTheOthersWhole() {
    RecordItem.Fitting fitting =
        RecordItem.fit(fields("a", "x".repeat(100_000), "b", "y".repeat(900_000), "c", "z"));
    assertThat(fitting.cut()).containsExactly("b");
    assertThat(fitting.fields().get("a")).hasSize(100_000);
    assertThat(fitting.fields().get("c")).isEqualTo("z");
    assertThat(bytes(fitting)).isEqualTo(360_000 - 3 * 9);
  }

  @Test
  void fit_twoLargeFields_getEqualShares() {
    RecordItem.Fitting fitting =
        RecordItem.fit(fields("b", "x".repeat(400_000), "a", "y".repeat(900_000)));
    assertThat(fitting.cut()).containsExactly("a", "b");
    assertThat(fitting.fields().get("a")).hasSize(179_991);
    assertThat(fitting.fields().get("b")).hasSize(179_991);
  }

  @Test
  void fit_manyFields_neverExceedsTheItem() {
    SortedMap<String, String> fields = new TreeMap<>();
    IntStream.range(0, 2_000).forEach(i -> fields.put("field" + i, "é".repeat(i)));
    RecordItem.Fitting fitting = RecordItem.fit(fields);
    int names = fields.keySet().stream().mapToInt(String::length).sum();
    assertThat(bytes(fitting) + names + 8 * 2_000).isBetween(350_000, 360_000);
    assertThat(fitting.cut()).doesNotContain("field1").contains("field1999");
  }

  @Test
  void head_endInsideCharacter_leavesItOut() {
    assertThat(RecordItem.head("a€b", 3)).isEqualTo("a");
    assertThat(RecordItem.head("a€b", 4)).isEqualTo("a€");
    assertThat(RecordItem.head("🚲🚲", 7)).isEqualTo("🚲");
    assertThat(RecordItem.head("a€b", 5)).isEqualTo("a€b");
  }
}
