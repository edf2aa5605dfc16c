package dev.fairfleet.worker;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Fetch;
import dev.fairfleet.frontier.Outlinks;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Remembered;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.record.Hashes;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.FetchOutcome.NotModified;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.parse.PageParser;
import dev.fairfleet.worker.parse.ParsedPage;
import dev.fairfleet.worker.parse.Sitemap;
import dev.fairfleet.worker.parse.SitemapEntry;
import dev.fairfleet.worker.parse.SitemapReader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads what was fetched: what it leads to goes into the frontier, and its record into the store;
 * what is left to be written is how the page ends. Safe for use by many threads.
 */
final class Reading {
  /** Indexes above a sitemap; sitemaps.org allows one. */
  private static final int MOST_INDEXES = 3;

  // A page whose natural key changes with every crawl must not grow without end.
  private static final int MOST_LOST = 20;

  private final PageParser parser;
  private final SitemapReader sitemaps;
  private final Following following;
  private final Outlinks outlinks;
  private final RecordStore records;
  private final Meters meters;
  private final InstantSource clock;

  Reading(
      PageParser parser,
      SitemapReader sitemaps,
      Following following,
      Outlinks outlinks,
      RecordStore records,
      Meters meters,
      InstantSource clock) {
    this.parser = parser;
    this.sitemaps = sitemaps;
    this.following = following;
    this.outlinks = outlinks;
    this.records = records;
    this.meters = meters;
    this.clock = clock;
  }

  /**
   * What a page came to.
   *
   * @param elsewhere where the page says that it is, as a redirect would; nothing of it was kept
   *     then
   */
  record Read(Settlement settlement, Optional<CrawlUrl> elsewhere) {}

  /**
   * Parses a page, and returns what keeps what it holds.
   *
   * @return to be called once; throws what a store or the queue throws, and may be repeated then
   *     from the start
   * @throws RuntimeException if the page cannot be parsed
   */
  Supplier<Read> parse(Page page, Site site, Fetched fetched, Fetch exchange) {
    if (page.kind() == PageKind.SITEMAP) {
      Sitemap sitemap = sitemaps.read(fetched);
      return () -> new Read(keep(page, site, sitemap, exchange), Optional.empty());
    }
    ParsedPage parsed = parser.parse(fetched, site, page.crawl());
    return () -> keep(page, site, fetched, parsed, exchange);
  }

  private Read keep(Page page, Site site, Fetched fetched, ParsedPage parsed, Fetch exchange) {
    Optional<CrawlUrl> elsewhere =
        parsed.refresh().filter(url -> !Following.identity(site, url).equals(page.url()));
    if (elsewhere.isPresent()) {
      return new Read(ledElsewhere(page, "", exchange), elsewhere);
    }
    Optional<CrawlUrl> canonical =
        parsed
            .canonical()
            .map(url -> Following.identity(site, url))
            .filter(url -> !url.equals(page.url()))
            .filter(url -> following.refusal(site, url, page.depth().next()).isEmpty());
    List<CrawlUrl> links =
        Stream.concat(canonical.stream(), parsed.links().stream()).distinct().toList();
    String refused = follow(page, site, links);
    Optional<CrawlRecord> record = parsed.record().map(its -> underKey(its, site, canonical));
    record.ifPresent(this::store);
    Optional<String> kept = keepLinks(page, fetched.validators(), links);
    return new Read(
        new Settlement(
            PageState.DONE,
            joined(parsed.oddity(), canonical.map(url -> "canonical: " + url).orElse(""), refused),
            Optional.of(
                new Remembered(
                    kept.isPresent() ? fetched.validators() : Validators.NONE,
                    record.map(CrawlRecord::contentHash).orElse(""),
                    kept.orElse(""),
                    Following.rules(site),
                    record.map(CrawlRecord::id),
                    lost(page, record.map(CrawlRecord::id)))),
            Optional.of(exchange)),
        Optional.empty());
  }

  /** Returns the settlement of a page that shows nothing, because it is elsewhere. */
  static Settlement ledElsewhere(Page page, String where, Fetch exchange) {
    return new Settlement(
        PageState.DONE,
        where,
        Optional.of(
            new Remembered(
                Validators.NONE, "", "", "", Optional.empty(), lost(page, Optional.empty()))),
        Optional.of(exchange));
  }

  /** Returns what a page showed before, and shows no more now that it shows {@code record}. */
  private static Set<RecordId> lost(Page page, Optional<RecordId> record) {
    Set<RecordId> lost = new LinkedHashSet<>(page.remembered().lost());
    page.remembered().record().ifPresent(lost::add);
    record.ifPresent(lost::remove);
    return lost.stream().limit(MOST_LOST).collect(Collectors.toSet());
  }

  private String follow(Page page, Site site, List<CrawlUrl> links) {
    return following.follow(
        Discovery.ofLinks(
            page.site(), page.crawl(), page.url(), page.depth().next(), following.again(page)),
        site,
        links);
  }

