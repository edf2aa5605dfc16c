package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.sim.Outcome;
import dev.fairfleet.sim.Scenario;
import dev.fairfleet.sim.Scenario.Faults;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What simulations of several policies on one scenario showed, as text and as JSON.
 *
 * @param policies at least one
 */
record SimulationReport(Scenario scenario, List<SimulationFigures> policies) {
  /** A line of the comparison. */
  private record Row(String title, int places, ToDoubleFunction<SimulationFigures> figure) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("makespan ÷ ideal", 3, SimulationFigures::makespan),
          new Row("small half's finish ÷ ideal, p50", 3, figures -> figures.smallHalf(0.5)),
          new Row("… p95", 3, figures -> figures.smallHalf(0.95)),
          new Row("… latest", 3, figures -> figures.smallHalf(1)),
          new Row("Jain's fairness index, mean over time", 3, SimulationFigures::jain),
          new Row("dwell time, p50, s", 1, f -> f.median(outcome -> outcome.dwell().p50())),
          new Row("… p95, s", 1, SimulationFigures::dwell95),
          new Row("… p99, s", 1, f -> f.median(outcome -> outcome.dwell().p99())),
          new Row("receives per page", 3, SimulationFigures::receives),
          new Row("SQS requests per page", 3, SimulationFigures::requests),
          new Row("… receives", 3, f -> f.median(outcome -> outcome.costs().receiveRequests())),
          new Row("… sends", 3, f -> f.median(outcome -> outcome.costs().sends())),
          new Row("… deletes", 3, f -> f.median(outcome -> outcome.costs().deletes())),
          new Row("… visibility changes", 3, f -> f.median(outcome -> outcome.costs().changes())),
          new Row("SQS dollars per million pages", 2, SimulationFigures::dollars),
          new Row("most in flight", 0, SimulationFigures::mostInFlight),
          new Row("put back before their turn, per page", 3, SimulationReport::throttledPerPage),
          new Row("promises broken", 0, SimulationFigures::violations));

  private static double throttledPerPage(SimulationFigures figures) {
    return figures.median(
        outcome -> (double) outcome.counts().throttled() / outcome.counts().pages());
  }

  /** Returns a number with so many decimal places, thousands apart. */
  static String decimal(double value, int places) {
    return String.format(Locale.ROOT, "%,." + places + "f", value);
  }

  /** Returns the comparison as rows of cells: a title, then a value per policy. */
  List<List<String>> cells() {
    return ROWS.stream()
        .map(
            row ->
                Stream.concat(
                        Stream.of(row.title()),
                        policies.stream()
                            .map(each -> decimal(row.figure().applyAsDouble(each), row.places())))
                    .toList())
        .toList();
  }

  /** Returns what was simulated, in a sentence. */
  String subject() {
    int seeds = policies.getFirst().runs().size();
    return String.format(
        Locale.ROOT,
        "%s: %,d sites, %,d pages, at most %,d requests per hour and site%s; %d workers of %d slots, %s per page%s%s",
        scenario.name(),
        scenario.sites(),
        scenario.pages(),
        scenario.hourlyLimit(),
        scenario.minDelay().isZero() ? "" : ", " + seconds(scenario.minDelay()) + " apart",
        scenario.workers(),
        scenario.slots(),
        seconds(scenario.service()),
        scenario.faults().equals(Faults.NONE) ? "" : "; with faults",
        seeds == 1 ? "" : "; medians of " + seeds + " seeds");
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() / 1_000.0 + " s";
  }

  String text() {
    String[] titles =
        Stream.concat(Stream.of(""), policies.stream().map(SimulationFigures::name))
            .toArray(String[]::new);
    TextTable table = new TextTable(titles);
    cells().forEach(row -> table.row(row.toArray()));
    SqsPrices prices = policies.getFirst().prices();
    return subject()
        + "\n\n"
        + table
        + "\nPrices of "
        + prices.region()
        + ", "
        + prices.asOf()
        + ".\n"
        + violations(policies.stream().flatMap(each -> each.runs().stream()).toList());
  }

  /** Returns a paragraph for each promise that was broken, with the command that shows it again. */
  static String violations(List<SimulationRun.Done> runs) {
    StringBuilder text = new StringBuilder();
    for (SimulationRun.Done done : runs) {
      for (Outcome.Violation violation : done.outcome().violations()) {
        text.append(
            String.format(
                Locale.ROOT,
                "%nBroken under %s, seed %d, after %.3f s: %s (%s)%n  replay: %s%n",
                SimulationRun.name(done.run().policy()),
                done.run().seed(),
                violation.at(),
                violation.promise(),
                violation.what(),
                done.run().command()));
      }
    }
    return text.toString();
  }

  ObjectNode json() {
    ObjectNode node = JsonFile.object();
    node.set("scenario", scenarioJson());
    ObjectNode ideal = node.putObject("ideal");
    SimulationFigures any = policies.getFirst();
    ideal.put("makespanSeconds", any.median(Outcome::idealMakespan));
    ideal.put("smallHalfFinishSecondsP50", any.median(outcome -> idealOfSmallHalf(outcome, 0.5)));
    ideal.put("smallHalfFinishSecondsP95", any.median(outcome -> idealOfSmallHalf(outcome, 0.95)));
    ideal.put("fleetPagesPerSecond", scenario.capacity());
    ideal.put("sitePagesPerSecond", scenario.pagesPerSecond());
    ArrayNode array = node.putArray("policies");
    policies.forEach(each -> array.add(policyJson(each)));
    return node;
  }

  private static double idealOfSmallHalf(Outcome outcome, double share) {
    List<Outcome.SiteEnd> sites = outcome.sites();
    return Statistics.percentile(
        sites.subList(sites.size() / 2, sites.size()).stream().map(Outcome.SiteEnd::ideal).toList(),
        share);
  }

  private ObjectNode scenarioJson() {
    ObjectNode node = JsonFile.object();
    node.put("name", scenario.name());
    node.put("sites", scenario.sites());
    node.put("pages", scenario.pages());
    node.put("sizes", scenario.sizes().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    node.put("hourlyLimit", scenario.hourlyLimit());
    node.put("minDelaySeconds", scenario.minDelay().toMillis() / 1_000.0);
    node.put("workers", scenario.workers());
    node.put("slots", scenario.slots());
    node.put("perServer", scenario.perServer());
    node.put("serviceSeconds", scenario.service().toMillis() / 1_000.0);
    Faults faults = scenario.faults();
    ObjectNode wrong = node.putObject("faults");
    wrong.put("duplicates", faults.duplicates());
    wrong.put("late", faults.late());
    wrong.put("killEverySeconds", faults.killEvery().toMillis() / 1_000.0);
    wrong.put("throttling", faults.throttling());
    wrong.put("skewSeconds", faults.skew().toMillis() / 1_000.0);
    wrong.put("purgeAtSeconds", faults.purgeAt().toMillis() / 1_000.0);
    wrong.put("inFlightQuota", faults.inFlightQuota());
    return node;
  }

  private static ObjectNode policyJson(SimulationFigures figures) {
    ObjectNode node = JsonFile.object();
    node.put("name", figures.name());
    node.put("makespanOverIdeal", figures.makespan());
    node.put("smallHalfFinishOverIdealP50", figures.smallHalf(0.5));
    node.put("smallHalfFinishOverIdealP95", figures.smallHalf(0.95));
    node.put("smallHalfFinishOverIdealMax", figures.smallHalf(1));
    node.put("jain", figures.jain());
    node.put("dwellP50Seconds", figures.median(outcome -> outcome.dwell().p50()));
    node.put("dwellP95Seconds", figures.dwell95());
    node.put("dwellP99Seconds", figures.median(outcome -> outcome.dwell().p99()));
    node.put("receivesPerPage", figures.receives());
    node.put("sqsRequestsPerPage", figures.requests());
    ObjectNode split = node.putObject("sqsRequestsPerPageByCall");
    split.put("receive", figures.median(outcome -> outcome.costs().receiveRequests()));
    split.put("send", figures.median(outcome -> outcome.costs().sends()));
    split.put("delete", figures.median(outcome -> outcome.costs().deletes()));
    split.put("changeVisibility", figures.median(outcome -> outcome.costs().changes()));
    node.put("maxInFlight", Math.round(figures.mostInFlight()));
    node.put("dollarsPerMillionPages", figures.dollars());
    node.put("invariantViolations", figures.violations());
    ArrayNode runs = node.putArray("runs");
    figures.runs().forEach(done -> runs.add(runJson(done)));
    return node;
  }

  private static ObjectNode runJson(SimulationRun.Done done) {
    Outcome outcome = done.outcome();
    ObjectNode node = JsonFile.object();
    node.put("seed", outcome.seed());
    node.put("command", done.run().command());
    node.put("makespanSeconds", outcome.makespan());
    node.put("idealMakespanSeconds", outcome.idealMakespan());
    node.put("smallHalfFinishOverIdealP95", outcome.smallHalfOverIdeal(0.95));
    node.put("events", outcome.events());
    node.set("counts", JsonFile.tree(outcome.counts()));
    node.set("violations", JsonFile.tree(outcome.violations()));
    return node;
  }
}
