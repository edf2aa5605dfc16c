package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.local.CrawlWatch;
import dev.fairfleet.local.DataDir;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.WorkerProcess;
import dev.fairfleet.local.web.FakeSite;
import dev.fairfleet.local.web.Shop;
import dev.fairfleet.local.web.TreeSite;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebPlan;
import dev.fairfleet.local.web.WebServer;
import dev.fairfleet.local.web.ugly.Expectation;
import dev.fairfleet.local.web.ugly.UglySite;
import dev.fairfleet.local.web.ugly.UglyWeb;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.sqs.Queues;
import dev.fairfleet.sqs.SqsClients;
import dev.fairfleet.url.CrawlUrl;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * One fleet on the embedded services with one worker process, and what can happen to its crawls;
 * every test has sites of its own.
 */
@Timeout(300)
final class LocalFleetIT {
  private static final int SLOTS = 8;
  private static final SiteLimits UNLIMITED =
      new SiteLimits(1_000_000_000, Duration.ZERO, 100, SiteLimits.UNLIMITED);
  private static final Shop SHOP = Shop.of(5, 4, 10);
  private static final List<String> TROUBLES =
      List.of(
          "deep-nesting",
          "endless-audio",
          "gone",
          "gzip-mislabelled",
          "headers-huge",
          "redirect-loop",
          "reset",
          "robots-bomb",
          "silent",
          "slow-body",
          "unclosed-comment");
  private static final List<UglySite> UGLY =
      UglyWeb.hosts().stream()
          .filter(host -> TROUBLES.contains(host.name()))
          .map(host -> host.serve(InstantSource.system()))
          .toList();
  private static final UglySite SILENT =
      UGLY.stream().filter(it -> it.host().startsWith("silent")).findFirst().orElseThrow();
  private static final List<TreeSite> TREES =
      new WebPlan(11, List.of(60, 60, 60, 150, 200), WebPlan.FAN_OUT, 4_000).sites();

  private static DataDir dir;
  private static WebServer web;
  private static LocalFleet fleet;
  private static SqsClient sqs;
  private static Queues queues;

  @BeforeAll
  static void startFleet(@TempDir Path folder) {
    List<FakeSite> sites = new ArrayList<>(TREES);
    sites.add(SHOP);
    sites.addAll(UGLY);
    web = WebServer.start(sites, WebOptions.defaults().withLatency(Duration.ofMillis(10)));
    dir = DataDir.open(folder);
    fleet =
        LocalFleet.start(
            dir,
            Map.ofEntries(
                Map.entry("FAIRFLEET_FETCH_ALLOWLOOPBACK", "true"),
                Map.entry("FAIRFLEET_FETCH_IDLETIMEOUT", "3s"),
                Map.entry("FAIRFLEET_FETCH_DEADLINE", "5s"),
                Map.entry("FAIRFLEET_RETRY_MAXATTEMPTS", "3"),
                Map.entry("FAIRFLEET_RETRY_BASE", "1s"),
                Map.entry("FAIRFLEET_RETRY_CAP", "1s"),
                Map.entry("FAIRFLEET_WORKER_SLOTS", Integer.toString(SLOTS)),
                Map.entry("FAIRFLEET_WORKER_PERSERVER", Integer.toString(SLOTS)),
                Map.entry("FAIRFLEET_WORKER_GRACE", "500ms"),
                Map.entry("FAIRFLEET_SCHEDULING_DELAYSCALE", "0"),
                Map.entry("FAIRFLEET_SCHEDULING_PARKSHORTEST", "1s"),
                Map.entry("FAIRFLEET_SCHEDULING_PARKLONGEST", "1s"),
                Map.entry("FAIRFLEET_LEASE_VISIBILITY", "8s")));
    sqs = SqsClients.local(fleet.sqsEndpoint(), List.of());
    queues = Queues.find(sqs, "fairfleet-");
  }

  @AfterAll
  static void stopFleet() {
    sqs.close();
    fleet.close();
    web.close();
    dir.close();
  }

  private static List<WorkerProcess> alive() {
    return fleet.workers().stream().filter(worker -> worker.process().isAlive()).toList();
  }

  @BeforeEach
  void startWorker() throws InterruptedException {
    if (alive().isEmpty()) {
      fleet.startWorker();
    }
    for (WorkerProcess worker : alive()) {
      worker.awaitReady();
    }
  }

  private static Map<FakeSite, SiteId> seed(FakeSite... sites) {
    Map<FakeSite, SiteId> ids = FakeWebSites.add(fleet.sites(), web, List.of(sites), UNLIMITED);
    fleet.seed(Instant.now(), ids.values());
    return ids;
  }

  private static CrawlWatch watch(Collection<SiteId> ids, boolean restartWorkers) {
    return new CrawlWatch(
        fleet, new LinkedHashSet<>(ids), ids.size(), restartWorkers, snapshot -> {});
  }

  private static void assertWhole(Map<FakeSite, SiteId> ids) {
    ids.forEach((site, id) -> assertThat(Verdict.of(fleet, id, site).faults()).isEmpty());
  }

