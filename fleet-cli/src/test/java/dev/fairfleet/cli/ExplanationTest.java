package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Fetch;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Remembered;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final CrawlId CRAWL = CrawlId.scheduledFor(NOW);
  private static final CrawlUrl ROOT = CrawlUrl.of("http://a.test/");
  private static final CrawlUrl PAGE = CrawlUrl.of("http://a.test/p");
  private static final CrawlUrl TARGET = CrawlUrl.of("http://a.test/t");
  private static final CrawlDepth ONE = new CrawlDepth(1);
  private static final Site SITE =
      new Site(
          new SiteId("books"),
          List.of(ROOT),
          new Scope(Set.of(ROOT.hostKey())),
          SiteLimits.POLITE,
          ExtractionRules.DEFAULT);

  private final InMemoryFrontier frontier = new InMemoryFrontier();

  private Explanation of(CrawlUrl url) {
    return Explanation.of(frontier, SITE, url, NOW);
  }

  private Task claim(CrawlUrl parent, CrawlDepth depth, CrawlUrl url) {
    return frontier
        .claim(Discovery.ofLinks(SITE.id(), CRAWL, parent, depth), List.of(url))
        .getFirst();
  }

  @Test
  void of_donePage_tellsEverythingThatIsKnownOfIt() {
    claim(ROOT, CrawlDepth.ROOT, ROOT);
    Task task = claim(ROOT, ONE, PAGE);
    frontier.countFailure(task, "status 500", new AttemptToken("1"), NOW);
    frontier.settle(
        task,
        new Settlement(
            PageState.DONE,
            "meta robots: nofollow",
            Optional.of(
                new Remembered(
                    new Validators("\"v1\"", ""),
                    "c0ffee",
                    "",
                    "",
                    Optional.of(new RecordId("5eed")),
                    Set.of())),
            Optional.of(new Fetch(200, 12_345, NOW, Duration.ofMillis(678)))),
        new AttemptToken("2"),
        NOW.plusSeconds(1));

    assertThat(of(PAGE).facts())
        .containsEntry("state", "DONE")
        .containsEntry("reason", "meta robots: nofollow")
        .containsEntry("found", "link on http://a.test/")
        .containsEntry("depth", "1")
        .containsEntry("failed attempts", "1")
        .containsEntry("last fetched", "2026-11-30T12:00:00Z")
        .containsEntry("status", "200")
        .containsEntry("bytes", "12,345")
        .containsEntry("took", "678 ms")
        .containsEntry("settled", "2026-11-30T12:00:01Z")
        .containsEntry("content hash", "c0ffee")
        .containsEntry("record", "5eed")
        .containsEntry("ETag", "\"v1\"")
        .containsEntry("URL hash", PAGE.hash().value())
        .doesNotContainKeys("hops", "Last-Modified", "hash of its links");
  }

  @Test
  void text_redirectTarget_showsTheWayFromTheRoot() {
    claim(ROOT, CrawlDepth.ROOT, ROOT);
    claim(ROOT, ONE, PAGE);
    frontier.claim(
        new Discovery(SITE.id(), CRAWL, PAGE, ONE, PageKind.PAGE, 1, Discovery.Again.ALL, Map.of()),
        List.of(TARGET));

    assertThat(of(TARGET).text())
        .contains("redirect from http://a.test/p")
        .endsWith(
            """
            The way to it:
              0  QUEUED  http://a.test/
              1  QUEUED  http://a.test/p
              1  QUEUED  http://a.test/t
            """);
  }

  @Test
  void of_sitemapEntry_namesTheSitemapAndWhatItSays() {
    CrawlUrl index = CrawlUrl.of("http://a.test/index.xml");
    CrawlUrl sitemap = CrawlUrl.of("http://a.test/1.xml");
    claim(ROOT, CrawlDepth.ROOT, ROOT);
    frontier.claim(
        new Discovery(
            SITE.id(), CRAWL, ROOT, ONE, PageKind.SITEMAP, 0, Discovery.Again.ALL, Map.of()),
        List.of(index));
    frontier.claim(
        new Discovery(
            SITE.id(), CRAWL, index, ONE, PageKind.SITEMAP, 1, Discovery.Again.ALL, Map.of()),
        List.of(sitemap));
    frontier.claim(
        new Discovery(
            SITE.id(),
            CRAWL,
            sitemap,
            ONE.next(),
            PageKind.PAGE,
            0,
            Discovery.Again.ALL,
            Map.of(PAGE, NOW)),
        List.of(PAGE));

    assertThat(of(index).facts()).containsEntry("found", "sitemap of http://a.test/");
    assertThat(of(sitemap).facts())
        .containsEntry("found", "sitemap in the index http://a.test/index.xml");
    assertThat(of(PAGE).facts())
        .containsEntry("found", "listed in http://a.test/1.xml")
        .containsEntry("changed, says the sitemap", "2026-11-30T12:00:00Z");
  }

  @Test
  void of_unknownUrl_saysSoAndWhichRuleWouldRefuseIt() {
    assertThat(of(PAGE).isKnown()).isFalse();
    assertThat(of(PAGE).facts()).doesNotContainKey("would be refused");
    assertThat(of(CrawlUrl.of("http://b.test/")).facts().get("would be refused"))
        .startsWith("host: b.test:80");
  }

  @Test
  void of_urlWithASessionId_isThatOfThePageWithoutIt() {
    claim(ROOT, ONE, PAGE);
    assertThat(of(CrawlUrl.of("http://a.test/p?utm_source=mail#top")).isKnown()).isTrue();
  }

  @Test
  void json_knownPage_holdsTheFactsAndTheWay() {
    claim(ROOT, CrawlDepth.ROOT, ROOT);
    claim(ROOT, ONE, PAGE);
    assertThat(of(PAGE).json().get("known").booleanValue()).isTrue();
    assertThat(of(PAGE).json().get("state").textValue()).isEqualTo("QUEUED");
    assertThat(of(PAGE).json().get("way")).hasSize(2);
  }
}
