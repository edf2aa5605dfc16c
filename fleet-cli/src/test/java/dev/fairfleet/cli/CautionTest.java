package dev.fairfleet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class CautionTest {
  private static final String LOSS = "3 dead letters will be deleted for good";

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  // The parser reads the field.
  @SuppressWarnings("UnusedVariable")
  @Command
  private static final class Deed {
    @Mixin final Caution caution;

    Deed(Caution caution) {
      this.caution = caution;
    }
  }

  private Caution caution(boolean terminal, @Nullable String answer, String... arguments) {
    Caution caution =
        new Caution(terminal, () -> answer, new PrintStream(said, true, StandardCharsets.UTF_8));
    new CommandLine(new Deed(caution)).parseArgs(arguments);
    return caution;
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "y,true",
    "Yes,true",
    "' y ',true",
    "n,false",
    "'',false",
    ",false",
    "yesterday,false"
  })
  void goesOn_onATerminal_doesAsAnswered(@Nullable String answer, boolean expected) {
    assertThat(caution(true, answer).goesOn(LOSS)).isEqualTo(expected);
    assertThat(said()).startsWith("fairfleet: " + LOSS + ". Go on? [y/N] ");
    assertThat(said().contains("nothing was done")).isEqualTo(!expected);
  }

  @Test
  void goesOn_withYes_asksNobody() {
    assertThat(caution(false, "n", "--yes").goesOn(LOSS)).isTrue();
    assertThat(said()).isEmpty();
  }

  @Test
  void goesOn_withoutTerminal_isMisuseThatSaysWhatWouldBeLost() {
    assertThatThrownBy(() -> caution(false, "y").goesOn(LOSS))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith(LOSS + ". ")
        .hasMessageContaining("add --yes");
  }

  @Test
  void goesOn_dryRun_doesNothingEvenWithYes() {
    Caution caution = caution(true, "y", "--dry-run", "--yes");
    assertThat(caution.goesOn(LOSS)).isFalse();
    assertThat(caution.isDryRun()).isTrue();
    assertThat(said()).contains(LOSS).contains("nothing was done");
  }
}
