package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However a fleet ends, the servers it started end too. */
class ParentDeathTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void servers_fleetIsKilled_endWithIt() throws Exception {
    NodePresence.require();
    Process fleet = start("wait");
    List<ProcessHandle> servers = servers(fleet);
    assertThat(servers).allMatch(ProcessHandle::isAlive);
    fleet.destroyForcibly().waitFor();
    await().atMost(LONG).until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void servers_fleetExitsWithoutClosingThem_endWithIt() throws Exception {
    NodePresence.require();
    Process fleet = start("exit");
    List<ProcessHandle> servers = servers(fleet);
    fleet.waitFor();
    await().atMost(LONG).until(() -> servers.stream().noneMatch(ProcessHandle::isAlive));
  }

  private Process start(String end) throws IOException {
    return new ProcessBuilder(ServiceStarter.command(folder, end))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static List<ProcessHandle> servers(Process fleet) {
    Queue<ProcessHandle> servers = new ConcurrentLinkedQueue<>();
    fleet
        .inputReader()
        .lines()
        .filter(line -> line.startsWith("pid "))
        .limit(2)
        .map(line -> ProcessHandle.of(Long.parseLong(line.substring(4))))
        .forEach(found -> found.ifPresent(servers::add));
    return List.copyOf(servers);
  }
}
