package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.local.LocalFleetException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class FleetOptionsTest {
  @Command
  private static final class Any {
    @Mixin final FleetOptions fleet = new FleetOptions();
  }

  private static FleetOptions parse(String arguments) {
    Any any = new Any();
    new CommandLine(any).parseArgs(arguments.isEmpty() ? new String[0] : arguments.split(" "));
    return any.fleet;
  }

  @Test
  void isOnAws_noOption_isTheLocalFleetHere() {
    assertThat(parse("").isOnAws()).isFalse();
    assertThat(parse("").dataDir()).isEqualTo(Path.of(".fairfleet"));
    assertThat(parse("--data-dir other").dataDir()).isEqualTo(Path.of("other"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--aws",
        "--profile work",
        "--region eu-central-1",
        "--endpoint-url http://127.0.0.1:5000",
        "--aws --prefix shop-"
      })
  void isOnAws_anyOptionOfAws_isTrue(String arguments) {
    assertThat(parse(arguments).isOnAws()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--aws --data-dir x",
        "--region eu-central-1 --data-dir x",
        "--prefix shop-",
        "--endpoint-url nonsense",
        "--aws --region eu-central-1 --prefix not/allowed"
      })
  void open_contradiction_isMisuse(String arguments) {
    assertThatThrownBy(() -> parse(arguments).open()).isInstanceOf(UsageException.class);
  }

  @Test
  void open_noDataFolder_saysWhichAndCreatesNone(@TempDir Path folder) {
    Path absent = folder.resolve("absent");
    assertThatThrownBy(() -> parse("--data-dir " + absent).open())
        .isInstanceOf(LocalFleetException.class)
        .hasMessageContaining(absent.toString());
    assertThat(absent).doesNotExist();
  }
}
