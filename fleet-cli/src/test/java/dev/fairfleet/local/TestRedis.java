package dev.fairfleet.local;

import dev.fairfleet.redis.RedisConnection;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.net.URI;
import java.time.Duration;
import java.util.UUID;

/**
 * The Redis server of the tests: our connection to it, a client beside it, and a fleet name of its
 * own for every test.
 */
final class TestRedis implements AutoCloseable {
  private final RedisConnection connection;
  private final RedisClient client;
  private final StatefulRedisConnection<String, String> beside;

  private TestRedis(URI uri, boolean cluster) {
    connection = new RedisConnection(uri, cluster, Duration.ofSeconds(30));
    client = RedisClient.create(uri.toString());
    beside = client.connect();
  }

  TestRedis() {
    this(TestServices.redis(), false);
  }

  /** Returns a connection to a cluster. */
  static TestRedis of(RedisClusterNode node) {
    return new TestRedis(node.uri(), true);
  }

  RedisConnection connection() {
    return connection;
  }

  /** Returns a client that sees and spoils what ours has stored. */
  RedisCommands<String, String> beside() {
    return beside.sync();
  }

  static String newFleet() {
    return "test-" + UUID.randomUUID();
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(5));
  }
}
