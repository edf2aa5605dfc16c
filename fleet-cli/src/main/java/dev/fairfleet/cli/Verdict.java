package dev.fairfleet.cli;

import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.web.FakeSite;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a crawl of one fake site left in the stores, held against what the fake web knows.
 *
 * @param pages pages in the frontier
 * @param records records stored
 * @param faults what is not as it should be, a sentence each; empty if all is right
 */
record Verdict(int pages, int records, List<String> faults) {
  private static final int MOST_FAULTS = 10;

  Verdict {
    faults = List.copyOf(faults);
  }

  /** Compares every page and every record of a site with the truth. */
  static Verdict of(LocalFleet fleet, SiteId id, FakeSite fake) {
    List<String> faults = new ArrayList<>();
    Map<String, Page> pages = new HashMap<>();
    fleet.frontier().forEachPage(id, page -> pages.put(path(page.url()), page));
    Set<String> paths = fake.paths().collect(Collectors.toCollection(HashSet::new));
    for (String path : paths) {
      Page page = pages.get(path);
      if (page == null) {
        faults.add(id + path + " was never found");
      } else if (page.state() != PageState.DONE) {
        faults.add(id + path + " is " + page.state() + " " + page.reason());
      }
    }
    pages.keySet().stream()
        .filter(path -> !paths.contains(path))
        .forEach(path -> faults.add(id + path + " is no page of the site"));

    Map<String, CrawlRecord> records = new HashMap<>();
    fleet
        .records()
        .forEach(
            id,
            stored -> {
              if (records.put(path(stored.record().url()), stored.record()) != null) {
                faults.add("two records were read from " + stored.record().url());
              }
            });
    int expected = 0;
    for (String path : paths) {
      Map<String, String> truth = fake.truth(path);
      CrawlRecord record = records.get(path);
      Map<String, String> found = record == null ? Map.of() : record.fields();
      expected += truth.isEmpty() ? 0 : 1;
      if (!found.equals(truth)) {
        faults.add(id + path + " has the record " + found + ", but says " + truth);
      }
    }
    if (records.size() != expected) {
      faults.add(id + " has " + records.size() + " records, but " + expected + " things");
    }
    return new Verdict(
        pages.size(), records.size(), faults.subList(0, Math.min(MOST_FAULTS, faults.size())));
  }

  private static String path(CrawlUrl url) {
    String query = url.toUri().getRawQuery();
    return url.toUri().getRawPath() + (query == null ? "" : "?" + query);
  }
}
