package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.fairfleet.dynamodb.DynamoDbClients;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The life of sites, from their file to their removal, beside a local fleet without workers. */
@Timeout(120)
final class SitesCommandIT {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final SiteId BOOKS = new SiteId("books");
  private static final SiteId SHOP = new SiteId("shop");
  private static final Map<String, AttributeValue> KEY =
      Map.of("siteId", AttributeValue.fromS("books"));
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder = Path.of("");

  private record Outcome(int code, String out, String err) {}

  private Outcome run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("sites"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--data-dir", folder.resolve("fleet").toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Fairfleet.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    return new Outcome(code, out.toString(), err.toString());
  }

  private JsonNode json(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    return JSON.readTree(run(all.toArray(String[]::new)).out());
  }

  @Test
  void sites_fromImportToRemoval_sayAndDoWhatIsAsked() throws Exception {
    try (DataDir dir = DataDir.open(folder.resolve("fleet"));
        LocalFleet fleet = LocalFleet.start(dir, Map.of())) {
      importsGoodRows(fleet);
      addsAndLists(fleet);
      CrawlId crawl = fleet.seed(NOON, List.of(BOOKS, SHOP));
      changes(fleet, crawl);
      stopsAndResumes(fleet);
      removes(fleet, crawl);
    }
  }

  private void importsGoodRows(LocalFleet fleet) throws Exception {
    String file =
        Files.writeString(
                folder.resolve("sites.csv"),
                """
                id,root,maxPages
                books,http://localhost:9/books/,10
                nothing,,10
                shop,http://localhost:9/shop/,
                many,http://localhost:9/many/,lots
                """)
            .toString();

    Outcome refused = run("import", file);
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.out())
        .contains("line 3: it names no root", "line 5: maxPages is a whole number")
        .contains("2 good, 2 bad, 0 imported");
    assertThat(refused.err()).contains("--good-only");
    assertThat(fleet.sites().all()).isEmpty();

