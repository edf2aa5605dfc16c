package dev.fairfleet.worker.parse;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeVisitor;

/**
 * Reads links and a record from a page.
 *
 * <p>Obeyed are {@code base}, {@code rel=nofollow} and meta robots {@code noindex}, {@code
 * nofollow} and {@code none}; of several, the strictest. Safe for many threads.
 */
public final class PageParser {
  private static final int MOST_RULES = 10_000;

  private final ParseLimits limits;
  private final LoadingCache<ExtractionRules, Selectors> selectors =
      Caffeine.newBuilder()
          .maximumSize(MOST_RULES)
          .executor(Runnable::run)
          .build(Selectors::compile);

  public PageParser(ParseLimits limits) {
    this.limits = limits;
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
    String mime = page.contentType().mime();
    if (!mime.equals("text/html") && !mime.equals("application/xhtml+xml")) {
      return ParsedPage.empty("");
    }
    Selectors rules = selectors.get(site.extraction());
    try {
      String html = PageCharset.decode(page.body().bytes(), page.contentType().charset());
      Document document =
          Parser.htmlParser().setMaxDepth(limits.depth()).parseInput(html, page.url().toString());
      return read(document, page.url(), rules, site, crawl);
    } catch (StackOverflowError e) {
      return ParsedPage.empty("parse: nested too deeply to be read");
    }
  }

  private ParsedPage read(
      Document document, CrawlUrl url, Selectors rules, Site site, CrawlId crawl) {
    Sighting sighting = new Sighting();
    document.traverse(sighting);
    boolean cut = false;
    Set<CrawlUrl> links = new LinkedHashSet<>();
    if (!sighting.nofollow) {
      CrawlUrl base = url.resolve(sighting.base).orElse(url);
      for (String href : sighting.hrefs) {
        CrawlUrl link = base.resolve(href).orElse(url);
        if (!link.equals(url) && !links.contains(link)) {
          if (links.size() == limits.links()) {
            cut = true;
            break;
          }
          links.add(link);
        }
      }
    }
    Optional<CrawlRecord> record =
        sighting.noindex
            ? Optional.empty()
            : record(fields(document, sighting, rules, site), url, site, crawl);
    return new ParsedPage(List.copyOf(links), cut, record, oddity(sighting, cut));
  }

  private NavigableMap<String, String> fields(
      Document document, Sighting sighting, Selectors rules, Site site) {
    if (!site.extraction().fields().isEmpty()) {
      return rules.extract(document, limits.valueLength());
    }
    NavigableMap<String, String> fields = new TreeMap<>();
    Selectors.put(fields, "title", document.title(), limits.valueLength());
    Selectors.put(fields, "description", sighting.description, limits.valueLength());
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

  private String oddity(Sighting sighting, boolean cut) {
    List<String> oddities = new ArrayList<>();
    if (sighting.noindex || sighting.nofollow) {
      oddities.add(
          "meta robots:"
              + (sighting.noindex ? " noindex" : "")
              + (sighting.nofollow ? " nofollow" : ""));
    }
    if (cut) {
      oddities.add("links: more than " + limits.links() + ", the rest is not followed");
    }
    return String.join("; ", oddities);
  }

  /** What one walk over a page gathers. */
  private static final class Sighting implements NodeVisitor {
    final Set<String> hrefs = new LinkedHashSet<>();
    String base = "";
    String description = "";
    boolean noindex;
    boolean nofollow;

    @Override
    public void head(Node node, int depth) {
      if (node instanceof Element element) {
        switch (element.normalName()) {
          case "a", "area" -> link(element);
          case "frame", "iframe" -> frame(element);
          case "base" -> base(element);
          case "meta" -> meta(element);
          default -> {}
        }
      }
    }

    private void link(Element element) {
      String href = element.attr("href");
      if (element.hasAttr("href")
          && !href.startsWith("#")
          && !hasToken(element.attr("rel"), "nofollow")) {
        hrefs.add(href);
      }
    }

    private void frame(Element element) {
      String src = element.attr("src");
      if (!src.isBlank()) {
        hrefs.add(src);
      }
    }

    private void base(Element element) {
      if (base.isEmpty()) {
        base = element.attr("href");
      }
    }

    private void meta(Element element) {
      String content = element.attr("content");
      switch (element.attr("name").strip().toLowerCase(Locale.ROOT)) {
        case "description" -> description = description.isEmpty() ? content : description;
        case "robots" -> {
          boolean none = hasToken(content, "none");
          noindex |= none || hasToken(content, "noindex");
          nofollow |= none || hasToken(content, "nofollow");
        }
        default -> {}
      }
    }

    private static boolean hasToken(String list, String token) {
      if (list.isEmpty()) {
        return false;
      }
      for (String item : list.split("[\\s,]+", -1)) {
        if (item.equalsIgnoreCase(token)) {
          return true;
        }
      }
      return false;
    }
  }
}
