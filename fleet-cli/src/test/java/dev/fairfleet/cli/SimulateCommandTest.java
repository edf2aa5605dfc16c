package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class SimulateCommandTest {
  @TempDir private Path folder = Path.of("");
  private String small = "";

  /** How a command ended, and what it wrote. */
  private record Ended(int code, String out, String err) {}

  @BeforeEach
  void writeScenario() throws IOException {
    small =
        Files.writeString(
                folder.resolve("small.yaml"),
                "{sites: 20, pages: 600, hourlyLimit: 1200, workers: 2, slots: 4}")
            .toString();
  }

  private Ended simulate(String... options) {
    List<String> arguments = new ArrayList<>(List.of("simulate"));
    arguments.addAll(List.of(options));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Fairfleet.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(arguments.toArray(String[]::new));
    return new Ended(code, out.toString(), err.toString());
  }

  private JsonNode json(String... options) throws IOException {
    Path file = folder.resolve("report.json");
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--json", file.toString()));
    assertThat(simulate(all.toArray(String[]::new)).code()).isZero();
    return new ObjectMapper().readTree(file.toFile());
  }

  @Test
  void simulate_threePolicies_comparesThemOnStandardOutput() {
    Ended ended = simulate("--scenario", small, "--policy", "reserved,classic,fifo");
    assertThat(ended.code()).isZero();
    assertThat(ended.out())
        .contains("small: 20 sites, 600 pages, at most 1,200 requests per hour")
        .containsPattern("reserved +classic +fifo")
        .contains("receives per page", "SQS dollars per million pages", "us-east-1, 2026-11")
        .containsPattern("promises broken +0 +0 +0");
    assertThat(ended.err()).contains("small, reserved, seed 1: ", "small, fifo, seed 1: ");
  }

  @Test
  void simulate_json_hasTheFieldsThatToolsReadAndTheyAddUp() throws IOException {
    JsonNode report = json("--scenario", small, "--policy", "reserved,classic", "--seeds", "2");
    assertThat(report.at("/ideal/makespanSeconds").asDouble()).isPositive();
    assertThat(report.at("/policies")).hasSize(2);
    assertThat(report.at("/policies/1/name").asText()).isEqualTo("classic");
    JsonNode reserved = report.at("/policies/0");
    assertThat(reserved.get("name").asText()).isEqualTo("reserved");
    for (String field :
        List.of(
            "makespanOverIdeal",
            "smallHalfFinishOverIdealP50",
            "smallHalfFinishOverIdealP95",
            "jain",
            "dwellP95Seconds",
            "receivesPerPage",
            "sqsRequestsPerPage",
            "maxInFlight",
            "dollarsPerMillionPages")) {
      assertThat(reserved.get(field).asDouble()).as(field).isPositive();
    }
    assertThat(reserved.get("invariantViolations").asInt(-1)).isZero();
    assertThat(reserved.get("runs")).hasSize(2);
    assertThat(reserved.at("/runs/1/seed").asLong()).isEqualTo(2);
    assertThat(reserved.at("/runs/0/counts/pages").asLong()).isEqualTo(600);
    assertThat(reserved.at("/runs/0/makespanSeconds").asDouble())
        .isGreaterThanOrEqualTo(0.9 * report.at("/ideal/makespanSeconds").asDouble());
  }

  @Test
  void simulate_otherPrices_costAccordingly() throws IOException {
    Path free =
        Files.writeString(
            folder.resolve("prices.yaml"), "perMillionRequests: 0\nperMillionFairRequests: 2\n");
    JsonNode report =
        json("--scenario", small, "--policy", "reserved,fifo", "--prices", free.toString());
    assertThat(report.at("/policies/0/dollarsPerMillionPages").asDouble())
        .isEqualTo(2 * report.at("/policies/0/sqsRequestsPerPage").asDouble());
    assertThat(report.at("/policies/1/dollarsPerMillionPages").asDouble(-1)).isZero();
  }

  @Test
  void simulate_options_overrideTheFile() throws IOException {
    JsonNode scenario =
        json(
                "--scenario",
                small,
                "--sites",
                "7",
                "--pages",
                "70",
                "--sizes",
                "equal",
                "--hourly-limit",
                "3600",
                "--delay",
                "1s",
                "--workers",
                "1",
                "--slots",
                "3",
                "--service",
                "500ms",
                "--faults",
                "many")
            .get("scenario");
    assertThat(scenario.get("sites").asInt()).isEqualTo(7);
    assertThat(scenario.get("pages").asInt()).isEqualTo(70);
    assertThat(scenario.get("sizes").asText()).isEqualTo("equal");
    assertThat(scenario.get("hourlyLimit").asInt()).isEqualTo(3_600);
    assertThat(scenario.get("minDelaySeconds").asDouble()).isEqualTo(1);
    assertThat(scenario.get("workers").asInt()).isEqualTo(1);
    assertThat(scenario.get("slots").asInt()).isEqualTo(3);
    assertThat(scenario.get("serviceSeconds").asDouble()).isEqualTo(0.5);
    assertThat(scenario.at("/faults/duplicates").asDouble()).isEqualTo(0.01);
  }

  @Test
  void simulate_brokenPromise_exitsWith1AndNamesTheCommandThatReplaysIt() throws IOException {
    // Killed every second, the only worker never gets to do anything.
    String hopeless =
        Files.writeString(
                folder.resolve("hope less.yaml"),
                "{sites: 2, pages: 4, workers: 1, slots: 1, faults: {killEvery: 1s}}")
            .toString();
    Ended ended = simulate("--scenario", hopeless, "--sites", "3", "--seed", "5");
    assertThat(ended.code()).isEqualTo(1);
    Matcher replay = Pattern.compile("replay: fairfleet simulate (.*)").matcher(ended.out());
    assertThat(replay.find()).as(ended.out()).isTrue();
    assertThat(ended.out())
        .containsPattern("Broken under reserved, seed 5, after 43\\d+\\.\\d+ s: no page is lost");
    assertThat(replay.group(1))
        .isEqualTo("--scenario '" + hopeless + "' --sites 3 --policy reserved --seed 5");
    assertThat(
            simulate("--scenario", hopeless, "--sites", "3", "--policy", "reserved", "--seed", "5"))
        .extracting(Ended::out)
        .isEqualTo(ended.out());
  }

  @Test
  void simulate_html_needsNoOtherFileAndShowsEveryPolicy() throws IOException {
    Path file = folder.resolve("report.html");
    Ended ended =
        simulate("--scenario", small, "--policy", "reserved,classic", "--html", file.toString());
    assertThat(ended.code()).isZero();
    String page = Files.readString(file);
    assertThat(page)
        .startsWith("<!doctype html>")
        .contains("<strong>reserved</strong> All is done", "<strong>classic</strong> All is done")
        .contains("When each site was finished", "Tasks in SQS under classic", "Jain")
        .doesNotContain("http:", "https:", "url(", "@import", "<script", "src=", "<link", "NaN");
    assertThat(page.split("<svg", -1)).hasSize(1 + 5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--sites|0|at least one site",
        "--sites|few|--sites: \"few\" is no number",
        "--delay|5|--delay: a duration is written 500ms",
        "--seeds|0|--seeds is at least 1",
        "--scenario|nothing|neither a file nor one of the scenarios",
        "--out|table.md|--out is for --suite",
        "--prices|nowhere.yaml|There is no file nowhere.yaml"
      })
  void simulate_badOption_exitsWith2AndSaysWhatIsAllowed(String option, String value, String says) {
    Ended ended = simulate(option, value);
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).startsWith("fairfleet: ").contains(says).doesNotContain("\tat ");
  }

  @Test
  void simulate_unknownPolicy_exitsWith2() {
    Ended ended = simulate("--policy", "reserved,best");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).contains("best");
  }

  @Test
  void simulate_suiteWithASetting_saysThatItHasNone() {
    Ended ended = simulate("--suite", "--sites", "10");
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).contains("as they are", "--seeds");
  }

  @Test
  void simulate_fileInNoFolder_isRefusedBeforeTheWork() {
    String nowhere = folder.resolve("nowhere").resolve("report.html").toString();
    Ended ended = simulate("--html", nowhere);
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.err()).contains("Cannot write " + nowhere);
  }
}
