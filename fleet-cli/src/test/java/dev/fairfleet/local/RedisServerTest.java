package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisServerTest {
  @TempDir Path folder;

  private static void with(RedisServer server, Consumer<RedisCommands<String, String>> use) {
    RedisClient client = RedisClient.create(server.uri().toString());
    try {
      use.accept(client.connect().sync());
    } finally {
      client.shutdown();
    }
  }

  @Test
  void start_settings_areThoseOfADurableLoopbackServer() {
    try (RedisServer server = RedisServer.start(folder)) {
      with(
          server,
          redis -> {
            assertThat(redis.configGet("append*"))
                .containsEntry("appendonly", "yes")
                .containsEntry("appendfsync", "everysec");
            assertThat(redis.configGet("save")).containsEntry("save", "");
            assertThat(redis.configGet("bind")).containsEntry("bind", "127.0.0.1");
            assertThat(redis.info("server"))
                .contains("redis_version:7.", "process_id:" + server.pid());
          });
    }
  }

  @Test
  void start_afterClose_findsItsData() {
    try (RedisServer server = RedisServer.start(folder)) {
      with(server, redis -> assertThat(redis.set("gate", "open")).isEqualTo("OK"));
    }
    try (RedisServer server = RedisServer.start(folder)) {
      with(server, redis -> assertThat(redis.get("gate")).isEqualTo("open"));
    }
  }

  @Test
  void start_leftoverOnTheFolder_endsItAndKeepsItsData() {
    try (RedisServer leftover = RedisServer.start(folder)) {
      with(leftover, redis -> assertThat(redis.set("gate", "open")).isEqualTo("OK"));
      try (RedisServer server = RedisServer.start(folder)) {
        assertThat(leftover.process().isAlive()).isFalse();
        with(server, redis -> assertThat(redis.get("gate")).isEqualTo("open"));
      }
    }
  }

  @Test
  void start_portTaken_saysWhatToDo() {
    try (RedisServer first = RedisServer.start(folder.resolve("1"))) {
      assertThatThrownBy(
              () -> RedisServer.start(folder.resolve("2"), first.port(), CacheFolder.ofUser()))
          .isInstanceOf(LocalFleetException.class)
          .hasMessageStartingWith("Port %d of 127.0.0.1 is taken, so Redis", first.port());
    }
  }

  @Test
  void start_fileInTheWay_saysWhatToDo() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> RedisServer.start(file.resolve("redis")))
        .isInstanceOf(LocalFleetException.class)
        .hasMessageContaining("Check that the folder can be written");
  }

  @Test
  void start_brokenData_showsTheEndOfTheLog() throws Exception {
    Path appendOnly = Files.createDirectories(folder.resolve("appendonlydir"));
    Files.writeString(appendOnly.resolve("appendonly.aof.manifest"), "nonsense\n");
    assertThatThrownBy(() -> RedisServer.start(folder))
        .isInstanceOf(LocalFleetException.class)
        .hasMessageContaining("Redis ended at once with exit value 1")
        .hasMessageContaining("manifest");
  }

  @Test
  void start_emptyCache_unpacksTheProgramOnce() throws Exception {
    CacheFolder cache = new CacheFolder(folder.resolve("cache"));
    for (int i = 0; i < 2; i++) {
      RedisServer.start(folder.resolve("redis"), 0, cache).close();
    }
    try (var files = Files.list(cache.path())) {
      assertThat(files).singleElement().matches(Files::isExecutable);
    }
  }

  @Test
  void platform_namesOfJava_becomeThoseOfTheJar() {
    Map<List<String>, String> names =
        Map.of(
            List.of("Linux", "amd64"), "linux-amd64",
            List.of("Linux", "aarch64"), "linux-arm64",
            List.of("Mac OS X", "x86_64"), "darwin-amd64",
            List.of("Mac OS X", "aarch64"), "darwin-arm64");
    assertThat(names)
        .allSatisfy(
            (java, jar) ->
                assertThat(RedisServer.platform(java.getFirst(), java.getLast())).isEqualTo(jar));
  }
}
