package dev.fairfleet.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.robots.RobotsAnswer.Allowed;
import dev.fairfleet.robots.RobotsAnswer.Barred;
import dev.fairfleet.robots.RobotsAnswer.Unreachable;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RobotsNoteTest {
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration DAY = RobotsPolicy.BELIEVED;
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final RobotsFile BARS_X =
      new RobotsFile.Text("User-agent: *\nDisallow: /x\n", Validators.NONE);

  private static RobotsNote note(RobotsFile file, Duration age, int failures) {
    return new RobotsNote(Optional.of(file), age, failures, failures == 0 ? "" : "503", SOON);
  }

  private static RobotsAnswer check(RobotsNote note) {
    return note.rules("ourbot", Duration.ofHours(1)).check("/x");
  }

  @Test
  void rules_failingSince_areBelievedForADay_p02() {
    assertThat(check(note(BARS_X, DAY.minus(NANO), 9))).isInstanceOf(Barred.class);
    assertThat(check(note(BARS_X, DAY, 9))).isEqualTo(new Unreachable("503", SOON));
  }

  @Test
  void rules_ofEachKindOfFile_areItsOwn() {
    assertThat(check(note(new RobotsFile.None("status 404"), Duration.ZERO, 0)))
        .isEqualTo(new Allowed());
    assertThat(check(note(new RobotsFile.Forbidden("why"), Duration.ZERO, 0)))
        .isEqualTo(new Barred("why"));
  }

  @Test
  void rules_nothingKnown_waits() {
    assertThat(check(RobotsNote.UNKNOWN)).isInstanceOf(Unreachable.class);
    assertThat(RobotsNote.UNKNOWN.isDue()).isTrue();
    assertThat(RobotsNote.UNKNOWN.isBelieved()).isFalse();
  }

  @Test
  void validFor_believed_endsWithADay() {
    assertThat(note(BARS_X, Duration.ZERO, 0).validFor()).isEqualTo(SOON);
    assertThat(note(BARS_X, DAY.minus(NANO), 1).validFor()).isEqualTo(NANO);
    assertThat(note(BARS_X, DAY, 1).validFor()).isEqualTo(SOON);
  }

  @Test
  void isDue_lastNano_isNot() {
    RobotsNote note = new RobotsNote(Optional.of(BARS_X), DAY, 0, "", NANO);

    assertThat(note.isDue()).isFalse();
  }
}
