package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.sqs.Queues;
import dev.fairfleet.sqs.SqsClients;
import dev.fairfleet.url.CrawlUrl;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The commands of the person on call, beside a local fleet and on what it left; no worker runs. */
@Timeout(120)
final class OperationsIT {
  private static final CrawlUrl ROOT = CrawlUrl.of("http://localhost:9/");
  private static final Site SITE =
      new Site(
          new SiteId("shop"),
          List.of(ROOT),
          new Scope(Set.of(ROOT.hostKey())),
          SiteLimits.POLITE,
          ExtractionRules.DEFAULT);
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder = Path.of("");

  private record Outcome(int code, String out, String err) {}

  private Outcome run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--data-dir", folder.toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Fairfleet.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    return new Outcome(code, out.toString(), err.toString());
  }

  private static void bury(LocalFleet fleet, String body) {
    try (SqsClient sqs = SqsClients.local(fleet.sqsEndpoint(), List.of())) {
      String url = Queues.find(sqs, "fairfleet-").low().deadLetters();
      sqs.sendMessage(request -> request.queueUrl(url).messageBody(body));
    }
  }

  @Test
  void commands_fleetThatRuns_attachToIt() throws Exception {
    try (DataDir dir = DataDir.open(folder);
        LocalFleet fleet = LocalFleet.start(dir, Map.of())) {
      fleet.sites().put(SITE);

      assertThat(run("requeue", "--site", "shop").code()).isEqualTo(2);
      assertThat(run("seed", "--dry-run").out()).contains("shop", "1 would be started");
      Outcome seeded = run("seed", "--json");
      assertThat(JSON.readTree(seeded.out()).get("started").intValue()).isEqualTo(1);
      assertThat(fleet.queue().depth().total()).isEqualTo(1);

      Outcome status = run("status", "--json");
      assertThat(status.code()).isZero();
      assertThat(JSON.readTree(status.out()).at("/queues/visible").intValue()).isEqualTo(1);
      assertThat(JSON.readTree(status.out()).at("/crawls/0/site").textValue()).isEqualTo("shop");
      assertThat(run("status", "--site", "shop").out()).containsPattern("QUEUED +1\n");

      Outcome pages = run("pages", "--site", "shop", "--state", "queued,failed", "--json");
      assertThat(JSON.readTree(pages.out()).get("url").textValue()).isEqualTo(ROOT.toString());
      assertThat(run("pages", "--site", "shop", "--state", "failed", "--json").out()).isEmpty();

      assertThat(run("requeue", "--site", "shop", "--dry-run").out())
          .containsPattern("shop .* 1\n");
      assertThat(fleet.queue().depth().total()).isEqualTo(1);
      assertThat(run("requeue", "--site", "shop").code()).isZero();
      assertThat(fleet.queue().depth().total()).isEqualTo(2);
      assertThat(fleet.unfinished(SITE.id()))
          .singleElement()
          .satisfies(page -> assertThat(page.generation()).isEqualTo(1));
    }
  }

  @Test
  void dlq_fleetThatRuns_listsAndDropsOnlyWhenTold() throws Exception {
    try (DataDir dir = DataDir.open(folder);
        LocalFleet fleet = LocalFleet.start(dir, Map.of())) {
      bury(fleet, "poison");

      Outcome list = run("dlq", "list", "--json");
      String id = JSON.readTree(list.out()).at("/0/id").textValue();
      assertThat(run("dlq", "show", id).out()).contains("poison", "readable  no");
      assertThat(run("dlq", "drop", "--all").code()).isEqualTo(2);
      assertThat(run("dlq", "drop", "--all", "--dry-run").code()).isZero();
      assertThat(run("dlq", "redrive", id).code()).isEqualTo(1);
      assertThat(run("dlq", "list").out()).contains(id);

      assertThat(run("dlq", "drop", id, "--yes").out()).contains("1 dropped");
      assertThat(run("dlq", "list").out()).contains("There are no dead letters.");
      Outcome again = run("dlq", "drop", id, "--yes");
      assertThat(again.code()).isEqualTo(2);
      assertThat(again.err()).contains(id);
    }
  }

  @Test
  void commands_fleetAtRest_readItsTablesAndSayThatItHasNoQueues() throws Exception {
    try (DataDir dir = DataDir.open(folder);
        LocalFleet fleet = LocalFleet.start(dir, Map.of())) {
      fleet.sites().put(SITE);
      fleet.seed(Instant.now(), List.of(SITE.id()));
    }

    Outcome status = run("status", "--json");
    assertThat(JSON.readTree(status.out()).at("/queues/runs").booleanValue()).isFalse();
    assertThat(JSON.readTree(status.out()).get("goingOn").intValue()).isEqualTo(1);
    assertThat(run("pages", "--site", "shop").out())
        .contains(ROOT.toString(), PageState.QUEUED.toString());
    Outcome requeue = run("requeue", "--site", "shop");
    assertThat(requeue.code()).isEqualTo(1);
    assertThat(requeue.err()).contains("No fleet runs on", "fairfleet run").doesNotContain("\tat ");
    assertThat(run("pages", "--site", "unknown").code()).isEqualTo(2);
  }
}
