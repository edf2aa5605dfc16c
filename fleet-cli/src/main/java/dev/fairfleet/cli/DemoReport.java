package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.FleetTotals;
import dev.fairfleet.local.LocalFleet;
import dev.fairfleet.local.web.RequestLog;
import dev.fairfleet.local.web.TreeSite;
import dev.fairfleet.sim.FluidModel;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.worker.metrics.Meter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a demo showed: per site and overall.
 *
 * @param took from the seed to the last page's end
 */
record DemoReport(
    List<SiteRow> sites,
    Duration took,
    int pages,
    int records,
    int repeatedRequests,
    FleetFigures figures,
    double smallHalfFinishOverIdealP95,
    double makespanOverIdeal,
    List<String> faults) {

  /**
   * One site.
   *
   * @param firstAfter seconds from the seed to its first request
   * @param finishedAfter seconds from the seed to its last request
   * @param ideal seconds after which it would be finished under ideal max-min sharing
   */
  record SiteRow(
      String name, int pages, int records, double firstAfter, double finishedAfter, double ideal) {
    double finishOverIdeal() {
      return finishedAfter / ideal;
    }
  }

  /** What a page cost, over all workers. */
  record FleetFigures(double receives, double sqsRequests, double dynamoUnits, double throttled) {
    static FleetFigures of(FleetTotals totals, int pages) {
      return new FleetFigures(
          totals.sum(Meter.TASK_RECEIVED) / pages,
          totals.sqsRequests() / pages,
          totals.dynamoUnits() / pages,
          totals.sum(Meter.TASK_THROTTLED) / pages);
    }
  }

  /**
   * Judges a crawl that ended.
   *
   * @param start of the crawl, on the log's clock
   * @param hourlyLimit requests of a site in an hour
   * @param capacity pages a second that all slots together could serve
   */
  static DemoReport of(
      LocalFleet fleet,
      RequestLog log,
      Map<TreeSite, SiteId> ids,
      Duration start,
      Duration took,
      int hourlyLimit,
      double capacity) {
    List<TreeSite> web = List.copyOf(ids.keySet());
    List<Double> ideal =
        new FluidModel(capacity)
            .finishTimes(
                web.stream()
                    .map(site -> new FluidModel.Flow(site.pages(), hourlyLimit / 3_600.0))
                    .toList());
    List<SiteRow> rows = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    int pages = 0;
    int records = 0;
    int i = 0;
    for (Map.Entry<TreeSite, SiteId> entry : ids.entrySet()) {
      TreeSite site = entry.getKey();
      Verdict verdict = Verdict.of(fleet, entry.getValue(), site);
      faults.addAll(verdict.faults());
      pages += verdict.pages();
      records += verdict.records();
      rows.add(
          new SiteRow(
              entry.getValue().value(),
              verdict.pages(),
              verdict.records(),
              seconds(log.first(site.host()).orElse(start).minus(start)),
              seconds(log.last(site.host()).orElse(start).minus(start)),
              ideal.get(i++)));
      if (log.mostWithin(site.host(), Duration.ofHours(1)) > hourlyLimit) {
        faults.add(entry.getValue() + " was asked more than " + hourlyLimit + " times in an hour");
      }
    }
    rows.sort(Comparator.comparingInt(SiteRow::pages).reversed());
    List<Double> smallHalf =
        rows.subList(rows.size() / 2, rows.size()).stream().map(SiteRow::finishOverIdeal).toList();
    double lastIdeal = ideal.stream().mapToDouble(Double::doubleValue).max().orElse(1);
    double last = rows.stream().mapToDouble(SiteRow::finishedAfter).max().orElse(0);
    return new DemoReport(
        rows,
        took,
        pages,
        records,
        log.repeatedRequests(),
        FleetFigures.of(fleet.totals(), Math.max(1, pages)),
        Statistics.percentile(smallHalf, 0.95),
        last / lastIdeal,
        faults);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }

  /** Tells whether every page ended in a state and every record is right. */
  boolean ok() {
    return faults.isEmpty();
  }

  double pagesPerSecond() {
    return pages / seconds(took);
  }

  /** Returns the report for people. */
  String text() {
    TextTable perSite =
        new TextTable("site", "pages", "records", "first after", "finished after", "÷ ideal");
    for (SiteRow row : sites) {
      perSite.row(
          row.name(),
          row.pages(),
          row.records(),
          decimal(row.firstAfter(), 1) + " s",
          decimal(row.finishedAfter(), 1) + " s",
          decimal(row.finishOverIdeal(), 2));
    }
    TextTable overall =
        new TextTable("overall", "")
            .row("pages", pages)
            .row("records", records)
            .row("repeated requests", repeatedRequests)
            .row("took", decimal(seconds(took), 1) + " s")
            .row("pages per second", decimal(pagesPerSecond(), 1))
            .row("receives per page", decimal(figures.receives(), 2))
            .row("SQS requests per page", decimal(figures.sqsRequests(), 2))
            .row("DynamoDB units per page", decimal(figures.dynamoUnits(), 2))
            .row("throttled per page", decimal(figures.throttled(), 2))
            .row("small half's finish ÷ ideal, p95", decimal(smallHalfFinishOverIdealP95, 2))
            .row("makespan ÷ ideal", decimal(makespanOverIdeal, 2));
    StringBuilder text = new StringBuilder().append(perSite).append('\n').append(overall);
    text.append('\n');
    if (ok()) {
      text.append("Every page ended in a state, and every record equals its page.\n");
    } else {
      faults.forEach(fault -> text.append("WRONG: ").append(fault).append('\n'));
    }
    return text.toString();
  }

  /** Returns the report for machines. */
  ObjectNode json() {
    ObjectNode json = JsonFile.object();
    json.put("ok", ok());
    json.put("sites", sites.size());
    json.put("pages", pages);
    json.put("records", records);
    json.put("repeatedRequests", repeatedRequests);
    json.put("seconds", seconds(took));
    json.put("pagesPerSecond", pagesPerSecond());
    json.put("receivesPerPage", figures.receives());
    json.put("sqsRequestsPerPage", figures.sqsRequests());
    json.put("dynamoUnitsPerPage", figures.dynamoUnits());
    json.put("throttledPerPage", figures.throttled());
    json.put("smallHalfFinishOverIdealP95", smallHalfFinishOverIdealP95);
    json.put("makespanOverIdeal", makespanOverIdeal);
    ArrayNode perSite = json.putArray("perSite");
    for (SiteRow row : sites) {
      perSite
          .addObject()
          .put("site", row.name())
          .put("pages", row.pages())
          .put("records", row.records())
          .put("firstAfterSeconds", row.firstAfter())
          .put("finishedAfterSeconds", row.finishedAfter())
          .put("finishOverIdeal", row.finishOverIdeal());
    }
    ArrayNode wrong = json.putArray("faults");
    faults.forEach(wrong::add);
    return json;
  }

  private static String decimal(double value, int places) {
    return String.format(Locale.ROOT, "%." + places + "f", value);
  }
}
