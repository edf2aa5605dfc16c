package dev.fairfleet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.fairfleet.dynamodb.DynamoDbClients;
import dev.fairfleet.dynamodb.DynamoDbRecordStore;
import dev.fairfleet.dynamodb.DynamoDbSiteStore;
import dev.fairfleet.dynamodb.TablePrefix;
import dev.fairfleet.dynamodb.Tables;
import dev.fairfleet.local.TestServices;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** {@code fairfleet export} of a fleet on a server that is like AWS. */
class ExportCommandIT {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");

  private static DynamoDbClient client;

  @TempDir private Path folder = Path.of("");
  private TablePrefix prefix = new TablePrefix("");

  @BeforeAll
  static void connect() {
    client = DynamoDbClients.create(Optional.of(TestServices.dynamoDb()), 8, List.of());
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  private RecordStore records() {
    return new DynamoDbRecordStore(client, prefix);
  }

  @BeforeEach
  void createFleet() {
    prefix = new TablePrefix("test-" + UUID.randomUUID() + "-");
    Tables.createMissing(client, prefix);
    CrawlUrl root = CrawlUrl.of("http://books.test/");
    new DynamoDbSiteStore(client, prefix, new Random(1))
        .put(
            new Site(
                Stored.SITE,
                List.of(root),
                new Scope(Set.of(root.hostKey())),
                SiteLimits.POLITE,
                new ExtractionRules(
                    Map.of("price", ".price", "title", "h1"), Optional.empty(), Set.of())));
  }

  private CrawlRecord put(String key, String price, Instant at) {
    CrawlRecord record = Stored.record(key, Map.of("price", price));
    records().put(record, at);
    return record;
  }

  /** Exports what the arguments say. */
  private int export(String... arguments) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("export", "--site", "books", "--prefix", prefix.value()));
    all.addAll(List.of("--region", "us-east-1"));
    all.addAll(List.of("--endpoint-url", TestServices.dynamoDb().toString()));
    all.addAll(List.of(arguments));
    StringWriter err = new StringWriter();
    return Fairfleet.commandLine().setErr(new PrintWriter(err)).execute(all.toArray(String[]::new));
  }

  private static List<String> changes(Path file) throws IOException {
    List<String> changes = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      JsonNode json = JSON.readTree(line);
      changes.add(json.get("key").asText() + " " + json.get("change").asText());
    }
    return changes;
  }

  @Test
  void export_withCursorFile_writesEachTimeWhatHasChanged() throws IOException {
    String out = folder.resolve("books.jsonl").toString();
    String cursor = folder.resolve("books.cursor").toString();
    String[] command = {"--changes", "--out", out, "--cursor-file", cursor, "--json"};
    put("a", "1", LONG_AGO);
    put("b", "1", LONG_AGO.plusSeconds(1));
    put("c", "1", LONG_AGO.plusSeconds(2));

    assertThat(export(command)).isEqualTo(Fairfleet.DONE);
    assertThat(changes(Path.of(out))).containsExactly("a added", "b added", "c added");

    put("b", "2", LONG_AGO.plusSeconds(3));
    records().delete(put("a", "1", LONG_AGO).id(), Stored.CRAWL, "404", LONG_AGO.plusSeconds(4));
    put("d", "1", LONG_AGO.plusSeconds(5));
    assertThat(export(command)).isEqualTo(Fairfleet.DONE);
    assertThat(changes(Path.of(out))).containsExactly("b changed", "a removed", "d added");

    put("a", "1", LONG_AGO.plusSeconds(6));
    assertThat(export(command)).isEqualTo(Fairfleet.DONE);
    assertThat(changes(Path.of(out))).containsExactly("a returned");

    assertThat(export(command)).isEqualTo(Fairfleet.DONE);
    assertThat(Path.of(out)).isEmptyFile();
  }

  @Test
  void export_ofCsv_hasTheColumnsOfTheSitesRules() throws IOException {
    Path out = folder.resolve("books.csv");
    put("a", "1", LONG_AGO);
    assertThat(export("--format", "csv", "--out", out.toString())).isEqualTo(Fairfleet.DONE);
    assertThat(Files.readAllLines(out))
        .hasSize(2)
        .first()
        .asString()
        .endsWith(",returnedAt,fields.price,fields.title,otherFields");
  }

  @Test
  void export_scan_findsWhatTheIndexDoesNotKnow() throws IOException {
    Path out = folder.resolve("books.jsonl");
    CrawlRecord old = put("old", "1", LONG_AGO);
    client.updateItem(
        r ->
            r.tableName(prefix.records())
                .key(Map.of("recordId", AttributeValue.fromS(old.id().value())))
                .updateExpression("REMOVE feed, feedOrder"));
    put("new", "1", LONG_AGO);

    assertThat(export("--changes", "--out", out.toString())).isEqualTo(Fairfleet.DONE);
    assertThat(changes(out)).containsExactly("new added");
    assertThat(export("--changes", "--out", out.toString(), "--scan")).isEqualTo(Fairfleet.DONE);
    assertThat(changes(out)).containsExactlyInAnyOrder("new added", "old added");
  }

  @Test
  void export_toStandardOutput_writesLinesOnly() throws IOException {
    put("a", "1", LONG_AGO);
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(out, true, UTF_8)) {
      System.setOut(stream);
      assertThat(export("--since", "2026-01-01", "--json")).isEqualTo(Fairfleet.DONE);
    } finally {
      System.setOut(before);
    }
    assertThat(out.toString(UTF_8).lines()).hasSize(1);
    assertThat(JSON.readTree(out.toString(UTF_8)).get("key").asText()).isEqualTo("a");
  }

  @Test
  void export_unknownSite_isMisuseAndLeavesTheFileThatWasThere() throws IOException {
    Path out = Files.writeString(folder.resolve("x.jsonl"), "before");
    assertThat(export("--site", "shop", "--out", out.toString())).isEqualTo(Fairfleet.MISUSE);
    assertThat(out).hasContent("before");
  }
}
