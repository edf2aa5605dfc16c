package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fairfleet.local.FleetAccess;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.site.CrawlEnd;
import dev.fairfleet.site.CrawlRun;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Where a fleet stands. Times are ISO 8601 in UTC, to the second; each list has the first of its
 * kind, while the counts beside it count all.
 *
 * @param active sites that are crawled when they are due
 * @param dueNow of these, how many wait for the next seed run
 * @param queues nothing if the fleet does not run, and has none
 */
record FleetStatus(
    String at,
    long active,
    long stopped,
    long goingOn,
    long dueNow,
    Queues queues,
    List<Stopped> stoppedSites,
    List<GoingOn> crawls,
    List<Ended> endedLast,
    List<Due> dueNext) {
  /**
   * @param runs whether the fleet runs; the figures are zero if it does not
   */
  record Queues(boolean runs, long visible, long inFlight, long delayed, long deadLetters) {}

  record Stopped(String site, String since, String reason) {}

  /**
   * @param since for when it was scheduled
   * @param started whether its roots are in the queue
   */
  record GoingOn(String site, String mode, String since, boolean started) {}

  record Ended(
      String site,
      String mode,
      String scheduled,
      String at,
      long done,
      long gone,
      long failed,
      long skipped,
      long tombstones,
      boolean complete,
      String remark) {}

  /**
   * @param at when its interval has passed; a site that was never crawled is due at once
   */
  record Due(String site, String at) {}

  FleetStatus {
    stoppedSites = List.copyOf(stoppedSites);
    crawls = List.copyOf(crawls);
    endedLast = List.copyOf(endedLast);
    dueNext = List.copyOf(dueNext);
  }

  /**
   * Reads all sites once, and the depths of the queues.
   *
   * @param most entries of each list
   */
  static FleetStatus of(FleetAccess fleet, Instant now, int most) {
    long[] active = new long[1];
    List<Stopped> stopped = new ArrayList<>();
    List<GoingOn> goingOn = new ArrayList<>();
    List<Ended> ended = new ArrayList<>();
    List<Due> due = new ArrayList<>();
    fleet
        .sites()
        .forEach(
            status -> {
              String id = status.site().id().value();
              if (status.state() == SiteState.STOPPED) {
                stopped.add(
                    new Stopped(
                        id, status.since().map(FleetStatus::text).orElse(""), status.reason()));
              } else {
                active[0]++;
                status
                    .run()
                    .filter(run -> run.end().isEmpty())
                    .ifPresentOrElse(
                        run -> goingOn.add(goingOn(id, run)),
                        () -> due.add(new Due(id, text(dueAt(status)))));
              }
              status
                  .run()
                  .ifPresent(run -> run.end().ifPresent(end -> ended.add(ended(id, run, end))));
            });
    String at = text(now);
    return new FleetStatus(
        at,
        active[0],
        stopped.size(),
        goingOn.size(),
        due.stream().filter(site -> site.at().compareTo(at) <= 0).count(),
        queues(fleet),
        first(most, stopped, Comparator.comparing(Stopped::since).reversed()),
        first(most, goingOn, Comparator.comparing(GoingOn::since)),
        first(most, ended, Comparator.comparing(Ended::at).reversed()),
        first(most, due, Comparator.comparing(Due::at).thenComparing(Due::site)));
  }

  private static Instant dueAt(SiteStatus status) {
    return status
        .crawl()
        .map(last -> last.scheduledTime().plus(status.site().recrawl().every()))
        .orElse(Instant.EPOCH);
  }

  private static GoingOn goingOn(String id, CrawlRun run) {
    return new GoingOn(id, mode(run), text(run.id().scheduledTime()), run.started());
  }

  private static Ended ended(String id, CrawlRun run, CrawlEnd end) {
    return new Ended(
        id,
        mode(run),
        text(run.id().scheduledTime()),
        text(end.at()),
        end.done(),
        end.gone(),
        end.failed(),
        end.skipped(),
        end.tombstones(),
        end.complete(),
        end.remark());
  }

  private static String mode(CrawlRun run) {
    return run.mode().name().toLowerCase(Locale.ROOT);
  }

  private static <T> List<T> first(int most, List<T> all, Comparator<T> order) {
    return all.stream().sorted(order).limit(most).toList();
  }

  private static Queues queues(FleetAccess fleet) {
    if (!fleet.runs()) {
      return new Queues(false, 0, 0, 0, 0);
    }
    QueueDepth depth = fleet.queue().depth();
    return new Queues(
        true,
        depth.visible(),
        depth.inFlight(),
        depth.delayed(),
        fleet.deadLetters().depth().total());
  }

  /** Returns a time as it is shown: to the second; empty for the beginning of time. */
  static String text(Instant time) {
    return time.equals(Instant.EPOCH) ? "" : time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Returns the same as JSON. */
  JsonNode json() {
    return JsonFile.tree(this);
  }

  /** Returns the figures, then a table of each list that is not empty. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s%nsites   %,d active, %,d stopped%ncrawls  %,d go on, %,d sites due now%nqueues  %s%n",
            at,
            active,
            stopped,
            goingOn,
            dueNow,
            queues.runs()
                ? String.format(
                    Locale.ROOT,
                    "%,d visible, %,d in flight, %,d delayed; %,d dead letters",
                    queues.visible(),
                    queues.inFlight(),
                    queues.delayed(),
                    queues.deadLetters())
                : "none, as the fleet does not run; fairfleet run starts it"));
    if (!stoppedSites.isEmpty()) {
      TextTable table = TextTable.ofText("STOPPED", "SINCE", "REASON");
      stoppedSites.forEach(site -> table.row(site.site(), site.since(), site.reason()));
      add(text, table, stoppedSites.size(), stopped);
    }
    if (!crawls.isEmpty()) {
      TextTable table = TextTable.ofText("GOING ON", "MODE", "SINCE", "");
      crawls.forEach(
          crawl ->
              table.row(
                  crawl.site(), crawl.mode(), crawl.since(), crawl.started() ? "" : "starting"));
      add(text, table, crawls.size(), goingOn);
    }
    if (!endedLast.isEmpty()) {
      TextTable table =
          TextTable.ofText(
              "ENDED", "AT", "MODE", "DONE", "GONE", "FAILED", "SKIPPED", "DELETED", "COMPLETE");
      endedLast.forEach(
          crawl ->
              table.row(
                  crawl.site(),
                  crawl.at(),
                  crawl.mode(),
                  crawl.done(),
                  crawl.gone(),
                  crawl.failed(),
                  crawl.skipped(),
                  crawl.tombstones(),
                  crawl.complete() ? "yes" : "no: " + crawl.remark()));
      add(text, table, 0, 0);
    }
    if (!dueNext.isEmpty()) {
      TextTable table = TextTable.ofText("DUE NEXT", "AT");
      dueNext.forEach(
          site -> table.row(site.site(), site.at().compareTo(at) <= 0 ? "now" : site.at()));
      add(text, table, 0, 0);
    }
    return text.toString();
  }

  private static void add(StringBuilder text, TextTable table, long shown, long all) {
    text.append('\n').append(table);
    if (shown < all) {
      text.append("and ").append(all - shown).append(" more; --limit shows them\n");
    }
  }
}
