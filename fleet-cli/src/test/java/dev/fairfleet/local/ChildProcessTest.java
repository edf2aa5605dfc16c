package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path folder;

  private final Queue<String> lines = new ConcurrentLinkedQueue<>();

  private ChildProcess shell(String script) {
    return ChildProcess.start(
        List.of("sh", "-c", script), Map.of("COLOUR", "teal"), log(), lines::add);
  }

  private Path log() {
    return folder.resolve("logs").resolve("child.log");
  }

  @Test
  void start_programPrints_handsLinesOverInOrderAndLogsErrors() throws InterruptedException {
    try (ChildProcess child = shell("echo one; echo \"two $COLOUR\"; echo wrong >&2; exit 3")) {
      assertThat(child.awaitEnd(LONG)).isTrue();
      await().untilAsserted(() -> assertThat(lines).containsExactly("one", "two teal"));
      assertThat(log()).content().isEqualTo("wrong\n");
      assertThat(child.exitValue()).hasValue(3);
    }
  }

  @Test
  void start_consumerThrows_laterLinesStillArrive() {
    try (ChildProcess child =
        ChildProcess.start(
            List.of("sh", "-c", "echo 1; echo x; echo 2"),
            Map.of(),
            log(),
            line -> lines.add("n" + Integer.parseInt(line)))) {
      await().untilAsserted(() -> assertThat(lines).containsExactly("n1", "n2"));
      assertThat(child.logTail(1)).isEmpty();
    }
  }

  @Test
  void start_readsInput_findsItEmpty() throws InterruptedException {
    try (ChildProcess child = shell("cat; echo end")) {
      assertThat(child.awaitEnd(LONG)).isTrue();
      await().untilAsserted(() -> assertThat(lines).containsExactly("end"));
    }
  }

  @Test
  void start_noSuchProgram_endsAtOnceAndSaysWhy() throws InterruptedException {
    try (ChildProcess child =
        ChildProcess.start(List.of("no-such-program"), Map.of(), log(), lines::add)) {
      assertThat(child.awaitEnd(LONG)).isTrue();
      assertThat(child.exitValue().orElseThrow()).isIn(126, 127);
      assertThat(child.logTail(3)).contains("no-such-program");
    }
  }

  @Test
  void start_logCannotBeWritten_saysWhatToDo() throws Exception {
    Files.writeString(folder.resolve("logs"), "a file where a folder should be");
    assertThatThrownBy(() -> shell("true"))
        .isInstanceOf(LocalFleetException.class)
        .hasMessageContaining(log().toString())
        .hasMessageContaining("Check that the folder can be written");
  }

  @Test
  void pid_running_isTheProgramsOwn() {
    try (ChildProcess child = shell("echo $$; exec sleep 60")) {
      await().untilAsserted(() -> assertThat(lines).containsExactly(Long.toString(child.pid())));
      assertThat(child.isAlive()).isTrue();
      assertThat(child.exitValue()).isEmpty();
    }
  }

  @Test
  void stop_programHeedsTerm_endsByItself() {
    try (ChildProcess child =
        shell("trap 'exit 0' TERM; echo ready; while :; do sleep 0.1; done")) {
      await().until(() -> lines.contains("ready"));
      assertThat(child.stop(LONG)).isTrue();
      assertThat(child.exitValue()).hasValue(0);
      assertThat(child.stop(LONG)).as("a second time").isTrue();
    }
  }

  @Test
  void stop_programIgnoresTerm_isKilledAfterGrace() {
    try (ChildProcess child = shell("trap '' TERM; echo ready; while :; do sleep 0.1; done")) {
      await().until(() -> lines.contains("ready"));
      assertThat(child.stop(Duration.ofMillis(300))).isFalse();
      assertThat(child.isAlive()).isFalse();
      assertThat(child.exitValue()).hasValue(128 + 9);
    }
  }

  @Test
  void cpuTime_afterKill_isWhatItHadUsed() {
    try (ChildProcess child =
        shell("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; exec sleep 60")) {
      await().atMost(LONG).until(() -> lines.contains("done"));
      Duration alive = child.cpuTime().orElseThrow();
      child.kill();
      assertThat(alive).isGreaterThan(Duration.ofMillis(10));
      assertThat(child.cpuTime().orElseThrow()).isGreaterThanOrEqualTo(alive);
      if (Files.exists(Path.of("/proc/self/status"))) {
        assertThat(child.peakRssBytes().orElseThrow()).isBetween(100_000L, 100_000_000L);
      }
    }
  }

  @Test
  void logTail_earlierRunsInSameLog_showsOnlyThisOne() throws InterruptedException {
    try (ChildProcess first = shell("echo old >&2")) {
      assertThat(first.awaitEnd(LONG)).isTrue();
    }
    try (ChildProcess second = shell("for i in 1 2 3; do echo new $i >&2; done")) {
      assertThat(second.awaitEnd(LONG)).isTrue();
      assertThat(second.logTail(2)).isEqualTo("new 2\nnew 3");
      assertThat(second.logTail(9)).isEqualTo("new 1\nnew 2\nnew 3");
    }
  }

  @Test
  void start_running_leadsAProcessGroupThatNoCtrlCReaches() {
    try (ChildProcess child = shell("ps -o pgid= -p $$; exec sleep 60")) {
      await().until(() -> !lines.isEmpty());
      assertThat(lines.element().strip()).isEqualTo(Long.toString(child.pid()));
    }
  }

  @Test
  void supervise_inputClosesAndProgramIgnoresTerm_isKilled() throws Exception {
    String program = "trap '' TERM; echo ready; while :; do sleep 0.1; done";
    Process process =
        new ProcessBuilder("/bin/sh", "-c", ChildProcess.script(), "supervise", "sh", "-c", program)
            .start();
    assertThat(process.inputReader().readLine()).isEqualTo("ready");
    process.getOutputStream().close();
    assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(128 + 9);
  }
}
