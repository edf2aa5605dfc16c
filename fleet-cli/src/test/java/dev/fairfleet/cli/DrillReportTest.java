package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DrillReportTest {
  @Test
  void text_allAsExpected_isATableWithoutFaults() {
    DrillReport report =
        new DrillReport("a drill")
            .equal("pages", 3L, 3L)
            .below("bytes", 2, 1.5, "%.1f")
            .none("lost", List.of())
            .shown("seconds", 1.25, "%.1f");
    assertThat(report.ok()).isTrue();
    assertThat(report.text().lines().map(line -> line.replaceAll(" +", " ").strip()))
        .containsExactly(
            "a drill expected actual", "pages 3 3", "bytes < 2.0 1.5", "lost 0 0", "seconds 1.3");
    assertThat(report.json().get("ok").asBoolean()).isTrue();
  }

  @Test
  void ok_anyRowOff_isFalseAndTheRowSaysSo() {
    assertThat(new DrillReport("a").equal("pages", 3L, 4L).ok()).isFalse();
    assertThat(new DrillReport("a").below("bytes", 2, 2, "%.1f").ok()).isFalse();
    DrillReport report = new DrillReport("a").none("lost", List.of("P-1 is lost"));
    assertThat(report.ok()).isFalse();
    assertThat(report.text()).contains("WRONG\n", "WRONG: P-1 is lost\n");
    assertThat(report.json().get("faults").get(0).asText()).isEqualTo("P-1 is lost");
  }
}
