package dev.fairfleet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.memory.InMemoryRecordStore;
import dev.fairfleet.record.FeedPosition;
import dev.fairfleet.record.RecordId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordExportTest {
  private static final Instant EVENING = Stored.NOON.plus(Duration.ofHours(6));

  private final InMemoryRecordStore store = new InMemoryRecordStore();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private RecordId put(String key, String price, Instant at) {
    var record = Stored.record(key, Map.of("price", price));
    store.put(record, at);
    return record.id();
  }

  private RecordExport export(FeedPosition from, Instant began) {
    RecordExport export = new RecordExport(store, Stored.SITE, began);
    out.reset();
    try (RecordWriter writer =
        RecordWriter.to(new PrintStream(out, false, UTF_8), new JsonLines())) {
      export.walk(from, true, writer);
      writer.finish();
    }
    return export;
  }

  private List<String> lines() {
    return out.toString(UTF_8)
        .lines()
        .map(line -> line.replaceAll(".*\"key\":\"(\\w+)\".*\"change\":\"(\\w+)\".*", "$1 $2"))
        .toList();
  }

  @Test
  void walk_everything_addsWhatIsThereAndRemovesWhatIsNot() {
    put("a", "1", Stored.NOON);
    RecordId b = put("b", "1", Stored.NOON.plusSeconds(1));
    put("c", "1", Stored.NOON.plusSeconds(2));
    store.delete(b, Stored.CRAWL, "404", Stored.NOON.plusSeconds(3));

    RecordExport export = export(FeedPosition.START, EVENING);

    assertThat(lines()).containsExactly("a added", "c added", "b removed");
    assertThat(export.text()).isEqualTo("2 records and 1 tombstones of books (2 added, 1 removed)");
    assertThat(export.json())
        .hasToString(
            "{\"site\":\"books\",\"records\":2,\"tombstones\":1,\"added\":2,\"changed\":0,"
                + "\"returned\":0,\"removed\":1,\"next\":\""
                + FeedPosition.of(b, Stored.NOON.plusSeconds(3))
                + "\"}");
  }

  @Test
  void walk_fromTheEndOfTheLast_saysWhatBecameOfEach() {
    put("same", "1", Stored.NOON);
    put("changes", "1", Stored.NOON);
    RecordId goes = put("goes", "1", Stored.NOON);
    RecordId back = put("back", "1", Stored.NOON);
    store.delete(back, Stored.CRAWL, "404", Stored.NOON);
    FeedPosition next = export(FeedPosition.START, EVENING).next();

    put("same", "1", EVENING);
    put("changes", "2", EVENING);
    store.delete(goes, Stored.CRAWL, "404", EVENING.plusSeconds(1));
    put("back", "1", EVENING.plusSeconds(2));
    put("new", "1", EVENING.plusSeconds(3));
    export(next, EVENING.plusSeconds(600));

    assertThat(lines())
        .containsExactly("changes changed", "goes removed", "back returned", "new added");
  }

  @Test
  void walk_nothingNew_staysWhereItIs() {
    put("a", "1", Stored.NOON);
    FeedPosition next = export(FeedPosition.START, EVENING).next();
    RecordExport again = export(next, EVENING.plusSeconds(600));
    assertThat(again.next()).isEqualTo(next);
    assertThat(lines()).isEmpty();
    assertThat(again.text()).isEqualTo("0 records and 0 tombstones of books");
  }

  @Test
  void walk_writtenWhileItGoesOn_comesAgainNextTime() {
    put("before", "1", EVENING.minus(FeedPosition.OVERLAP).minusMillis(1));
    put("during", "1", EVENING.minus(FeedPosition.OVERLAP));
    FeedPosition next = export(FeedPosition.START, EVENING).next();
    assertThat(lines()).containsExactly("before added", "during added");
    // A writer whose clock is late: its record lies before what was exported already.
    put("late", "1", EVENING.minusSeconds(60));
    export(next, EVENING.plusSeconds(600));
    assertThat(lines()).containsExactly("during added", "late added");
  }

  @Test
  void walk_fromTheFuture_resumesInThePast() {
    RecordExport export = export(FeedPosition.since(EVENING.plusSeconds(600)), EVENING);
    assertThat(export.next()).isEqualTo(FeedPosition.since(EVENING.minus(FeedPosition.OVERLAP)));
  }

  @Test
  void walk_moreThanAStep_writesAll() {
    for (int i = 0; i < 450; i++) {
      put("thing" + i, "1", Stored.NOON.plusMillis(i));
    }
    assertThat(export(FeedPosition.START, EVENING).count(RecordChange.ADDED)).isEqualTo(450);
    assertThat(lines()).hasSize(450).doesNotHaveDuplicates().endsWith("thing449 added");
  }

  @Test
  void scan_resumesBeforeItBegan() {
    put("a", "1", Stored.NOON);
    RecordExport export = new RecordExport(store, Stored.SITE, EVENING);
    try (RecordWriter writer =
        RecordWriter.to(new PrintStream(out, false, UTF_8), new JsonLines())) {
      export.scan(true, writer);
    }
    assertThat(lines()).containsExactly("a added");
    assertThat(export.next()).isEqualTo(FeedPosition.since(EVENING.minus(FeedPosition.OVERLAP)));
  }
}
