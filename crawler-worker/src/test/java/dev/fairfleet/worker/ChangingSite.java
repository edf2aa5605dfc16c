package dev.fairfleet.worker;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.record.StoredRecord;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.CrawlMode;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LinkPolicy;
import dev.fairfleet.site.RecrawlPolicy;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SitemapPolicy;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.IgnoredParameters;
import dev.fairfleet.url.UrlPattern;
import dev.fairfleet.worker.fetch.Body;
import dev.fairfleet.worker.fetch.ContentType;
import dev.fairfleet.worker.fetch.FailureKind;
import dev.fairfleet.worker.fetch.FetchOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A site that a test changes between crawls, and the crawls over it. Its server honours ETags: that
 * of a page is its text.
 */
final class ChangingSite {
  private static final Duration BETWEEN = Duration.ofDays(1);
  private static final Duration MILLI = Duration.ofMillis(1);

  /** What the server has: a page or a sitemap by path; everything else is 404. */
  final Map<String, String> pages = new ConcurrentHashMap<>();

  /** Paths whose answer is 500. */
  final Set<String> broken = ConcurrentHashMap.newKeySet();

  /** Paths whose answer is 403. */
  final Set<String> forbidden = ConcurrentHashMap.newKeySet();

  /** Paths that redirect to others. */
  final Map<String, String> moved = new ConcurrentHashMap<>();

  String exclude = "";
  SitemapPolicy sitemaps = new SitemapPolicy(false, List.of());
  ExtractionRules rules = ExtractionRules.DEFAULT;
  int maxPages = SiteLimits.UNLIMITED;

  private final TestFleet fleet;
  private final List<String> requests = new ArrayList<>();
  private int crawls;

  ChangingSite(TestFleet fleet) {
    this.fleet = fleet;
    fleet.web = this::answer;
  }

  private FetchOutcome answer(CrawlUrl url, Validators validators) {
    String path = url.pathAndQuery();
    synchronized (requests) {
      requests.add(path + (validators.etag().isEmpty() ? "" : " if changed"));
    }
    if (broken.contains(path)) {
      return new FetchOutcome.Failed(500, FailureKind.STATUS, "status 500", MILLI);
    }
    if (forbidden.contains(path)) {
      return new FetchOutcome.Refused(403, "status 403", MILLI);
    }
    if (moved.containsKey(path)) {
      return new FetchOutcome.Redirected(
          301, CrawlUrl.of("http://a.test" + moved.get(path)), MILLI);
    }
    String text = pages.get(path);
    if (text == null) {
      return new FetchOutcome.Gone(404, MILLI);
    }
    if (validators.etag().equals(text)) {
      return new FetchOutcome.NotModified(validators, MILLI);
    }
    return new FetchOutcome.Fetched(
        200,
        url,
        new Body(text.getBytes(StandardCharsets.UTF_8)),
        ContentType.parse(path.endsWith(".xml") ? "application/xml" : "text/html; charset=utf-8"),
        new Validators(text, ""),
        false,
        MILLI);
  }

  /** Returns what was asked for since the last crawl began, in order. */
  List<String> requests() {
    synchronized (requests) {
      return List.copyOf(requests);
    }
  }

  Site site() {
    return new Site(
        TestFleet.SITE,
        List.of(TestFleet.ROOT),
        new Scope(
            Set.of(TestFleet.ROOT.hostKey()),
            false,
            List.of(),
            Stream.of(exclude).filter(it -> !it.isEmpty()).map(UrlPattern::new).toList(),
            IgnoredParameters.DEFAULT),
        new SiteLimits(3_600, Duration.ZERO, 10, maxPages),
        rules,
        LinkPolicy.DEFAULT,
        sitemaps,
        RecrawlPolicy.DEFAULT);
  }

  static CrawlId crawl(int number) {
    return CrawlId.scheduledFor(
        Instant.parse("2026-11-01T00:00:00Z").plus(BETWEEN.multipliedBy(number)));
  }

  /** Begins the next crawl, as the seed function would. */
  CrawlId begin(CrawlMode mode) {
    CrawlId crawl = crawl(crawls++);
    synchronized (requests) {
      requests.clear();
    }
    fleet.sites.put(site());
    fleet.sites.startCrawl(
        TestFleet.SITE, crawl, mode, fleet.clock.instant(), Duration.ofMinutes(1));
    List<Task> roots =
        fleet.frontier.claim(
            Discovery.ofLinks(TestFleet.SITE, crawl, TestFleet.ROOT, CrawlDepth.ROOT),
            List.of(TestFleet.ROOT));
    fleet.send(Priority.HIGH, roots.toArray(Task[]::new));
    fleet.sites.crawlStarted(TestFleet.SITE, crawl);
    return crawl;
  }

  /** Crawls the site to the end. */
  CrawlEnd crawl(CrawlMode mode) {
    CrawlId crawl = begin(mode);
    return awaitEnd(crawl);
  }

  CrawlEnd awaitEnd(CrawlId crawl) {
    Awaitility.await("end of crawl " + crawl)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              fleet.ahead = fleet.ahead.plus(Duration.ofSeconds(61));
              fleet.sweep();
              return end(crawl).isPresent();
            });
    return end(crawl).orElseThrow();
  }

  Optional<CrawlEnd> end(CrawlId crawl) {
    return fleet
        .sites
        .find(TestFleet.SITE)
        .flatMap((SiteStatus status) -> status.runOf(crawl))
        .flatMap(CrawlRun::end);
  }

  Page page(String path) {
    return fleet.page("http://a.test" + path);
  }

  /** Returns the titles of the records without, or with a tombstone. */
  List<String> titles(boolean deleted) {
    List<String> titles = new ArrayList<>();
    fleet.records.forEach(
        TestFleet.SITE,
        it -> {
          if (it.tombstone().isPresent() == deleted) {
            titles.add(it.record().fields().getOrDefault("title", ""));
          }
        });
    return titles.stream().sorted().toList();
  }

  StoredRecord record(String title) {
    List<StoredRecord> found = new ArrayList<>();
    fleet.records.forEach(
        TestFleet.SITE,
        it -> {
          if (title.equals(it.record().fields().get("title"))) {
            found.add(it);
          }
        });
    return found.getFirst();
  }
}
