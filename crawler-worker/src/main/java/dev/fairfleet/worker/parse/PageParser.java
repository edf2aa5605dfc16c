package dev.fairfleet.worker.parse;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;

/**
 * Reads links, directives and a record from a page, and links from a feed or sitemap.
 *
 * <p>Obeyed are {@code base}, the {@code rel} values that the site says are not to be followed, and
 * what {@link RobotsDirectives} reads from meta tags and headers; of several, the strictest. Safe
 * for many threads.
 */
public final class PageParser {
  private static final int MOST_RULES = 10_000;
  private static final int XML_HEAD = 4_096;
  private static final Pattern FIRST_TAG = Pattern.compile("<(?:[\\w.-]+:)?([A-Za-z][\\w.-]*)");
  private static final Pattern NO_TAG =
      Pattern.compile("<!--.*?(?:-->|$)|<[?!][^>]*+>?", Pattern.DOTALL);

  private final ParseLimits limits;
  private final String agent;
  private final InstantSource clock;
  private final SitemapReader feeds;
  private final LoadingCache<ExtractionRules, Selectors> selectors =
      Caffeine.newBuilder()
          .maximumSize(MOST_RULES)
          .executor(Runnable::run)
          .build(Selectors::compile);

  /**
   * @param agent the product token by which directives name us, as {@code fairfleet}
   * @param clock tells whether a page may still be recorded that is good up to a date
   */
  public PageParser(ParseLimits limits, String agent, InstantSource clock) {
    this.limits = limits;
    this.agent = agent;
    this.clock = clock;
    this.feeds =
        new SitemapReader(new SitemapLimits(limits.links(), SitemapLimits.DEFAULT.bytes()));
  }

  /**
   * Returns what {@code page} holds; plain text holds nothing.
   *
   * <p>A page that is too much for the parser is an empty page with an oddity, not an error.
   *
   * @throws IllegalArgumentException if a rule of the site is no selector; {@link
   *     Selectors#compile} tells when the site is loaded
   */
  public ParsedPage parse(Fetched page, Site site, CrawlId crawl) {
    Selectors rules = selectors.get(site.extraction());
    try {
      return switch (page.contentType().mime()) {
        case "text/html" -> html(page, Parser.htmlParser(), rules, site, crawl);
        case "text/plain" -> ParsedPage.empty(page.oddity());
        default -> xml(page, rules, site, crawl);
      };
    } catch (StackOverflowError | OutOfMemoryError e) {
      return ParsedPage.empty(
          joined(page.oddity(), "parse: too deep or too large to be read (" + e + ")"));
    }
  }

  /** Reads XHTML as a page, whatever it calls itself, and all other XML as a feed. */
  private ParsedPage xml(Fetched page, Selectors rules, Site site, CrawlId crawl) {
    boolean isPage =
        page.contentType().mime().equals("application/xhtml+xml") || rootOf(page).equals("html");
    if (isPage) {
      return html(page, Parser.xmlParser(), rules, site, crawl);
    }
    Sitemap feed = feeds.read(page);
    Links links = new Links(page.url(), page.url());
    RobotsDirectives directives = directives(page);
    if (!directives.nofollow()) {
      feed.entries().forEach(entry -> links.add(entry.url()));
      feed.children().forEach(entry -> links.add(entry.url()));
    }
    return new ParsedPage(
        links.list(),
        links.cut,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        joined(feed.oddity(), of("X-Robots-Tag", directives), links.oddity()));
  }

  private static String rootOf(Fetched page) {
    byte[] bytes = page.body().bytes();
    String head =
        PageCharset.decode(
            bytes.length <= XML_HEAD ? bytes : Arrays.copyOf(bytes, XML_HEAD),
            page.contentType().charset());
    Matcher tag = FIRST_TAG.matcher(NO_TAG.matcher(head).replaceAll(""));
    return tag.find() ? tag.group(1) : "";
  }

