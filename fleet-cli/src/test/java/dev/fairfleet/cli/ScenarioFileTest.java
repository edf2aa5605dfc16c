package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fairfleet.sim.Scenario;
import dev.fairfleet.sim.Scenario.Faults;
import dev.fairfleet.sim.Scenario.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

final class ScenarioFileTest {
  @TempDir private Path folder = Path.of("");

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("mine.yaml"), text).toString();
  }

  private Scenario read(String text) throws IOException {
    return ScenarioFile.scenario(ScenarioFile.open(file(text)));
  }

  private void assertRefused(String text, String... parts) throws IOException {
    String name = file(text);
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> ScenarioFile.scenario(ScenarioFile.open(name)))
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  @Test
  void read_everyKey_isUnderstood() throws IOException {
    assertThat(
            read(
                """
                name: tuesday
                sites: 10
                pages: 12_000
                sizes: one-large
                hourlyLimit: 900
                minDelay: 1500ms
                workers: 3
                slots: 4
                perServer: 5
                service: 800ms
                faults:
                  duplicates: 0.01
                  late: 0.02
                  killEvery: 10m
                  throttling: 0.05
                  skew: 90s
                  purgeAt: 1m
                  inFlightQuota: 500
                """))
        .isEqualTo(
            new Scenario(
                "tuesday",
                10,
                12_000,
                Sizes.ONE_LARGE,
                900,
                Duration.ofMillis(1_500),
                3,
                4,
                5,
                Duration.ofMillis(800),
                new Faults(
                    0.01,
                    0.02,
                    Duration.ofMinutes(10),
                    0.05,
                    Duration.ofSeconds(90),
                    Duration.ofMinutes(1),
                    500)));
  }

  @Test
  void read_json_isUnderstood() throws IOException {
    Scenario scenario = read("{\"sites\": 10, \"pages\": 20, \"faults\": {\"late\": 0.5}}");
    assertThat(scenario.sites()).isEqualTo(10);
    assertThat(scenario.faults().late()).isEqualTo(0.5);
  }

  @Test
  void read_emptyFile_isMillionPagesNamedAsTheFile() throws IOException {
    Scenario builtIn = ScenarioFile.scenario(ScenarioFile.open("million-pages"));
    Scenario empty = read("");
    assertThat(empty.name()).isEqualTo("mine");
    assertThat(empty).usingRecursiveComparison().ignoringFields("name").isEqualTo(builtIn);
  }

  @Test
  void read_namedFaultsAndOne_overrideThatOne() throws IOException {
    Scenario scenario = read("faults: many\n");
    assertThat(scenario.faults()).isEqualTo(Faults.MANY);
  }

  @ParameterizedTest
  @FieldSource("dev.fairfleet.cli.ScenarioFile#BUILT_IN")
  void open_builtIn_hasItsNameAndNoFaults(String name) {
    Scenario scenario = ScenarioFile.scenario(ScenarioFile.open(name));
    assertThat(scenario.name()).isEqualTo(name);
    assertThat(scenario.faults()).isEqualTo(Faults.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "300-sites,300,60000,1800,8,5",
    "1500-sites,1500,200000,3600,10,10",
    "million-pages,1500,1000000,3600,20,20",
    "one-large-site,1500,2157000,3600,20,20",
    "idle-fleet,50,5000,3600,10,20"
  })
  void open_builtIn_isTheWorkloadThatTargetsAreFor(
      String name, int sites, int pages, int limit, int workers, int slots) {
    Scenario scenario = ScenarioFile.scenario(ScenarioFile.open(name));
    assertThat(scenario.sites()).isEqualTo(sites);
    assertThat(scenario.pages()).isEqualTo(pages);
    assertThat(scenario.hourlyLimit()).isEqualTo(limit);
    assertThat(scenario.workers()).isEqualTo(workers);
    assertThat(scenario.slots()).isEqualTo(slots);
  }

  @Test
  void read_unknownKey_namesFileLineAndTheAllowedOnes() throws IOException {
    assertRefused(
        "sites: 10\n\n# a comment\ncolour: red\nslots: 3\n",
        "mine.yaml, line 4: \"colour\" is no key here",
        "hourlyLimit");
  }

  @Test
  void read_unknownFault_namesItsLine() throws IOException {
    assertRefused(
        "faults:\n  late: 0.1\n  thunder: 1\n",
        "mine.yaml, line 3: \"faults.thunder\" is no key here",
        "faults.killEvery");
  }

  @Test
  void read_keyTwice_namesTheSecond() throws IOException {
    assertRefused("sites: 10\nslots: 2\nsites: 11\n", "mine.yaml, line 3", "sites");
  }

  @Test
  void read_noYaml_namesTheLine() throws IOException {
    assertRefused("sites: 10\n   slots: 2\n", "mine.yaml, line 2", "no YAML");
  }

  @Test
  void read_aList_saysWhatIsNeeded() throws IOException {
    assertRefused("- sites: 10\n", "mine.yaml", "key: value");
    assertRefused("sites: [1, 2]\n", "mine.yaml, line 1", "single value");
    assertRefused("sites:\n", "mine.yaml, line 1", "single value");
  }

  @ParameterizedTest
  @CsvSource({
    "sites: many,no number that fits",
    "pages: 99999999999,no number that fits",
    "minDelay: 5,500ms",
    "sizes: huge,one-large",
    "faults: some,none or many"
  })
  void read_badValue_namesItsLineAndWhatIsAllowed(String line, String allowed) throws IOException {
    assertRefused("workers: 2\n" + line + "\n", "mine.yaml, line 2: ", allowed);
  }

  @ParameterizedTest
  @CsvSource({"sites: 0", "slots: 0", "service: 0s", "sizes: one-large", "faults: {late: 2}"})
  void read_outOfRange_saysThatItCannotBeSimulated(String line) throws IOException {
    assertRefused("pages: 2000\n" + line + "\n", "cannot be simulated");
  }

  @Test
  void open_neitherFileNorName_listsTheNames() {
    assertThatExceptionOfType(UsageException.class)
        .isThrownBy(() -> ScenarioFile.open("no-such-thing"))
        .withMessageContainingAll("no-such-thing", "300-sites", "idle-fleet");
  }
}
