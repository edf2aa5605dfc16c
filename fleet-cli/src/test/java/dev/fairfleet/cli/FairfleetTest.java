package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.local.DataDir;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What the command says when it is misused; nothing here starts a fleet. */
final class FairfleetTest {
  @TempDir private Path folder = Path.of("");

  /** How a command ended, and what it wrote. */
  private record Outcome(int code, String out, String err) {}

  private static Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        Fairfleet.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(arguments);
    return new Outcome(code, out.toString(), err.toString());
  }

  /** Runs a crawl whose data folder, should it get that far, is this test's. */
  private Outcome crawl(String... arguments) {
    List<String> all = new ArrayList<>(List.of("crawl", "--data-dir", data().toString()));
    all.addAll(List.of(arguments));
    return run(all.toArray(String[]::new));
  }

  private Path data() {
    return folder.resolve("data");
  }

  private String sites(String yaml) throws IOException {
    return Files.writeString(folder.resolve("sites.yaml"), yaml).toString();
  }

  /** Exit code 2, one paragraph, each of the texts, and nothing begun. */
  private void assertMisuse(Outcome outcome, String... texts) {
    assertThat(outcome.code()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.err())
        .startsWith("fairfleet: ")
        .contains(texts)
        .doesNotContain("\tat ", "Exception", "\n\n");
    assertThat(data()).doesNotExist();
  }

  @Test
  void execute_unknownOption_namesItAndShowsUsage() {
    Outcome outcome = run("demo", "--colour", "red");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("Unknown option", "--colour", "Usage: fairfleet demo");
  }

  @Test
  void execute_unknownCommand_suggestsOrShowsUsage() {
    Outcome outcome = run("crwal");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("crwal", "fairfleet crawl");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "drill"})
  void execute_noCommand_asksForOneAndShowsUsage(String command) {
    Outcome outcome = command.isEmpty() ? run() : run(command);
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("Name a ", "Usage: fairfleet " + command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demo",
        "crawl",
        "drill kill",
        "drill ugly",
        "drill recrawl",
        "drill deletions",
        "bench",
        "simulate"
      })
  void execute_help_showsAnExample(String command) {
    Outcome outcome = run((command + " --help").split(" "));
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains("Usage: fairfleet " + command, "Example: fairfleet " + command);
  }

  @Test
  void execute_helpOfAll_namesEveryCommandAndWhatToTry() {
    Outcome outcome = run("--help");
    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains("demo", "crawl", "drill", "bench", "simulate", "Try it: fairfleet demo");
  }

  @Test
  void crawl_nothingNamed_saysWhatToName() {
    assertMisuse(crawl(), "URLs, or --sites FILE.yaml", "fairfleet crawl --help");
  }

  @Test
  void crawl_rootIsNoUrl_namesIt() {
    assertMisuse(crawl("not a url", "--contact", "me@example.org"), "site 1", "not a url");
  }

  @Test
  void crawl_twoOfThreeSitesAreBad_reportsBothAtOnce() {
    assertMisuse(
        crawl("ftp://a.example/", "https://b.example/", "::", "--contact", "me@example.org"),
        "site 1: ",
        "ftp",
        "site 3: ");
  }

  @Test
  void crawl_malformedYaml_namesTheLine() throws IOException {
    String file = sites("sites:\n  - root: https://a.example/\n   id: a\n");
    assertMisuse(crawl("--sites", file), file, ", line 3", "is no such YAML");
  }

  @Test
  void crawl_unknownKeyInYaml_namesItAndTheAllowedOnes() throws IOException {
    String file =
        sites(
            "sites:\n  - root: https://a.example/\n  - root: https://b.example/\n    colour: red\n");
    assertMisuse(
        crawl("--sites", file), file + ", site 2: \"colour\" is no key here", "naturalKey");
  }

  @Test
  void crawl_twoSitesOfOneIdInYaml_saysToGiveAnother() throws IOException {
    String file =
        sites(
            "sites:\n  - root: https://a.example/\n  - {id: a.example, root: https://b.example/}\n");
    assertMisuse(crawl("--sites", file), "site 2", "a.example is taken", "give it another");
  }

  @Test
  void crawl_emptyYaml_saysHowItBegins() throws IOException {
    assertMisuse(crawl("--sites", sites("sites: []\n")), "names no site", "\"sites:\" and a list");
  }

  @Test
  void crawl_missingFile_namesIt() {
    String file = folder.resolve("nowhere.yaml").toString();
    assertMisuse(crawl("--sites", file), "There is no file " + file, "Name a YAML file");
  }

  @Test
  void crawl_rootsAndFile_saysNotBoth() throws IOException {
    assertMisuse(
        crawl("https://a.example/", "--sites", sites("sites:\n  - root: https://b.example/\n")),
        "roots or a file of sites, not both");
  }

  @Test
  void crawl_rootElsewhereWithoutContact_asksForContact() {
    assertMisuse(crawl("https://shop.example/"), "add --contact", "reach you");
  }

  @Test
  void crawl_thisMachineAndOthersTogether_saysToCrawlThemApart() {
    assertMisuse(
        crawl("http://localhost:1/", "https://shop.example/", "--contact", "me@example.org"),
        "[localhost:1]",
        "Crawl them apart");
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "5", "-1s", "1.5s", "99999999999999999999s"})
  void crawl_delayThatIsNone_saysHowItIsWritten(String delay) {
    assertMisuse(
        crawl("http://localhost:1/", "--delay=" + delay),
        "500ms, 2s, 1m, 6h or 1d",
        "\"" + delay + "\"");
  }

  @Test
  void crawl_rateOfZero_namesTheLeastOne() {
    assertMisuse(
        crawl("http://localhost:1/", "--rate", "0"), "requestsPerHour must be at least 1, not 0");
  }

  @Test
  void crawl_noWorkers_saysThatOneIsNeeded() {
    assertMisuse(crawl("http://localhost:1/", "--workers", "0"), "at least one worker");
  }

  @Test
  void crawl_outInNoFolder_isRefusedBeforeTheWork() {
    String out = folder.resolve("nowhere").resolve("out.jsonl").toString();
    assertMisuse(
        crawl("http://localhost:1/", "--out", out), "Cannot write " + out, "folder is missing");
  }

  @Test
  void crawl_dataFolderOfARunningFleet_exitsWith1AndSaysWhatToDo() {
    try (DataDir running = DataDir.open(data())) {
      Outcome outcome = crawl("http://localhost:1/");
      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.err())
          .startsWith("fairfleet: Another fleet (pid " + ProcessHandle.current().pid() + ")")
          .contains(running.root().toString(), "another data folder")
          .doesNotContain("\tat ");
    }
  }

  @Test
  void demo_unknownUglyHost_isNamedAndTheListIsPointedAt() {
    assertMisuse(run("demo", "--ugly", "--host", "nobody"), "no host nobody", "--list");
  }

  @Test
  void demo_listWithoutUgly_isMisuse() {
    assertMisuse(run("demo", "--list"), "add --ugly");
    assertMisuse(run("demo", "--host", "silent"), "add --ugly");
  }

  @Test
  void drillUgly_noHealthySite_isMisuse() {
    assertMisuse(run("drill", "ugly", "--healthy", "0"), "at least one ugly host");
  }

  @Test
  void demo_fewerPagesThanSites_repeatsWhatWasAsked() {
    assertMisuse(run("demo", "--sites", "5", "--pages", "4"), "5 sites", "4 pages");
  }

  @Test
  void drillKill_noRuns_saysWhatIsNeeded() {
    assertMisuse(run("drill", "kill", "--runs", "0"), "at least one run");
  }

  @Test
  void drillRecrawl_onePage_isMisuse() {
    assertMisuse(run("drill", "recrawl", "--pages", "1"), "at least two pages");
  }

  @Test
  void drillDeletions_fewPages_isMisuse() {
    assertMisuse(run("drill", "deletions", "--pages", "49"), "at least 50 pages");
  }

  @Test
  void bench_noSites_saysWhatIsNeeded() {
    assertMisuse(run("bench", "--sites", "0"), "at least one site");
  }
}
