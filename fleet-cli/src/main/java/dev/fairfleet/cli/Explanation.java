package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Fetch;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageKind;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.scope.ScopeDecision;
import dev.fairfleet.scope.ScopePolicy;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a fleet knows of one URL as part of one site: its page and those that led to it, or why
 * there is no page.
 *
 * @param url as the frontier knows it, without what is no part of its identity on this site
 * @param ways its page, the page that led to it, and so on to the root; empty if there is no page
 * @param rule the rule by which no page of the site could lead to it; empty if one could
 */
record Explanation(Site site, CrawlUrl url, List<Page> ways, String rule) {
  private static final int LONGEST_WAY = 200;

  /** Asks the frontier. */
  static Explanation of(Frontier frontier, Site site, CrawlUrl asked, Instant now) {
    CrawlUrl url = site.scope().ignored().apply(asked);
    List<Page> ways = new ArrayList<>();
    Optional<Page> page = find(frontier, site, url);
    while (page.isPresent() && ways.size() < LONGEST_WAY) {
      Page here = page.get();
      ways.add(here);
      page =
          here.parent().equals(here.url())
              ? Optional.empty()
              : find(frontier, site, here.parent()).filter(parent -> !ways.contains(parent));
    }
    // A root's depth, so that only rules speak that hold whatever page leads to it.
    String rule =
        new ScopePolicy().decide(site, url, CrawlDepth.ROOT, now)
                instanceof ScopeDecision.Refused refused
            ? refused.rule()
            : "";
    return new Explanation(site, url, List.copyOf(ways), rule);
  }

  private static Optional<Page> find(Frontier frontier, Site site, CrawlUrl url) {
    return frontier.find(site.id(), List.of(url.hash())).stream().findFirst();
  }

  /** Tells whether the frontier knows the URL. */
  boolean isKnown() {
    return !ways.isEmpty();
  }

  /** Returns what there is to say, by name, in the order in which a person would ask. */
  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("url", url.toString());
    facts.put("site", site.id().toString());
    if (!isKnown()) {
      facts.put("state", "not in the frontier: no page of this site that was crawled led to it");
      put(facts, "would be refused", rule);
      return facts;
    }
    Page page = ways.getFirst();
    facts.put("crawl", page.crawl().toString());
    facts.put("state", page.state().toString());
    put(facts, "reason", page.reason());
    facts.put("found", found(page));
    facts.put("depth", page.depth().toString());
    put(facts, "hops", page.hops() == 0 ? "" : Integer.toString(page.hops()));
    put(facts, "changed, says the sitemap", page.modified().map(Instant::toString).orElse(""));
    facts.put("failed attempts", Integer.toString(page.attempts()));
    put(facts, "sent again", page.generation() == 0 ? "" : page.generation() + " times");
    page.lastFetch().ifPresent(fetch -> fetched(facts, fetch));
    put(facts, "settled", page.settledAt().map(Instant::toString).orElse(""));
    put(facts, "content hash", page.remembered().contentHash());
    put(facts, "record", page.remembered().record().map(RecordId::value).orElse(""));
    put(facts, "gone", page.gone() == 0 ? "" : "in " + page.gone() + " crawls in a row");
    put(facts, "hash of its links", page.remembered().outlinks());
    put(facts, "ETag", page.remembered().validators().etag());
    put(facts, "Last-Modified", page.remembered().validators().lastModified());
    facts.put("URL hash", page.url().hash().value());
    return facts;
  }

  private static void put(Map<String, String> facts, String name, String value) {
    if (!value.isEmpty()) {
      facts.put(name, value);
    }
  }

  private String found(Page page) {
    if (page.parent().equals(page.url())) {
      return "a root of the site";
    }
    boolean parentIsSitemap =
        ways.stream().skip(1).findFirst().filter(way -> way.kind() == PageKind.SITEMAP).isPresent();
    String how =
        page.kind() == PageKind.SITEMAP
            ? (parentIsSitemap ? "sitemap in the index" : "sitemap of")
            : parentIsSitemap ? "listed in" : page.hops() > 0 ? "redirect from" : "link on";
    return how + " " + page.parent();
  }

  private static void fetched(Map<String, String> facts, Fetch fetch) {
    facts.put("last fetched", fetch.at().toString());
    facts.put("status", Integer.toString(fetch.status()));
    facts.put("bytes", String.format(Locale.ROOT, "%,d", fetch.bytes()));
    facts.put("took", fetch.took().toMillis() + " ms");
  }

  /** Returns the facts in two columns, and below them the way from the root. */
  String text() {
    Map<String, String> facts = facts();
    int width = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    facts.forEach(
        (name, value) ->
            text.append(name)
                .append(" ".repeat(width - name.length() + 2))
                .append(value)
                .append('\n'));
    if (ways.size() > 1) {
      text.append("\nThe way to it:\n");
      for (Page way : ways.reversed()) {
        text.append("  ").append(way.depth()).append("  ").append(way.state()).append("  ");
        text.append(way.url()).append('\n');
      }
    }
    return text.toString();
  }

  /** Returns the same as JSON. */
  ObjectNode json() {
    ObjectNode node = JsonFile.object();
    node.put("known", isKnown());
    facts().forEach(node::put);
    ArrayNode way = node.putArray("way");
    ways.reversed().forEach(page -> way.add(page.url().toString()));
    return node;
  }
}