  /** Of pages that say they are one and the same there is one record. */
  private static CrawlRecord underKey(CrawlRecord record, Site site, Optional<CrawlUrl> canonical) {
    if (canonical.isEmpty() || site.extraction().naturalKey().isPresent()) {
      return record;
    }
    return CrawlRecord.of(
        record.site(),
        record.crawl(),
        canonical.get().toString(),
        record.url(),
        record.fields(),
        site.extraction().volatileFields());
  }

  private void store(CrawlRecord record) {
    meters.add(
        switch (records.put(record, clock.instant())) {
          case CREATED -> Meter.RECORD_CREATED;
          case CHANGED -> Meter.RECORD_CHANGED;
          case RETURNED -> Meter.RECORD_RETURNED;
          case UNCHANGED -> Meter.RECORD_UNCHANGED;
        });
  }

  /**
   * Sees to it that a later answer "not modified" can be followed.
   *
   * @return their hash, empty for no links; nothing if that cannot be, so that the page must be
   *     fetched whole each time
   */
  private Optional<String> keepLinks(Page page, Validators validators, List<CrawlUrl> links) {
    if (validators.equals(Validators.NONE) || links.isEmpty()) {
      return Optional.of("");
    }
    String hash =
        Hashes.hex128(links.stream().map(CrawlUrl::toString).collect(Collectors.joining("\n")));
    boolean kept =
        hash.equals(page.remembered().outlinks()) || outlinks.keep(page.site(), page.url(), links);
    return kept ? Optional.of(hash) : Optional.empty();
  }

  /**
   * Keeps alive what a page leads to that did not change.
   *
   * @return how it ends; nothing if where it leads is not known any more, so that it must be
   *     fetched whole
   * @throws RuntimeException if a store or the queue failed
   */
  Optional<Settlement> notModified(Page page, Site site, NotModified answer, Fetch exchange) {
    Remembered before = page.remembered();
    String refused = "";
    if (!before.outlinks().isEmpty() && mustFollowAgain(page, site)) {
      Optional<List<CrawlUrl>> links = outlinks.of(page.site(), page.url());
      if (links.isEmpty()) {
        return Optional.empty();
      }
      refused = follow(page, site, links.get());
    }
    return Optional.of(
        new Settlement(
            PageState.DONE,
            joined("not modified", refused),
            Optional.of(
                new Remembered(
                    answer.validators(),
                    before.contentHash(),
                    before.outlinks(),
                    Following.rules(site),
                    before.record(),
                    before.lost())),
            Optional.of(exchange)));
  }

  /**
   * Tells whether what an unchanged page leads to may not be known yet, or is asked for only if it
   * is led to.
   */
  private boolean mustFollowAgain(Page page, Site site) {
    return !following.seesToKnownPages(page)
        || !page.remembered().rules().equals(Following.rules(site));
  }

  private Settlement keep(Page page, Site site, Sitemap sitemap, Fetch exchange) {
    if (sitemap.kind() == Sitemap.Kind.NONE) {
      return Settlement.of(
          PageState.SKIPPED,
          joined("sitemap: neither a sitemap nor a feed", sitemap.oddity()),
          Optional.of(exchange));
    }
    String pages = follow(page, site, PageKind.PAGE, page.depth().next(), 0, sitemap.entries());
    boolean nests = !sitemap.children().isEmpty();
    boolean tooDeep = nests && page.hops() >= MOST_INDEXES;
    String children =
        nests && !tooDeep
            ? follow(
                page, site, PageKind.SITEMAP, page.depth(), page.hops() + 1, sitemap.children())
            : "";
    return Settlement.of(
        PageState.DONE,
        joined(
            "sitemap: "
                + sitemap.entries().size()
                + " pages, "
                + sitemap.children().size()
                + " sitemaps",
            tooDeep ? "sitemap: " + MOST_INDEXES + " indexes lie above it, it leads no deeper" : "",
            sitemap.oddity(),
            pages,
            children),
        Optional.of(exchange));
  }

  private String follow(
      Page page, Site site, PageKind kind, CrawlDepth depth, int hops, List<SitemapEntry> entries) {
    Map<CrawlUrl, Instant> modified = new HashMap<>();
    for (SitemapEntry entry : entries) {
      entry.modified().ifPresent(at -> modified.put(Following.identity(site, entry.url()), at));
    }
    return following.follow(
        new Discovery(
            page.site(),
            page.crawl(),
            page.url(),
            depth,
            kind,
            hops,
            kind == PageKind.SITEMAP
                ? following.againForSitemaps(page)
                : following.againOfSitemap(page, site, entries),
            modified),
        site,
        entries.stream().map(SitemapEntry::url).toList());
  }

  private static String joined(String... remarks) {
    return Stream.of(remarks).filter(text -> !text.isEmpty()).collect(Collectors.joining("; "));
  }
}
