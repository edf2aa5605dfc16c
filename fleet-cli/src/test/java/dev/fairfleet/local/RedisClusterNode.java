package dev.fairfleet.local;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * A Redis cluster of one node, which therefore has all slots, but refuses keys of two slots in one
 * command as every cluster does. It keeps nothing.
 */
final class RedisClusterNode implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final ChildProcess process;
  private final int port = Loopback.freePort();

  RedisClusterNode(Path folder) throws IOException {
    process =
        ChildProcess.start(
            List.of(
                RedisServer.unpack(CacheFolder.ofUser()).toString(),
                "--bind",
                Loopback.HOST,
                "--port",
                Integer.toString(port),
                "--cluster-enabled",
                "yes",
                "--cluster-port",
                Integer.toString(Loopback.freePort()),
                "--dir",
                folder.toString(),
                "--save",
                ""),
            Map.of(),
            folder.resolve("redis.log"),
            line -> {});
    Awaitility.await()
        .atMost(START_LIMIT)
        .until(() -> Loopback.answers(port, "CLUSTER ADDSLOTSRANGE 0 16383\r\nQUIT\r\n", "+OK"));
    Awaitility.await()
        .atMost(START_LIMIT)
        .until(() -> Loopback.answers(port, "CLUSTER INFO\r\nQUIT\r\n", "cluster_state:ok"));
  }

  URI uri() {
    return URI.create("redis://" + Loopback.HOST + ":" + port);
  }

  @Override
  public void close() {
    process.close();
  }
}
