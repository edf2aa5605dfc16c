package dev.fairfleet.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fairfleet.local.web.ugly.Crawled;
import dev.fairfleet.local.web.ugly.Expectation;
import dev.fairfleet.local.web.ugly.UglyHost;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a crawl of the ugly web came to: for each host what was expected beside what was.
 *
 * @param took from the seed until nothing more was waited for
 */
record UglyReport(List<Row> rows, int workers, Duration took) {
  private static final int MOST_FAULTS = 4;

  UglyReport {
    rows = List.copyOf(rows);
  }

  /** One expectation, and what came instead; nothing if it was met. */
  record Check(Expectation expectation, String instead) {
    boolean ok() {
      return instead.isEmpty();
    }
  }

  /**
   * One host.
   *
   * @param actual how the URLs ended that were expected to end in some way, and how many of the
   *     other expectations were met
   */
  record Row(UglyHost host, String actual, List<Check> checks) {
    Row {
      checks = List.copyOf(checks);
    }

    static Row of(UglyHost host, Crawled crawled) {
      List<Check> checks =
          host.expectations().stream()
              .map(it -> new Check(it, it.fault(crawled).orElse("")))
              .toList();
      long met =
          checks.stream()
              .filter(it -> it.ok() && !(it.expectation() instanceof Expectation.Ends))
              .count();
      return new Row(
          host,
          summary(host, ends -> crawled.end(ends.url()).toString(), met + " of " + others(host)),
          checks);
    }

    boolean ok() {
      return checks.stream().allMatch(Check::ok);
    }
  }

  /** Returns what is expected of a host, in short. */
  static String expected(UglyHost host) {
    return summary(host, Expectation.Ends::words, Long.toString(others(host)));
  }

  private static long others(UglyHost host) {
    return host.expectations().stream().filter(it -> !(it instanceof Expectation.Ends)).count();
  }

  /** Counts URLs by their ends, and adds the number of other checks, if there are any. */
  private static String summary(
      UglyHost host, Function<Expectation.Ends, String> end, String otherChecks) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Expectation expectation : host.expectations()) {
      if (expectation instanceof Expectation.Ends ends) {
        counts.merge(end.apply(ends), 1, Integer::sum);
      }
    }
    String urls =
        counts.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey())
            .collect(Collectors.joining(", "));
    return others(host) == 0 ? urls : (urls.isEmpty() ? "" : urls + "; ") + otherChecks + " more";
  }

  boolean ok() {
    return rows.stream().allMatch(Row::ok);
  }

  String text() {
    TextTable table = TextTable.ofText("host", "expected", "actual", "");
    for (Row row : rows) {
      table.row(row.host().name(), expected(row.host()), row.actual(), row.ok() ? "ok" : "WRONG");
    }
    StringBuilder text = new StringBuilder(table.toString());
    rows.stream().filter(row -> !row.ok()).forEach(row -> appendFaults(row, text));
    long ok = rows.stream().filter(Row::ok).count();
    return text.append('\n')
        .append(rows.size())
        .append(" hosts, ")
        .append(workers)
        .append(" workers, ")
        .append(took.toSeconds())
        .append(" s: ")
        .append(ok)
        .append(" ok, ")
        .append(rows.size() - ok)
        .append(" wrong.\n")
        .toString();
  }

  private static void appendFaults(Row row, StringBuilder text) {
    text.append('\n').append(row.host().name()).append(": ").append(row.host().does());
    List<Check> faults = row.checks().stream().filter(check -> !check.ok()).toList();
    for (Check fault : faults.subList(0, Math.min(MOST_FAULTS, faults.size()))) {
      text.append("\n  expected ").append(fault.expectation());
      text.append("\n  but ").append(fault.instead());
    }
    if (faults.size() > MOST_FAULTS) {
      text.append("\n  and ").append(faults.size() - MOST_FAULTS).append(" more");
    }
    text.append('\n');
  }

  ObjectNode json() {
    ObjectNode json = JsonFile.object();
    json.put("ok", ok());
    json.put("seconds", took.toMillis() / 1e3);
    ArrayNode hosts = json.putArray("hosts");
    for (Row row : rows) {
      ObjectNode host = hosts.addObject();
      host.put("name", row.host().name());
      host.put("does", row.host().does());
      host.put("ok", row.ok());
      host.put("actual", row.actual());
      ArrayNode checks = host.putArray("checks");
      for (Check check : row.checks()) {
        ObjectNode node = checks.addObject();
        node.put("expected", check.expectation().toString());
        node.put("ok", check.ok());
        if (!check.ok()) {
          node.put("instead", check.instead());
        }
      }
    }
    return json;
  }
}
