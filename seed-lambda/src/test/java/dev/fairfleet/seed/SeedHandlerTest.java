package dev.fairfleet.seed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemorySiteStore;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SeedHandlerTest {
  private static final String NOON = "2026-11-30T12:00:00Z";
  private static final Map<String, Object> EVENT = Map.of("scheduledTime", NOON);

  private final InstantSource clock = InstantSource.fixed(Instant.parse(NOON));
  private final InMemorySiteStore sites = new InMemorySiteStore();
  private final InMemoryTaskQueue queue =
      new InMemoryTaskQueue(clock, new LeasePolicy(Duration.ofMinutes(5), 50));
  private final SeedHandler handler = new SeedHandler(sites, new InMemoryFrontier(), queue, clock);

  @BeforeEach
  void addSite() {
    CrawlUrl root = CrawlUrl.of("https://a.test/");
    sites.put(
        new Site(
            new SiteId("a"),
            List.of(root),
            new Scope(Set.of(root.hostKey())),
            SiteLimits.POLITE,
            ExtractionRules.DEFAULT));
  }

  @Test
  void handleRequest_event_startsTheCrawlAndAnswersWithCounts() {
    assertThat(handler.handleRequest(EVENT, new Invocation(Duration.ofMinutes(1))))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("crawl", "20261130T120000.000Z", "started", 1, "skipped", 0, "postponed", 0));
    assertThat(queue.depth().visible()).isOne();
  }

  @Test
  void handleRequest_sitesMissing_failsSoThatLambdaInvokesAgain() {
    Map<String, Object> event = Map.of("scheduledTime", NOON, "sites", List.of("a", "b"));
    assertThatIllegalStateException()
        .isThrownBy(() -> handler.handleRequest(event, new Invocation(Duration.ofMinutes(1))))
        .withMessageContaining("1 sites failed {b=There is no such site}")
        .withMessageContaining("1 were started");
  }

  @Test
  void handleRequest_onlyTheReserveLeft_startsNothingAndFails() {
    assertThatIllegalStateException()
        .isThrownBy(() -> handler.handleRequest(EVENT, new Invocation(SeedHandler.RESERVE)))
        .withMessageContaining("1 were left");
    assertThat(queue.depth().total()).isZero();
  }

  @Test
  void handleRequest_noPayload_saysThatATimeIsMissing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> handler.handleRequest(null, new Invocation(Duration.ofMinutes(1))))
        .withMessageContaining("tells no scheduled time");
  }
}
