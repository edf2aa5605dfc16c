package dev.fairfleet.cli;

import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteStatus;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Where one site stands, with its pages by state, counted from the frontier and never from a
 * counter.
 *
 * @param facts by name
 * @param pages of the newest crawl, by state
 * @param earlier pages that only earlier crawls know: those it has not come to yet, and those that
 *     nothing leads to any more
 */
record SitePages(Map<String, String> facts, Map<PageState, Long> pages, long earlier) {
  SitePages {
    facts = new LinkedHashMap<>(facts);
    pages = new EnumMap<>(pages);
  }

  /** Reads every page item of the site once. */
  static SitePages of(SiteStatus status, Frontier frontier) {
    Map<PageState, Long> pages = new EnumMap<>(PageState.class);
    for (PageState state : PageState.values()) {
      pages.put(state, 0L);
    }
    long[] earlier = new long[1];
    frontier.forEachPage(
        status.site().id(),
        page -> {
          if (status.crawl().filter(page.crawl()::equals).isPresent()) {
            pages.merge(page.state(), 1L, Long::sum);
          } else {
            earlier[0]++;
          }
        });
    return new SitePages(facts(status), pages, earlier[0]);
  }

  private static Map<String, String> facts(SiteStatus status) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("site", status.site().id().value());
    facts.put("state", status.state().name().toLowerCase(Locale.ROOT));
    put(facts, "reason", status.reason());
    put(facts, "since", status.since().map(FleetStatus::text).orElse(""));
    status
        .run()
        .ifPresentOrElse(
            run -> {
              facts.put("crawl", run.id().value());
              facts.put("mode", run.mode().name().toLowerCase(Locale.ROOT));
              facts.put(
                  "crawl state",
                  run.end()
                      .map(SitePages::ended)
                      .orElse(
                          run.interrupted()
                              ? "interrupted"
                              : run.started() ? "goes on" : "is being started"));
            },
            () -> facts.put("crawl", "none yet"));
    put(facts, "last ended", status.lastEnded().map(CrawlId::value).orElse(""));
    put(facts, "last full", status.lastFull().map(CrawlId::value).orElse(""));
    return facts;
  }

  private static String ended(CrawlEnd end) {
    return "ended "
        + FleetStatus.text(end.at())
        + (end.complete() ? ", complete" : ", not complete: " + end.remark());
  }

  private static void put(Map<String, String> facts, String name, String value) {
    if (!value.isEmpty()) {
      facts.put(name, value);
    }
  }

  /** Returns how many items were read to count. */
  long read() {
    return earlier + pages.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns facts, a table of pages, and what the count has cost. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    int width = facts.keySet().stream().mapToInt(String::length).max().orElse(0);
    facts.forEach(
        (name, value) ->
            text.append(name)
                .append(" ".repeat(width - name.length() + 2))
                .append(value)
                .append('\n'));
    TextTable table = new TextTable("PAGES", "COUNT");
    pages.forEach((state, count) -> table.row(state, String.format(Locale.ROOT, "%,d", count)));
    table.row("of earlier crawls", String.format(Locale.ROOT, "%,d", earlier));
    return text.append('\n')
        .append(table)
        .append(String.format(Locale.ROOT, "counted from %,d page items, each read once%n", read()))
        .toString();
  }
}
