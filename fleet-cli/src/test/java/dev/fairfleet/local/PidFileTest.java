package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFileTest {
  @TempDir Path folder;

  private PidFile file;
  private Process sleeper;

  @BeforeEach
  void startSleeper() throws IOException {
    file = new PidFile(folder.resolve("sleep.pid"));
    sleeper = new ProcessBuilder("sleep", "60").start();
  }

  @AfterEach
  void endSleeper() {
    sleeper.destroyForcibly();
  }

  @Test
  void endLeftover_writtenProcessStillRuns_endsIt() throws Exception {
    file.write(sleeper.toHandle());
    assertThat(file.endLeftover("sleep")).contains(sleeper.pid());
    assertThat(sleeper.isAlive()).isFalse();
  }

  @Test
  void endLeftover_anotherProgramHasThePid_leavesItAlone() throws Exception {
    file.write(sleeper.toHandle());
    assertThat(file.endLeftover("redis-server")).isEmpty();
    assertThat(sleeper.isAlive()).isTrue();
  }

  @Test
  void endLeftover_startedAtAnotherTime_leavesItAlone() throws Exception {
    long start = sleeper.info().startInstant().orElseThrow().toEpochMilli();
    Files.writeString(file.path(), sleeper.pid() + " " + (start - 60_000));
    assertThat(file.endLeftover("sleep")).isEmpty();
    assertThat(sleeper.isAlive()).isTrue();
  }

  @Test
  void endLeftover_noOrUnreadableFile_doesNothing() throws Exception {
    assertThat(file.endLeftover("sleep")).isEmpty();
    Files.writeString(file.path(), "what is this");
    assertThat(file.endLeftover("sleep")).isEmpty();
  }

  @Test
  void endLeftover_processEndedBefore_doesNothing() throws Exception {
    file.write(sleeper.toHandle());
    sleeper.destroyForcibly().waitFor();
    assertThat(file.endLeftover("sleep")).isEmpty();
  }
}