  private static void awaitPages(FakeSite site, int pages) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(Duration.ofSeconds(60))
        .until(() -> web.log().pages(site.host()) >= pages);
  }

  @Test
  void crawl_treeAndShop_everyPageAndRecordIsRightAndNothingAskedTwice() throws Exception {
    Map<FakeSite, SiteId> ids = seed(TREES.get(0), SHOP);
    watch(ids.values(), false).awaitEnd();

    assertWhole(ids);
    assertThat(web.log().repeats(SHOP.host())).isEmpty();
    assertThat(web.log().repeats(TREES.get(0).host())).isEmpty();
    assertThat(web.log().pages(SHOP.host())).isEqualTo(44);
  }

  @Test
  void crawl_uglyHosts_eachEndsAsItShouldAndAHealthySiteIsUnharmed() throws Exception {
    Map<FakeSite, SiteId> healthy =
        FakeWebSites.add(fleet.sites(), web, List.of(TREES.get(1)), UNLIMITED);
    Map<SiteId, UglySite> ugly = UglyDemo.add(fleet, web.port(), UGLY);
    Set<SiteId> all = new LinkedHashSet<>(ugly.keySet());
    all.addAll(healthy.values());
    fleet.seed(Instant.now(), all);
    watch(all, false).awaitEnd();

    assertThat(ugly).hasSize(TROUBLES.size());
    ugly.forEach(
        (id, site) ->
            assertThat(UglyDemo.row(fleet, web, id, site).checks())
                .as(id.value())
                // The number of requests depends on the number of attempts, which is another here.
                .filteredOn(check -> check.expectation() instanceof Expectation.Ends)
                .isNotEmpty()
                .allMatch(UglyReport.Check::ok));
    assertWhole(healthy);
  }

  /** Field report P89, with real processes. */
  @Test
  void crawl_unreadableMessagesBetween_endAsDeadLettersWithReasons() throws Exception {
    Map<String, String> poison =
        Map.of(
            "not JSON at all",
            "not JSON",
            "{\"v\":99}",
            "version 99",
            "{\"v\":1,\"site\":\"a\",\"crawl\":\"20261130T120000.000Z\",\"depth\":0,\"generation\":0}",
            "url",
            "x".repeat(20_000),
            "20000 characters");
    poison
        .keySet()
        .forEach(body -> sqs.sendMessage(r -> r.queueUrl(queues.high().queue()).messageBody(body)));
    Map<FakeSite, SiteId> ids = seed(TREES.get(2));
    watch(ids.values(), false).awaitEnd();
    assertWhole(ids);

    Map<String, String> reasons = new HashMap<>();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              for (Message message :
                  sqs.receiveMessage(
                          r ->
                              r.queueUrl(queues.high().deadLetters())
                                  .maxNumberOfMessages(10)
                                  .waitTimeSeconds(0)
                                  .messageAttributeNames("reason"))
                      .messages()) {
                message
                    .messageAttributes()
                    .forEach((name, value) -> reasons.put(message.body(), value.stringValue()));
              }
              return reasons.size() >= poison.size();
            });
    assertThat(reasons.keySet()).isEqualTo(poison.keySet());
    poison.forEach((body, reason) -> assertThat(reasons.get(body)).contains(reason));
  }

  @Test
  void crawl_workerIsKilled_isStartedAgainAndLosesNothing() throws Exception {
    Map<FakeSite, SiteId> ids = seed(TREES.get(3));
    awaitPages(TREES.get(3), 20);
    alive().getFirst().kill();
    watch(ids.values(), true).awaitEnd();

    assertWhole(ids);
    assertThat(alive()).isNotEmpty();
    assertThat(web.log().repeats(TREES.get(3).host()).values().stream().mapToInt(n -> n).sum())
        .as("repeated requests, at most one for each page in hand")
        .isLessThanOrEqualTo(SLOTS);
  }

  @Test
  void crawl_queuesLoseEverything_isCompletedFromTheFrontier() throws Exception {
    Map<FakeSite, SiteId> ids = seed(TREES.get(4));
    awaitPages(TREES.get(4), 10);
    sqs.purgeQueue(r -> r.queueUrl(queues.high().queue()));
    sqs.purgeQueue(r -> r.queueUrl(queues.low().queue()));
    watch(ids.values(), false).awaitEnd();

    assertWhole(ids);
  }

  /** Field report P105. */
  @Test
  void stop_workerWithASlowPage_exitsWith143AndTheTaskIsVisibleAgain() throws Exception {
    fleet.stopWorkers();
    WorkerProcess worker = fleet.startWorker();
    worker.awaitReady();
    SiteId slow = new SiteId("slow");
    CrawlUrl root = CrawlUrl.of(web.url(SILENT, "/").toString());
    fleet
        .sites()
        .put(
            new Site(
                slow,
                List.of(root),
                new Scope(Set.of(root.hostKey())),
                UNLIMITED,
                ExtractionRules.DEFAULT));
    int before = web.log().requests(SILENT.host(), "/");
    fleet.seed(Instant.now(), List.of(slow));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> web.log().requests(SILENT.host(), "/") > before);
    worker.stop(Duration.ofSeconds(30));

    assertThat(worker.process().exitValue()).hasValue(143);
    // The lease lasts 8 s from the receive: the task did not come back by its end.
    await()
        .atMost(Duration.ofSeconds(3))
        .until(() -> fleet.queue().depth().equals(new QueueDepth(1, 0, 0)));
    assertThat(fleet.unfinished(slow))
        .singleElement()
        .satisfies(page -> assertThat(page.state()).isEqualTo(PageState.QUEUED))
        .extracting(Page::attempts)
        .isEqualTo(0);
    sqs.purgeQueue(r -> r.queueUrl(queues.high().queue()));
  }
}
