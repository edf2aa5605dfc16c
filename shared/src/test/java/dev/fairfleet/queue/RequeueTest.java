package dev.fairfleet.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.TaskKind;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequeueTest {
  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  private static final CrawlId BEFORE = CrawlId.scheduledFor(NOW.minus(Duration.ofDays(1)));
  private static final CrawlId CRAWL = CrawlId.scheduledFor(NOW);
  private static final CrawlUrl ROOT = url("/");
  private static final Site SITE =
      new Site(
          new SiteId("shop"),
          List.of(ROOT),
          new Scope(Set.of(ROOT.hostKey())),
          SiteLimits.POLITE,
          ExtractionRules.DEFAULT);

  private final InMemorySiteStore sites = new InMemorySiteStore();
  private final InMemoryFrontier frontier = new InMemoryFrontier();
  private final InMemoryTaskQueue queue =
      new InMemoryTaskQueue(() -> NOW, new LeasePolicy(Duration.ofMinutes(1), 1_000));
  private final Requeue requeue = new Requeue(sites, frontier, queue);

  RequeueTest() {
    sites.put(SITE);
    sites.startCrawl(SITE.id(), BEFORE, CrawlMode.FULL, NOW, Duration.ofMinutes(1));
    sites.startCrawl(SITE.id(), CRAWL, CrawlMode.FULL, NOW, Duration.ofMinutes(1));
  }

  private static CrawlUrl url(String path) {
    return CrawlUrl.parse("https://shop.example" + path).orElseThrow();
  }

  private static List<CrawlUrl> pages(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> url("/" + name + i)).toList();
  }

  private List<Task> queued(CrawlId crawl, List<CrawlUrl> urls) {
    return frontier.claim(Discovery.ofLinks(SITE.id(), crawl, ROOT, CrawlDepth.ROOT), urls);
  }

  private void shelved(List<CrawlUrl> urls) {
    frontier.claim(Discovery.ofLinks(SITE.id(), CRAWL, ROOT, CrawlDepth.ROOT), urls, Set.of());
  }

  private List<Task> sent() {
    List<Task> sent = new ArrayList<>();
    for (Priority priority : Priority.values()) {
      Stream.generate(() -> queue.receive(priority, TaskQueue.MAX_BATCH, Duration.ZERO))
          .takeWhile(received -> !received.deliveries().isEmpty())
          .forEach(received -> received.deliveries().forEach(each -> sent.add(each.task())));
    }
    return sent;
  }

  @Test
  void unfinished_queuedPages_areAllSentAndTheShelfIsLeft() {
    List<CrawlUrl> pages = pages("queued", 250);
    queued(CRAWL, pages);
    shelved(pages("shelved", 30));

    assertThat(requeue.unfinished(SITE.id(), CRAWL)).isEqualTo(250);

    assertThat(sent())
        .hasSize(250)
        .allMatch(task -> task.generation() == 1)
        .extracting(Task::url)
        .containsExactlyInAnyOrderElementsOf(pages);
  }

  @Test
  void unfinished_shelvedPagesAlone_drawOutAFew() {
    shelved(pages("shelved", 30));

    assertThat(requeue.unfinished(SITE.id(), CRAWL)).isEqualTo(10);

    assertThat(sent()).hasSize(10).allMatch(task -> task.url().toString().contains("shelved"));
  }

  @Test
  void unfinished_settledPagesAndThoseOfEarlierCrawls_areLeft() {
    queued(BEFORE, pages("old", 3));
    Task done = queued(CRAWL, pages("done", 1)).getFirst();
    frontier.settle(done, Settlement.skipped("too deep"), new AttemptToken("attempt"), NOW);
    queued(CRAWL, pages("open", 1));

    assertThat(requeue.unfinished(SITE.id(), CRAWL)).isEqualTo(1);

    assertThat(sent()).extracting(Task::url).containsExactly(url("/open0"));
  }

  @Test
  void unfinished_nothingLeftOfACrawlThatGoesOn_hasItsEndLookedFor() {
    queued(BEFORE, pages("old", 3));

    assertThat(requeue.unfinished(SITE.id(), CRAWL)).isEqualTo(1);

    assertThat(sent())
        .singleElement()
        .satisfies(
            task -> {
              assertThat(task.kind()).isEqualTo(TaskKind.END);
              assertThat(task.crawl()).isEqualTo(CRAWL);
            });
  }

  @Test
  void unfinished_crawlThatIsNotTheNewest_sendsNothing() {
    assertThat(requeue.unfinished(SITE.id(), BEFORE)).isZero();
    assertThat(requeue.unfinished(new SiteId("unknown"), CRAWL)).isZero();
    assertThat(sent()).isEmpty();
  }
}
