package dev.fairfleet.cli;

import dev.fairfleet.cli.LineChart.Axis;
import dev.fairfleet.cli.LineChart.Point;
import dev.fairfleet.cli.LineChart.Series;
import dev.fairfleet.sim.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * A report as a page for a browser: one file that needs no other, with charts of the first seed's
 * runs.
 */
record SimulationPage(SimulationReport report) {
  private static final int MOST_POINTS = 300;
  private static final double HOUR = 3_600;
  private static final double MINUTE = 60;
  private static final String IDEAL = "ideal";

  /** Returns the page. */
  String html() {
    return """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>Fairfleet simulation: %s</title>
        <style>
        %s</style>
        </head>
        <body>
        <main>
        <h1>How fair, how fast, how cheap</h1>
        <p class="subject">%s</p>
        %s
        %s
        %s
        <footer>Virtual time, the very policies that the workers run. Prices: SQS, %s, %s.</footer>
        </main>
        </body>
        </html>
        """
        .formatted(
            escaped(report.scenario().name()),
            style(),
            escaped(report.subject()),
            headlines(),
            table(),
            charts(),
            escaped(prices().region()),
            escaped(prices().asOf()));
  }

  private SqsPrices prices() {
    return report.policies().getFirst().prices();
  }

  private static String style() {
    try (InputStream in = SimulationPage.class.getResourceAsStream("simulation.css")) {
      if (in == null) {
        throw new IllegalStateException("simulation.css is missing beside " + SimulationPage.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String headlines() {
    StringBuilder text = new StringBuilder();
    for (SimulationFigures each : report.policies()) {
      text.append(
          String.format(
              Locale.ROOT,
              "<p class=\"headline %s\"><strong>%s</strong> %s</p>%n",
              each.name(),
              each.name(),
              headline(each)));
    }
    return text.toString();
  }

  private static String headline(SimulationFigures figures) {
    return String.format(
        Locale.ROOT,
        "All is done after %.2f times the ideal time, and 95 of 100 small sites within %.2f times theirs. A page is received %.2f times; a million pages cost $%,.2f for SQS. %s",
        figures.makespan(),
        figures.smallHalf(0.95),
        figures.receives(),
        figures.dollars(),
        figures.violations() == 0
            ? "Every promise was kept."
            : "<em>" + figures.violations() + " promises were broken.</em>");
  }

  private String table() {
    StringBuilder text = new StringBuilder("<table><thead><tr><th></th>");
    report.policies().forEach(each -> text.append("<th>").append(each.name()).append("</th>"));
    text.append("</tr></thead><tbody>");
    for (List<String> row : report.cells()) {
      text.append("<tr><th scope=\"row\">").append(escaped(row.getFirst())).append("</th>");
      row.stream().skip(1).forEach(cell -> text.append("<td>").append(cell).append("</td>"));
      text.append("</tr>");
    }
    return text.append("</tbody></table>").toString();
  }

  private String charts() {
    List<String> names = report.policies().stream().map(SimulationFigures::name).toList();
    List<String> withIdeal = new ArrayList<>(names);
    withIdeal.add(IDEAL);
    StringBuilder text = new StringBuilder();
    text.append(
        figure(
            "When each site was finished",
            "A dot on the line was finished when it would have been if all sites had shared the fleet like fluids. A dot above it had to wait.",
            withIdeal,
            finishChart().svg()));
    report
        .policies()
        .forEach(
            each ->
                text.append(
                    figure(
                        "Tasks in SQS under " + each.name(),
                        "Visible tasks wait for a worker, those in flight are held or put back by one, delayed ones wait for their slot.",
                        List.of("visible", "in-flight", "delayed"),
                        queueChart(each).svg())));
    text.append(
        figure(
            "Put back before their turn",
            "Tasks received too early, in a second. Each costs a receive and a change of visibility.",
            names,
            overTime("tasks per second", Outcome.Sample::throttledPerSecond).svg()));
    text.append(
        figure(
            "Jain's fairness index",
            "1 when every site that has pages left got the same number of pages so far, 1 ÷ n when one got all; as long as a tenth of the sites have pages left.",
            names,
            overTime("index", Outcome.Sample::jain).svg()));
    return text.toString();
  }

  private static String figure(String title, String says, List<String> legend, String svg) {
    StringBuilder text = new StringBuilder("<figure><h2>" + escaped(title) + "</h2><p>");
    text.append(escaped(says)).append("</p><ul class=\"legend\">");
    for (String name : legend) {
      text.append(
          String.format("<li><i class=\"%s\"></i>%s</li>", name, escaped(name.replace('-', ' '))));
    }
    return text.append("</ul>").append(svg).append("</figure>\n").toString();
  }

  private boolean showsHours() {
    return report.policies().stream().mapToDouble(each -> each.first().makespan()).max().orElse(0)
        > 2 * HOUR;
  }

  private double time(double seconds) {
    return seconds / (showsHours() ? HOUR : MINUTE);
  }

  private String timeTitle() {
    return showsHours() ? "hours from the start" : "minutes from the start";
  }

  /** By size where sizes differ, else by rank. */
  private LineChart finishChart() {
    List<Outcome.SiteEnd> sites = smallestFirst(report.policies().getFirst().first());
    boolean bySize = sites.getLast().pages() > sites.getFirst().pages();
    List<Series> series = new ArrayList<>();
    // The first named last, so that its dots are on top.
    for (SimulationFigures each : report.policies().reversed()) {
      series.add(
          new Series(
              each.name(),
              true,
              ends(smallestFirst(each.first()), bySize, Outcome.SiteEnd::finish)));
    }
    series.add(new Series(IDEAL, false, ends(sites, bySize, Outcome.SiteEnd::ideal)));
    return new LineChart(
        "Finish time of every site under each policy, and ideally",
        new Axis(bySize ? "pages of the site" : "site", bySize),
        new Axis("seconds from the start, log scale", true),
        series);
  }

  private static List<Outcome.SiteEnd> smallestFirst(Outcome outcome) {
    return outcome.sites().stream()
        .sorted(Comparator.comparingInt(Outcome.SiteEnd::pages))
        .toList();
  }

  private static List<Point> ends(
      List<Outcome.SiteEnd> sites, boolean bySize, ToDoubleFunction<Outcome.SiteEnd> of) {
    return IntStream.range(0, sites.size())
        .mapToObj(
            i -> new Point(bySize ? sites.get(i).pages() : i + 1, of.applyAsDouble(sites.get(i))))
        .toList();
  }

  private LineChart queueChart(SimulationFigures figures) {
    Function<ToDoubleFunction<Outcome.Sample>, List<Point>> of =
        figure -> points(figures.first().samples(), figure);
    return new LineChart(
        "Tasks in SQS over time under " + figures.name(),
        new Axis(timeTitle(), false),
        new Axis("tasks, log scale", true),
        List.of(
            new Series("visible", false, of.apply(Outcome.Sample::visible)),
            new Series("delayed", false, of.apply(Outcome.Sample::delayed)),
            new Series("in-flight", false, of.apply(Outcome.Sample::inFlight))));
  }

  private LineChart overTime(String title, ToDoubleFunction<Outcome.Sample> figure) {
    return new LineChart(
        title + " over time under each policy",
        new Axis(timeTitle(), false),
        new Axis(title, false),
        report.policies().stream()
            .map(each -> new Series(each.name(), false, points(each.first().samples(), figure)))
            .toList());
  }

  /** Returns means of neighbours, where there are more than a picture can show. */
  private List<Point> points(
      List<Outcome.Sample> samples, ToDoubleFunction<Outcome.Sample> figure) {
    int together = (samples.size() + MOST_POINTS - 1) / MOST_POINTS;
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < samples.size(); i += together) {
      List<Outcome.Sample> some = samples.subList(i, Math.min(samples.size(), i + together));
      double mean = some.stream().mapToDouble(figure).average().orElse(Double.NaN);
      if (!Double.isNaN(mean)) {
        points.add(new Point(time(some.getLast().at()), mean));
      }
    }
    return points;
  }

  /** Returns a text as HTML and XML show it. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
