package dev.fairfleet.worker;

import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.site.SiteId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Pages served by this worker since it last told the fleet. Safe for use by many threads. */
final class ServedReport {
  private final ServedCounts counts;
  private final ConcurrentHashMap<SiteId, Integer> served = new ConcurrentHashMap<>();

  ServedReport(ServedCounts counts) {
    this.counts = counts;
  }

  /** Counts a page of a site. */
  void add(SiteId site) {
    served.merge(site, 1, Integer::sum);
  }

  /** Tells the fleet, and begins anew. */
  void flush() {
    Map<SiteId, Integer> told = new HashMap<>();
    for (SiteId site : served.keySet()) {
      Integer pages = served.remove(site);
      if (pages != null) {
        told.put(site, pages);
      }
    }
    if (!told.isEmpty()) {
      counts.add(told);
    }
  }
}