  private ParsedPage html(Fetched page, Parser parser, Selectors rules, Site site, CrawlId crawl) {
    String html = PageCharset.decode(page.body().bytes(), page.contentType().charset());
    Document document = parser.setMaxDepth(limits.depth()).parseInput(html, page.url().toString());
    Sighting sighting = new Sighting(agent, site.links().skippedRels(), clock.instant());
    document.traverse(sighting);
    CrawlUrl base = sighting.base().flatMap(page.url()::resolve).orElse(page.url());

    RobotsDirectives byHeader = directives(page);
    RobotsDirectives directives = byHeader.and(sighting.directives());
    Links links = new Links(page.url(), base);
    Canonical canonical = new Canonical();
    for (String value : page.headers().links()) {
      for (LinkHeader link : LinkHeader.parse(value)) {
        if (link.rel().contains("canonical")) {
          canonical.add(page.url(), link.target());
        }
        if (Sighting.leadsOn(link.rel(), link.type()) && !directives.nofollow()) {
          page.url().resolve(link.target()).ifPresent(links::add);
        }
      }
    }
    sighting.canonicals().forEach(href -> canonical.add(base, href));
    if (!directives.nofollow()) {
      sighting.hrefs().forEach(links::add);
    }
    Optional<CrawlUrl> refresh = Optional.empty();
    Optional<Refresh> header = Refresh.parse(page.headers().refresh());
    for (Refresh found : header.stream().toList()) {
      refresh = atOnce(found, page.url(), page.url());
    }
    for (Refresh found : sighting.refreshes()) {
      refresh = refresh.or(() -> atOnce(found, base, page.url()));
    }
    if (!directives.nofollow()) {
      header.ifPresent(slow -> page.url().resolve(slow.target()).ifPresent(links::add));
      sighting.refreshes().forEach(slow -> links.add(slow.target()));
      sighting.scriptless().forEach(links::add);
    }
    Optional<CrawlRecord> record =
        directives.noindex()
            ? Optional.empty()
            : record(fields(document, sighting, rules, site), page.url(), site, crawl);
    return new ParsedPage(
        links.list(),
        links.cut,
        canonical.url(),
        refresh,
        record,
        joined(
            page.oddity(),
            of("X-Robots-Tag", byHeader),
            of("meta robots", sighting.directives()),
            canonical.oddity(),
            links.oddity()));
  }

  private RobotsDirectives directives(Fetched page) {
    RobotsDirectives all = RobotsDirectives.NONE;
    for (String value : page.headers().robotsTags()) {
      all = all.and(RobotsDirectives.ofHeader(value, agent, clock.instant()));
    }
    return all;
  }

  /** Returns where a refresh leads that nobody would notice before it is over. */
  private static Optional<CrawlUrl> atOnce(Refresh refresh, CrawlUrl base, CrawlUrl page) {
    return refresh.seconds() > 1 || refresh.target().isEmpty()
        ? Optional.empty()
        : base.resolve(refresh.target()).filter(target -> !target.equals(page));
  }

  private NavigableMap<String, String> fields(
      Document document, Sighting sighting, Selectors rules, Site site) {
    if (!site.extraction().fields().isEmpty()) {
      return rules.extract(document, limits.valueLength());
    }
    NavigableMap<String, String> fields = new TreeMap<>();
    Selectors.put(fields, "title", document.title(), limits.valueLength());
    Selectors.put(fields, "description", sighting.description(), limits.valueLength());
    return fields;
  }

  private static Optional<CrawlRecord> record(
      NavigableMap<String, String> fields, CrawlUrl url, Site site, CrawlId crawl) {
    Optional<String> keyField = site.extraction().naturalKey();
    Optional<String> key =
        keyField.isPresent() ? keyField.map(fields::get) : Optional.of(url.toString());
    return key.map(
        naturalKey ->
            CrawlRecord.of(
                site.id(), crawl, naturalKey, url, fields, site.extraction().volatileFields()));
  }

  private static String of(String source, RobotsDirectives directives) {
    return directives.equals(RobotsDirectives.NONE) ? "" : source + ": " + directives;
  }

  private static String joined(String... oddities) {
    List<String> some = new ArrayList<>();
    for (String oddity : oddities) {
      if (!oddity.isEmpty()) {
        some.add(oddity);
      }
    }
    return String.join("; ", some);
  }

  /** The links of a page, up to the limit, each once and without the page itself. */
  private final class Links {
    private final CrawlUrl page;
    private final CrawlUrl base;
    private final Set<CrawlUrl> urls = new LinkedHashSet<>();
    private boolean cut;

    Links(CrawlUrl page, CrawlUrl base) {
      this.page = page;
      this.base = base;
    }

    void add(String href) {
      if (!cut) {
        base.resolve(href).ifPresent(this::add);
      }
    }

    void add(CrawlUrl link) {
      if (!cut && !link.equals(page) && !urls.contains(link)) {
        cut = urls.size() == limits.links();
        if (!cut) {
          urls.add(link);
        }
      }
    }

    List<CrawlUrl> list() {
      return List.copyOf(urls);
    }

    String oddity() {
      return cut ? "links: more than " + limits.links() + ", the rest is not followed" : "";
    }
  }

  /** What a page says is its one URL (RFC 6596). */
  private static final class Canonical {
    private final Set<CrawlUrl> urls = new LinkedHashSet<>();
    private boolean strange;

    void add(CrawlUrl base, String href) {
      if (!href.isBlank()) {
        base.resolve(href).ifPresentOrElse(urls::add, () -> strange = true);
      }
    }

    Optional<CrawlUrl> url() {
      return strange || urls.size() > 1 ? Optional.empty() : urls.stream().findFirst();
    }

    String oddity() {
      if (strange) {
        return "canonical: no http or https URL";
      }
      return urls.size() > 1 ? "canonical: " + urls.size() + " that differ" : "";
    }
  }
}
