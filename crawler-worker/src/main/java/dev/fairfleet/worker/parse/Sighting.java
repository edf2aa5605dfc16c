package dev.fairfleet.worker.parse;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.select.NodeVisitor;

/** What one walk over a page gathers, as it was spelled there. Not safe for many threads. */
final class Sighting implements NodeVisitor {
  private static final Pattern SPACE = Pattern.compile("[\\s,]+");
  private static final Set<String> SERIES = Set.of("next", "prev");
  private static final Set<String> FEED_TYPES =
      Set.of("application/rss+xml", "application/atom+xml");

  private final String agent;
  private final Set<String> skippedRels;
  private final Instant now;
  private final Set<String> hrefs = new LinkedHashSet<>();
  private final List<String> canonicals = new ArrayList<>();
  private final List<Refresh> refreshes = new ArrayList<>();
  private final List<String> scriptless = new ArrayList<>();
  private Optional<String> base = Optional.empty();
  private String description = "";
  private RobotsDirectives directives = RobotsDirectives.NONE;
  private int heads;
  private int noscripts;

  /**
   * @param agent the name by which a meta tag may mean us
   * @param skippedRels relation types of links that are not followed, in lower case
   */
  Sighting(String agent, Set<String> skippedRels, Instant now) {
    this.agent = agent;
    this.skippedRels = skippedRels;
    this.now = now;
  }

  /** Returns whether a link element or header is one to follow: a feed, or a part of a series. */
  static boolean leadsOn(List<String> rel, String type) {
    return rel.stream().anyMatch(SERIES::contains)
        || (rel.contains("alternate") && FEED_TYPES.contains(type));
  }

  Set<String> hrefs() {
    return hrefs;
  }

  /** Returns the targets of {@code rel=canonical} in the head; elsewhere it does not count. */
  List<String> canonicals() {
    return canonicals;
  }

  /** Returns the refreshes that happen to everybody. */
  List<Refresh> refreshes() {
    return refreshes;
  }

  /** Returns where readers without scripts are sent: that is no redirect, but a link. */
  List<String> scriptless() {
    return scriptless;
  }

  Optional<String> base() {
    return base;
  }

  String description() {
    return description;
  }

  RobotsDirectives directives() {
    return directives;
  }

  @Override
  public void head(Node node, int depth) {
    if (node instanceof Element element) {
      switch (element.normalName()) {
        case "head" -> heads++;
        case "noscript" -> noscripts++;
        case "a", "area" -> anchor(element);
        case "frame", "iframe" -> frame(element);
        case "link" -> link(element);
        case "base" -> base(element);
        case "meta" -> meta(element);
        default -> {}
      }
    }
  }

  @Override
  public void tail(Node node, int depth) {
    if (node instanceof Element element) {
      switch (element.normalName()) {
        case "head" -> heads--;
        case "noscript" -> noscripts--;
        default -> {}
      }
    }
  }

  private void anchor(Element element) {
    String href = element.attr("href");
    if (element.hasAttr("href") && !href.startsWith("#") && !isSkipped(rel(element))) {
      hrefs.add(href);
    }
  }

  private void frame(Element element) {
    String src = element.attr("src");
    if (!src.isBlank()) {
      hrefs.add(src);
    }
  }

  private void link(Element element) {
    List<String> rel = rel(element);
    if (heads > 0 && rel.contains("canonical")) {
      canonicals.add(element.attr("href"));
    }
    String type = element.attr("type").strip().toLowerCase(Locale.ROOT);
    if (leadsOn(rel, type) && !isSkipped(rel) && element.hasAttr("href")) {
      hrefs.add(element.attr("href"));
    }
  }

  private void base(Element element) {
    if (base.isEmpty() && element.hasAttr("href")) {
      base = Optional.of(element.attr("href"));
    }
  }

  private void meta(Element element) {
    String content = element.attr("content");
    String name = element.attr("name").strip();
    if (name.equalsIgnoreCase("robots") || name.equalsIgnoreCase(agent)) {
      directives = directives.and(RobotsDirectives.ofMeta(content, now));
    } else if (name.equalsIgnoreCase("description") && description.isEmpty()) {
      description = content;
    }
    if (element.attr("http-equiv").strip().equalsIgnoreCase("refresh")) {
      Optional<Refresh> refresh = Refresh.parse(content);
      if (noscripts > 0) {
        refresh.ifPresent(found -> scriptless.add(found.target()));
      } else {
        refresh.ifPresent(refreshes::add);
      }
    }
  }

  private boolean isSkipped(List<String> rel) {
    return rel.stream().anyMatch(skippedRels::contains);
  }

  private static List<String> rel(Element element) {
    String rel = element.attr("rel");
    return rel.isEmpty() ? List.of() : List.of(SPACE.split(rel.toLowerCase(Locale.ROOT), -1));
  }
}
