package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.local.web.RequestLog;
import dev.fairfleet.local.web.ugly.Crawled;
import dev.fairfleet.local.web.ugly.End;
import dev.fairfleet.local.web.ugly.UglyHost;
import dev.fairfleet.local.web.ugly.UglyWeb;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class UglyReportTest {
  private static final String ROOT = "http://error-500.localhost:80/";
  private static final UglyHost HOST =
      UglyWeb.hosts().stream()
          .filter(host -> host.name().equals("error-500"))
          .findFirst()
          .orElseThrow();

  private final RequestLog log = new RequestLog(() -> 0);

  private UglyReport report(End end, int requests) {
    for (int i = 0; i < requests; i++) {
      log.add("error-500.localhost", "/");
    }
    Crawled crawled =
        new Crawled(
            "error-500.localhost",
            80,
            Map.of(ROOT, new Crawled.Page(end, "status 500 (2 attempts)")),
            Map.of(),
            log);
    return new UglyReport(List.of(UglyReport.Row.of(HOST, crawled)), 2, Duration.ofSeconds(3));
  }

  @Test
  void report_allAsExpected_isOk() {
    UglyReport report = report(End.FAILED, 2);
    assertThat(report.ok()).isTrue();
    assertThat(report.text())
        .containsPattern("error-500 +1 FAILED; 1 more +1 FAILED; 1 of 1 more +ok\n")
        .endsWith("1 hosts, 2 workers, 3 s: 1 ok, 0 wrong.\n");
    assertThat(report.json().get("ok").asBoolean()).isTrue();
  }

  @Test
  void report_anotherEndAndCount_saysWhatWasExpectedAndWhatWas() {
    UglyReport report = report(End.DONE, 1);
    assertThat(report.ok()).isFalse();
    assertThat(report.text())
        .containsPattern("error-500 +1 FAILED; 1 more +1 DONE; 0 of 1 more +WRONG\n")
        .contains(
            "  expected / FAILED (500)\n  but / is DONE \"status 500 (2 attempts)\"\n",
            "  expected / asked for 2 times\n  but / was asked for 1 times\n")
        .endsWith("0 ok, 1 wrong.\n");
    assertThat(report.json().at("/hosts/0/checks/0/instead").asText()).startsWith("/ is DONE");
  }
}
