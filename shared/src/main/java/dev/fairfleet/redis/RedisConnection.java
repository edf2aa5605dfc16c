package dev.fairfleet.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a Redis or Valkey server or cluster, shared by all threads of the process.
 *
 * <p>It is opened by the first command and opens itself again whenever it was lost, so a server
 * that is away when the worker starts, or that goes away, is no reason to stop. Commands fail at
 * once while there is no connection: none waits in a queue to be carried out when nobody wants its
 * answer any more.
 */
public final class RedisConnection implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RedisConnection.class);

  private static final Duration BETWEEN_CONNECTS = Duration.ofSeconds(1);
  private static final Duration BETWEEN_GREETINGS = Duration.ofMillis(5);
  // After so many time-outs in a row the server is taken for unreachable behind an open socket.
  private static final int TIMEOUTS_OF_A_DEAD_CONNECTION = 5;
  private static final int THREADS = 2;

  private final URI uri;
  private final Duration timeout;
  private final ClientResources resources;
  private final AbstractRedisClient client;
  private final ReentrantLock connecting = new ReentrantLock();
  private final AtomicInteger timeouts = new AtomicInteger();
  private long lastConnect = System.nanoTime() - BETWEEN_CONNECTS.toNanos();
  private volatile @Nullable Link link;

  private static final class Link {
    final StatefulConnection<String, String> connection;
    final RedisClusterAsyncCommands<String, String> commands;

    Link(
        StatefulConnection<String, String> connection,
        RedisClusterAsyncCommands<String, String> commands) {
      this.connection = connection;
      this.commands = commands;
    }
  }

  /**
   * Prepares a connection; nothing is sent yet.
   *
   * @param uri {@code redis://} or, with TLS, {@code rediss://}, with password and port as needed
   * @param cluster whether the server is a cluster, as ElastiCache Serverless is; {@code uri} then
   *     names any of its nodes
   * @param timeout how long a command, or an attempt to connect, may take
   */
  public RedisConnection(URI uri, boolean cluster, Duration timeout) {
    this.uri = uri;
    this.timeout = timeout;
    this.resources =
        DefaultClientResources.builder()
            .ioThreadPoolSize(THREADS)
            .computationThreadPoolSize(THREADS)
            .reconnectDelay(
                () ->
                    Delay.fullJitter(
                        Duration.ofMillis(50), Duration.ofSeconds(2), 50, TimeUnit.MILLISECONDS))
            .build();
    RedisURI address = RedisURI.create(uri);
    address.setTimeout(timeout);
    this.client = cluster ? clusterClient(address) : standaloneClient(address);
  }

  private RedisClient standaloneClient(RedisURI address) {
    RedisClient standalone = RedisClient.create(resources, address);
    standalone.setOptions(
        ClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .socketOptions(socket())
            .build());
    return standalone;
  }

  private RedisClusterClient clusterClient(RedisURI address) {
    RedisClusterClient cluster = RedisClusterClient.create(resources, address);
    cluster.setOptions(
        ClusterClientOptions.builder()
            .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
            .socketOptions(socket())
            .topologyRefreshOptions(
                ClusterTopologyRefreshOptions.builder()
                    .enablePeriodicRefresh(Duration.ofMinutes(1))
                    .build())
            .build());
    return cluster;
  }

  private SocketOptions socket() {
    return SocketOptions.builder().connectTimeout(timeout).keepAlive(true).build();
  }

  /**
   * Opens the connection now, so that the first command need not wait for it.
   *
   * @return whether it stands; if not, commands go on trying
   */
  public boolean tryOpen() {
    try {
      connect();
      return true;
    } catch (RedisException e) {
      log.warn("Cannot connect to {}: {}", address(), e.toString());
      return false;
    }
  }

  /**
   * Carries out one command and waits for its answer.
   *
   * @throws io.lettuce.core.RedisException if there is no connection, no answer in time, or the
   *     answer is an error
   */
  <T> T call(Function<RedisClusterAsyncCommands<String, String>, RedisFuture<T>> command) {
    Link used = connect();
    try {
      T answer =
          LettuceFutures.awaitOrCancel(
              command.apply(used.commands), timeout.toNanos(), TimeUnit.NANOSECONDS);
      if (timeouts.get() != 0) {
        timeouts.set(0);
      }
      return answer;
    } catch (RedisCommandTimeoutException e) {
      if (timeouts.incrementAndGet() >= TIMEOUTS_OF_A_DEAD_CONNECTION) {
        timeouts.set(0);
        drop(
            used,
            "it did not answer " + TIMEOUTS_OF_A_DEAD_CONNECTION + " times within " + timeout);
      }
      throw e;
    } catch (RedisReadOnlyException e) {
      drop(used, "it has become a replica");
      throw e;
    }
  }

  private Link connect() {
    Link current = link;
    if (current != null) {
      return current;
    }
    lockWithin(timeout);
    try {
      current = link;
      if (current != null) {
        return current;
      }
      if (System.nanoTime() - lastConnect < BETWEEN_CONNECTS.toNanos()) {
        throw new RedisConnectionException("No connection to " + address());
      }
      try {
        current = open();
      } finally {
        lastConnect = System.nanoTime();
      }
      link = current;
      return current;
    } finally {
      connecting.unlock();
    }
  }

  /** Waits for the thread that is connecting. */
  private void lockWithin(Duration most) {
    try {
      if (!connecting.tryLock(most.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new RedisConnectionException("No connection to " + address() + " within " + most);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RedisCommandInterruptedException(e);
    }
  }

  private Link open() {
    return switch (client) {
      case RedisClusterClient cluster -> {
        StatefulRedisClusterConnection<String, String> connection = cluster.connect();
        greetEveryNode(connection);
        yield new Link(connection, connection.async());
      }
      case RedisClient standalone -> {
        StatefulRedisConnection<String, String> connection = standalone.connect();
        yield new Link(connection, connection.async());
      }
      default -> throw new AssertionError("There are two kinds of client, and no " + client);
    };
  }

  /**
   * Opens the connection to every node of a cluster. The client would do so with the first command
   * for it, and reject that and the next ones until it stands.
   */
  private void greetEveryNode(StatefulRedisClusterConnection<String, String> connection) {
    long deadline = System.nanoTime() + timeout.toNanos();
    Set<RedisClusterNode> nodes = new HashSet<>();
    for (int slot = 0; slot < SlotHash.SLOT_COUNT; slot++) {
      RedisClusterNode node = connection.getPartitions().getPartitionBySlot(slot);
      if (node != null && nodes.add(node)) {
        while (!answers(connection, keyIn(slot)) && System.nanoTime() < deadline) {
          LockSupport.parkNanos(BETWEEN_GREETINGS.toNanos());
        }
      }
    }
  }

  private static String keyIn(int slot) {
    int i = 0;
    while (SlotHash.getSlot("k" + i) != slot) {
      i++;
    }
    return "k" + i;
  }

  private static boolean answers(
      StatefulRedisClusterConnection<String, String> connection, String key) {
    try {
      connection.sync().exists(key);
      return true;
    } catch (RedisException e) {
      return false;
    }
  }

  private void drop(Link broken, String why) {
    connecting.lock();
    try {
      if (link == broken) {
        log.warn("Connection to {} is closed because {}; it will be opened anew", address(), why);
        link = null;
        CompletableFuture<Void> unused = broken.connection.closeAsync();
      }
    } finally {
      connecting.unlock();
    }
  }

  private String address() {
    return uri.getHost() + ":" + uri.getPort();
  }

  /** Closes the connection and ends its threads. */
  @Override
  public void close() {
    client.shutdown(Duration.ZERO, timeout);
    resources.shutdown(0, timeout.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly();
  }
}
