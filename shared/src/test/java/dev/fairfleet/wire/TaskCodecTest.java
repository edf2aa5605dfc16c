package dev.fairfleet.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.TaskKind;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TaskCodecTest {
  private static final String GOOD =
      "{\"v\":1,\"site\":\"a.test\",\"crawl\":\"20261130T120000.000Z\",\"url\":\"http://a.test/p\","
          + "\"depth\":2,\"generation\":1}";
  private static final Task TASK =
      new Task(
          new SiteId("a.test"),
          new CrawlId("20261130T120000.000Z"),
          CrawlUrl.of("http://a.test/p"),
          new CrawlDepth(2),
          1);

  private final TaskCodec codec = new TaskCodec();

  @Test
  void encode_task_writesTheDocumentedForm() {
    assertThat(codec.encode(TASK)).isEqualTo(GOOD);
  }

  private static final String END =
      "{\"v\":2,\"kind\":\"END\",\"site\":\"a.test\",\"crawl\":\"20261130T120000.000Z\","
          + "\"url\":\"http://a.test/\",\"depth\":0,\"generation\":0}";

  @Test
  void encode_endOfCrawl_writesTheDocumentedForm() {
    Task end =
        new Task(
            TASK.site(),
            TASK.crawl(),
            CrawlUrl.of("http://a.test/"),
            CrawlDepth.ROOT,
            0,
            TaskKind.END);
    assertThat(codec.encode(end)).isEqualTo(END);
    assertThat(codec.decode(END)).isEqualTo(new Decoded.Valid(end));
  }

  @Test
  void decode_pageOfVersion2_isRead() {
    assertThat(codec.decode(GOOD.replace("\"v\":1", "\"v\":2,\"kind\":\"PAGE\"")))
        .isEqualTo(new Decoded.Valid(TASK));
  }

  /** Version 1 ignored fields that it did not know; it knew no kinds. */
  @Test
  void decode_kindInVersion1_isAPage() {
    assertThat(codec.decode(END.replace("\"v\":2", "\"v\":1")))
        .isInstanceOfSatisfying(
            Decoded.Valid.class, valid -> assertThat(valid.task().kind()).isEqualTo(TaskKind.PAGE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"v\":2 | \"v\":3 | message has version 3, this worker reads 1 to 2",
        "\"v\":2 | \"v\":0 | message has version 0, this worker reads 1 to 2",
        "END | MERGE | message has kind \"MERGE\", this worker knows [PAGE, END]",
        "END | end | message has kind \"end\", this worker knows [PAGE, END]",
        "\"kind\":\"END\", | `` | message has no text field \"kind\"",
        "\"END\" | 2 | message has no text field \"kind\"",
      })
  void decode_newerVersionOrUnknownKind_saysSo(String from, String to, String reason) {
    assertThat(codec.decode(END.replace(from, to))).isEqualTo(new Decoded.Unreadable(reason));
  }

  @Test
  void decode_unknownField_ignoresIt() {
    assertThat(codec.decode(GOOD.replace("\"v\":1", "\"v\":1,\"slot\":{\"at\":[17]}")))
        .isEqualTo(new Decoded.Valid(TASK));
  }

  /** P89: poison of every kind has a short reason, and never an exception. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\0",
        "null",
        "17",
        "[]",
        "not JSON",
        "{",
        "{}",
        "{\"v\":1}",
        "<v>1</v>",
        "{\"v\":\"1\"}",
        "{\"v\":1.5}",
        "{\"v\":99999999999}"
      })
  void decode_noTask_isUnreadable(String body) {
    assertUnreadable(body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"v\":1 -> \"v\":2",
        "\"v\":1 -> \"v\":3",
        "\"v\":1 -> \"v\":0",
        ",\"url\":\"http://a.test/p\" -> ",
        "\"http://a.test/p\" -> null",
        "\"http://a.test/p\" -> 17",
        "http://a.test/p -> ",
        "http://a.test/p -> /p",
        "http://a.test/p -> ftp://a.test/p",
        "http://a.test/p -> javascript:alert(1)",
        "http://a.test/p -> http://a.test:99999/p",
        "\"depth\":2 -> \"depth\":-1",
        "\"depth\":2 -> \"depth\":1000000000",
        "\"depth\":2 -> \"depth\":1e400",
        "\"depth\":2 -> \"depth\":\"2\"",
        "\"generation\":1 -> \"generation\":-1",
        "\"site\":\"a.test\" -> \"site\":\"\"",
        "\"site\":\"a.test\" -> \"site\":\"a b\"",
        "\"site\":\"a.test\" -> \"site\":\"a\\nb\"",
        "20261130T120000.000Z -> yesterday",
      })
  void decode_oneThingWrong_isUnreadable(String change) {
    String[] sides = change.split(" -> ", -1);
    String body = GOOD.replace(sides[0], sides[1]);
    assertThat(body).isNotEqualTo(GOOD);

    assertUnreadable(body);
  }

  @Test
  void decode_nullByte_isUnreadableOrEscaped() {
    assertUnreadable(GOOD.replace("/p", "/\0"));
    assertThat(codec.decode(GOOD.replace("\"a.test\"", "\"a\\u0000test\"")))
        .isInstanceOf(Decoded.Unreadable.class);
  }

  @Test
  void decode_urlOf100KB_isUnreadable() {
    assertUnreadable(GOOD.replace("/p", "/" + "p".repeat(100_000)));
  }

  @Test
  void decode_longestMessage_turnsWithinOneCharacter() {
    String padding = " ".repeat(TaskCodec.MAX_LENGTH - GOOD.length());

    assertThat(codec.decode(GOOD + padding)).isEqualTo(new Decoded.Valid(TASK));
    assertUnreadable(GOOD + padding + " ");
  }

  @Test
  void decode_longUrlBelowTheMessageLimit_isUnreadableWithoutTheBody() {
    assertUnreadable(GOOD.replace("/p", "/" + "p".repeat(CrawlUrl.MAX_LENGTH)));
    assertUnreadable(GOOD.replace("\"a.test\"", "\"" + "s".repeat(10_000) + "\""));
    assertUnreadable("x".repeat(10_000));
  }

  @Test
  void decode_deepNesting_isUnreadable() {
    assertUnreadable("[".repeat(8_000));
    assertUnreadable("{\"a\":".repeat(2_000));
  }

  private void assertUnreadable(String body) {
    assertThat(codec.decode(body))
        .isInstanceOfSatisfying(
            Decoded.Unreadable.class,
            unreadable ->
                assertThat(unreadable.reason())
                    .isNotBlank()
                    .hasSizeLessThanOrEqualTo(400)
                    .doesNotContainPattern("\\p{Cntrl}"));
  }
}