    assertThat(run("import", file, "--good-only", "--dry-run").out())
        .contains("2 would be imported");
    assertThat(fleet.sites().all()).isEmpty();
    Outcome imported = run("import", file, "--good-only");
    assertThat(imported.code()).isZero();
    assertThat(imported.out()).contains("line 3:", "line 5:", "2 good, 2 bad, 2 imported");
    assertThat(fleet.sites().all())
        .extracting(status -> status.site().id())
        .containsExactlyInAnyOrder(BOOKS, SHOP);
    assertThat(json("import", file).at("/bad/0/reason").textValue())
        .isEqualTo("site books exists already; --replace replaces what it is");
  }

  private void addsAndLists(LocalFleet fleet) throws Exception {
    assertThat(run("add", "http://a.test/", "http://b.test/", "--set", "id=same"))
        .satisfies(twice -> assertThat(twice.code()).isEqualTo(2))
        .satisfies(twice -> assertThat(twice.err()).contains("Two sites", "same"));
    assertThat(run("add", "http://a.test/", "--dry-run").out()).contains("would add a.test");
    assertThat(fleet.sites().all()).hasSize(2);
    assertThat(run("add", "http://a.test/", "--set", "every=12h").out()).contains("added a.test");
    assertThat(run("add", "http://a.test/").code()).isEqualTo(2);

    assertThat(run("list").out().lines().skip(1).filter(line -> line.contains("ACTIVE")))
        .extracting(line -> line.strip().split("\\s+", 2)[0])
        .containsExactly("a.test", "books", "shop");
    assertThat(run("list", "--state", "stopped", "--json").out()).isEmpty();
    JsonNode shown = json("show", "a.test");
    assertThat(shown.at("/site/recrawl/every").textValue()).isEqualTo("12h");
    assertThat(run("show", "unknown").code()).isEqualTo(2);
  }

  private void changes(LocalFleet fleet, CrawlId crawl) throws Exception {
    assertThat(run("set", "books", "maxPages=20", "--dry-run").out())
        .containsPattern("maxPages +10 +20");
    assertThat(fleet.sites().find(BOOKS).orElseThrow().site().limits().maxPages()).isEqualTo(10);
    Map<String, AttributeValue> item = withForeignAttribute();
    JsonNode set = json("set", "books", "maxPages=20", "root=http://localhost:9/new/");
    assertThat(set.at("/before/limits/maxPages").intValue()).isEqualTo(10);
    assertThat(set.at("/after/limits/maxPages").intValue()).isEqualTo(20);
    SiteStatus after = fleet.sites().find(BOOKS).orElseThrow();
    assertThat(after.site().roots()).containsExactly(CrawlUrl.of("http://localhost:9/new/"));
    assertThat(after.crawl()).contains(crawl);
    Map<String, AttributeValue> described = new HashMap<>(item);
    described.keySet().removeAll(Set.of("roots", "limits"));
    assertThat(described).containsKeys("ofAnotherHand", "crawl", "started");
    assertThat(item()).containsAllEntriesOf(described);

    Outcome wrong = run("set", "books", "maxPages=-1");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.err()).contains("Nothing was done");
    assertThat(run("set", "books", "pages=1").err()).contains("is no key of a site");
    assertThat(run("set", "books", "id=other").code()).isEqualTo(2);
    assertThat(fleet.sites().find(BOOKS)).contains(after);
  }

  private Map<String, AttributeValue> withForeignAttribute() throws IOException {
    try (DynamoDbClient client = client()) {
      client.updateItem(
          request ->
              request
                  .tableName("fairfleet-sites")
                  .key(KEY)
                  .updateExpression("SET ofAnotherHand = :value")
                  .expressionAttributeValues(Map.of(":value", AttributeValue.fromS("kept"))));
    }
    return item();
  }

  private Map<String, AttributeValue> item() throws IOException {
    try (DynamoDbClient client = client()) {
      return client
          .getItem(request -> request.tableName("fairfleet-sites").key(KEY).consistentRead(true))
          .item();
    }
  }

  private DynamoDbClient client() throws IOException {
    Properties endpoints = new Properties();
    try (Reader reader =
        Files.newBufferedReader(folder.resolve("fleet/run/endpoints.properties"))) {
      endpoints.load(reader);
    }
    URI endpoint = URI.create(endpoints.getProperty("dynamodb", ""));
    return DynamoDbClients.create(Optional.of(endpoint), 1, List.of());
  }

  private void stopsAndResumes(LocalFleet fleet) throws Exception {
    assertThat(run("stop", "books").code()).isEqualTo(2);
    assertThat(run("stop", "books", "unknown", "--reason", "x").code()).isEqualTo(2);
    assertThat(run("stop", "books", "--reason", "x", "--dry-run").out()).contains("would stop");
    assertThat(run("stop", "books", "--reason", "asked by the owner").out())
        .contains("stopped books");
    assertThat(run("stop", "books", "--reason", "other").out())
        .contains("books was stopped already: asked by the owner");
    assertThat(json("stop", "books", "--reason", "other").get("stopped").booleanValue()).isFalse();
    assertThat(fleet.sites().find(BOOKS).orElseThrow().reason()).isEqualTo("asked by the owner");
    assertThat(run("list", "--state", "STOPPED").out())
        .contains("books", "asked by the owner")
        .doesNotContain("shop");

    long before = fleet.queue().depth().total();
    assertThat(run("resume", "books", "--dry-run").out()).contains("would resume books");
    assertThat(run("resume", "books").out()).contains("resumed books, 1 tasks sent again");
    assertThat(fleet.queue().depth().total()).isEqualTo(before + 1);
    assertThat(run("resume", "books").out()).contains("books is active already");
  }

  private void removes(LocalFleet fleet, CrawlId crawl) {
    for (SiteId site : List.of(BOOKS, SHOP)) {
      CrawlUrl url = CrawlUrl.of("http://localhost:9/" + site.value());
      fleet
          .records()
          .put(CrawlRecord.of(site, crawl, "key", url, Map.of("a", "b"), Set.of()), NOON);
    }
    assertThat(run("remove", "books", "--yes").err()).contains("is active. Stop it first");
    run("stop", "books", "--reason", "goes");
    Outcome asked = run("remove", "books");
    assertThat(asked.code()).isEqualTo(2);
    assertThat(asked.err()).contains("add --yes", "Nothing was done");
    assertThat(run("remove", "books", "--dry-run").code()).isZero();
    assertThat(pages(fleet, BOOKS)).isEqualTo(1);
    assertThat(records(fleet, BOOKS)).hasSize(1);

    assertThat(run("remove", "books", "--yes").out()).isEqualToIgnoringNewLines("removed books");
    assertThat(fleet.sites().find(BOOKS)).isEmpty();
    assertThat(pages(fleet, BOOKS)).isZero();
    assertThat(records(fleet, BOOKS)).isEmpty();
    assertThat(fleet.sites().find(SHOP)).isPresent();
    assertThat(pages(fleet, SHOP)).isEqualTo(1);
    assertThat(records(fleet, SHOP)).hasSize(1);
    Outcome again = run("remove", "books", "--yes");
    assertThat(again.code()).isEqualTo(2);
    assertThat(again.err()).contains("This fleet has no site books");
  }

  private static int pages(LocalFleet fleet, SiteId site) {
    AtomicInteger pages = new AtomicInteger();
    fleet.frontier().forEachPage(site, page -> pages.incrementAndGet());
    return pages.get();
  }

  private static List<StoredRecord> records(LocalFleet fleet, SiteId site) {
    List<StoredRecord> records = new ArrayList<>();
    fleet.records().forEach(site, records::add);
    return records;
  }
}
