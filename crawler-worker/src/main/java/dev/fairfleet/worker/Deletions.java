package dev.fairfleet.worker;

import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.record.RecordId;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Marks the records that no page of a site shows any more.
 *
 * <p>A page answers for a record. It no longer does if it was gone in two crawls in a row; or, once
 * a crawl was complete, if it is gone, was skipped for a reason other than robots.txt, shows
 * something else, or was not found. A page that failed, or is barred, still answers for what it
 * showed. A record for which no page answers is deleted.
 *
 * <p>Memory is bounded: of more than {@value #MOST_AT_ONCE} records in doubt, one share after the
 * other is looked at, and the pages are read twice for each. May be repeated. Safe for use by many
 * threads; throws what a store throws.
 */
final class Deletions {
  private static final int MOST_AT_ONCE = 100_000;

  private final Frontier frontier;
  private final RecordStore records;
  private final int mostAtOnce;
  private final Meters meters;
  private final InstantSource clock;

  /** Uses the ports without closing any. */
  Deletions(Frontier frontier, RecordStore records, Meters meters, InstantSource clock) {
    this(frontier, records, MOST_AT_ONCE, meters, clock);
  }

  Deletions(
      Frontier frontier, RecordStore records, int mostAtOnce, Meters meters, InstantSource clock) {
    this.frontier = frontier;
    this.records = records;
    this.mostAtOnce = mostAtOnce;
    this.meters = meters;
    this.clock = clock;
  }

  /**
   * What became of the records in doubt.
   *
   * @param deleted how many have a tombstone of this crawl
   * @param withheld how many have none, because they are too many at once to be believed
   */
  record Outcome(long deleted, long withheld) {
    private Outcome plus(Outcome other) {
      return new Outcome(deleted + other.deleted, withheld + other.withheld);
    }
  }

  /**
   * Marks what a crawl found deleted.
   *
   * @param inDoubt how many records all pages together do not answer for any more
   * @param most greatest share of a site's records that may go at once
   */
  Outcome run(SiteId site, Evidence evidence, long inDoubt, double most) {
    int shares = Math.toIntExact((inDoubt + mostAtOnce - 1) / mostAtOnce);
    Outcome outcome = new Outcome(0, 0);
    for (int share = 0; share < shares; share++) {
      // Records fall to the shares by chance, so each share has its part of all that goes.
      int one = share;
      outcome =
          outcome.plus(
              run(site, evidence, most, it -> Math.floorMod(it.hashCode(), shares) == one));
    }
    return outcome;
  }

  /**
   * Has the pages forget that for which they do not answer any more, because its fate is known now;
   * if that is not done, the next crawl looks at it once more.
   */
  void forget(SiteId site, Evidence evidence) {
    frontier.forEachPage(
        site,
        page -> {
          Set<RecordId> settled = evidence.against(page).keySet();
          if (!settled.isEmpty()) {
            frontier.forget(page, settled);
          }
        });
  }

  private Outcome run(SiteId site, Evidence evidence, double most, Predicate<RecordId> looksAt) {
    Map<RecordId, String> inDoubt = new HashMap<>();
    frontier.forEachPage(
        site,
        page ->
            evidence
                .against(page)
                .forEach(
                    (record, why) -> {
                      if (looksAt.test(record)) {
                        inDoubt.putIfAbsent(record, why);
                      }
                    }));
    AtomicLong shown = new AtomicLong();
    frontier.forEachPage(
        site,
        page ->
            evidence
                .shownBy(page)
                .filter(looksAt)
                .ifPresent(
                    record -> {
                      shown.incrementAndGet();
                      inDoubt.remove(record);
                    }));
    if (inDoubt.size() > most * (inDoubt.size() + shown.get())) {
      return new Outcome(0, inDoubt.size());
    }
    long deleted = 0;
    for (Map.Entry<RecordId, String> entry : inDoubt.entrySet()) {
      boolean marked =
          records.delete(entry.getKey(), evidence.crawl(), entry.getValue(), clock.instant());
      deleted += marked ? 1 : 0;
    }
    meters.add(Meter.RECORD_DELETED, (double) deleted);
    return new Outcome(deleted, 0);
  }

  /**
   * What the pages say at the end of a crawl.
   *
   * @param complete whether what it did not see counts as deleted
   */
  record Evidence(CrawlId crawl, boolean complete) {
    /** Returns the records for which a page does not answer any more, and why. */
    Map<RecordId, String> against(Page page) {
      Map<RecordId, String> records = new HashMap<>();
      if (complete) {
        page.remembered()
            .lost()
            .forEach(record -> records.put(record, page.url() + " no longer shows it"));
      }
      Optional<String> why = whyNotShown(page);
      page.remembered()
          .record()
          .filter(record -> why.isPresent())
          .ifPresent(record -> records.put(record, page.url() + ": " + why.get()));
      return records;
    }

    /** Returns the record for which a page answers. */
    Optional<RecordId> shownBy(Page page) {
      return page.remembered().record().filter(record -> whyNotShown(page).isEmpty());
    }

    private Optional<String> whyNotShown(Page page) {
      if (page.state() == PageState.GONE && KnownPages.isLongGone(page)) {
        return Optional.of(page.reason() + ", twice");
      }
      if (!complete) {
        return Optional.empty();
      }
      if (!page.crawl().equals(crawl)) {
        return Optional.of("not found by crawl " + crawl);
      }
      return switch (page.state()) {
        case GONE -> Optional.of(page.reason());
        case SKIPPED ->
            Bounds.isBarred(page.reason()) ? Optional.empty() : Optional.of(page.reason());
        case DONE, FAILED, SHELVED, QUEUED -> Optional.empty();
      };
    }
  }
}
