package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirTest {
  @TempDir Path folder;

  @Test
  void open_absentFolder_createsItAndItsParts() {
    try (DataDir data = DataDir.open(folder.resolve("new").resolve(".fairfleet"))) {
      assertThat(List.of(data.redis(), data.dynamodb(), data.logs(), data.run()))
          .allMatch(Files::isDirectory)
          .allMatch(part -> part.startsWith(data.root()));
    }
  }

  @Test
  void open_usedInThisJvm_isRefusedAndLeavesTheLock() {
    try (DataDir first = DataDir.open(folder)) {
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> DataDir.open(first.root()))
            .isInstanceOf(LocalFleetException.class)
            .hasMessage(
                "Another fleet (pid %d) is using %s. Stop it first, or give this fleet another data folder.",
                ProcessHandle.current().pid(), first.root());
      }
    }
  }

  @Test
  void open_usedByAnotherProcess_isRefusedUntilThatDies() {
    Queue<String> lines = new ConcurrentLinkedQueue<>();
    try (ChildProcess other =
        ChildProcess.start(
            DataDirHolder.command(folder), Map.of(), folder.resolve("other.log"), lines::add)) {
      await().until(() -> lines.contains("open"));
      assertThatThrownBy(() -> DataDir.open(folder))
          .isInstanceOf(LocalFleetException.class)
          .hasMessageContaining("Another fleet (pid " + other.pid() + ")");
      other.kill();
      DataDir.open(folder).close();
    }
  }

  @Test
  void open_closedBefore_worksAgain() {
    DataDir.open(folder).close();
    DataDir.open(folder).close();
  }

  @Test
  void open_fileInTheWay_saysWhatToDo() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> DataDir.open(file.resolve("data")))
        .isInstanceOf(LocalFleetException.class)
        .hasMessageContaining("Cannot write to the data folder")
        .hasMessageContaining("give the fleet a folder of its own");
  }
}
