package dev.fairfleet.local;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import redis.embedded.RedisExecProvider;

/**
 * A real Redis 7 as a child process, with its data in a folder.
 *
 * <p>Every write is appended to a file that reaches the disk once a second ({@code appendonly yes},
 * {@code appendfsync everysec}), so a restart on the same folder finds it again; losing power loses
 * at most about two seconds, killing the process nothing. It ends when this JVM does, see {@link
 * ChildProcess}. One that a dead fleet left on the folder is ended first. Any thread may use it.
 */
public final class RedisServer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60); // long, to load a large file
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);
  private static final int PORT_TRIES = 5;
  private static final String PROGRAM = "redis-server";

  private final ChildProcess process;
  private final int port;

  private RedisServer(ChildProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts Redis on a free port, see {@link #start(Path, int, CacheFolder)}. */
  public static RedisServer start(Path dataDir) {
    return start(dataDir, 0, CacheFolder.ofUser());
  }

  /**
   * Starts Redis, and returns when it answers.
   *
   * @param dataDir its folder; created when absent. One Redis uses it at a time.
   * @param port the port of 127.0.0.1; 0 for a free one
   * @param cache where its program is unpacked to, once
   * @throws LocalFleetException if there is no Redis for this machine, the port is taken, the
   *     folder cannot be written, or it ends at once
   */
  public static RedisServer start(Path dataDir, int port, CacheFolder cache) {
    try {
      Path folder = Files.createDirectories(dataDir).toRealPath();
      PidFile pidFile = new PidFile(folder.resolve("redis.pid"));
      pidFile.endLeftover(PROGRAM);
      Path program = unpack(cache);
      if (port != 0) {
        return start(program, folder, port, pidFile);
      }
      for (int i = 1; ; i++) {
        int free = Loopback.freePort();
        try {
          return start(program, folder, free, pidFile);
        } catch (PortTakenException e) {
          if (i == PORT_TRIES) {
            throw Loopback.taken("Redis", free, e);
          }
        }
      }
    } catch (PortTakenException e) {
      throw Loopback.taken("Redis", port, e);
    } catch (IOException e) {
      throw new LocalFleetException(
          "Cannot prepare Redis in %s (%s). Check that the folder can be written and the disk is not full."
              .formatted(dataDir.toAbsolutePath(), e),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalFleetException("Starting Redis was interrupted.", e);
    }
  }

  private static RedisServer start(Path program, Path folder, int port, PidFile pidFile)
      throws IOException, InterruptedException, PortTakenException {
    Path log = folder.resolve("redis.log");
    Path config = folder.resolve("redis.conf");
    Files.writeString(config, config(folder, port, log));
    ChildProcess process =
        ChildProcess.start(
            List.of(program.toString(), config.toString()), Map.of(), log, line -> {});
    try {
      pidFile.write(process.handle());
      awaitReady(process, port);
      return new RedisServer(process, port);
    } catch (IOException | InterruptedException | PortTakenException | RuntimeException e) {
      process.close();
      throw e;
    }
  }

  private static void awaitReady(ChildProcess process, int port)
      throws InterruptedException, PortTakenException {
    long start = System.nanoTime();
    while (!isReady(process, port)) {
      if (process.awaitEnd(BETWEEN_LOOKS)) {
        String tail = process.logTail(12);
        if (tail.contains("Failed listening on port") && tail.contains("in use")) {
          throw new PortTakenException();
        }
        throw new LocalFleetException(
            "Redis ended at once with exit value %d. The end of its log says:%n%s"
                .formatted(process.exitValue().orElse(-1), tail),
            null);
      }
      if (System.nanoTime() - start > START_LIMIT.toNanos()) {
        throw new LocalFleetException(
            "Redis has not answered on port %d within %d s. The end of its log says:%n%s"
                .formatted(port, START_LIMIT.toSeconds(), process.logTail(12)),
            null);
      }
    }
  }

  /** Returns whether it is this process that answers on the port, and it has loaded its data. */
  private static boolean isReady(ChildProcess process, int port) {
    String pid = "process_id:%d\r\n".formatted(process.pid());
    return Loopback.answers(port, "INFO server\r\nQUIT\r\n", pid)
        && Loopback.answers(port, "PING\r\nQUIT\r\n", "+PONG");
  }

  private static String config(Path folder, int port, Path log) {
    return """
    bind 127.0.0.1
    protected-mode yes
    port %d
    daemonize no
    dir "%s"
    logfile "%s"
    appendonly yes
    appendfsync everysec
    save ""
    """
        .formatted(port, escape(folder), escape(log));
  }

  private static String escape(Path path) {
    return path.toString().replace("\\", "\\\\").replace("\"", "\\\"");
  }

  /** Unpacks the program from its jar, unless that was done before. Safe for two at once. */
  static Path unpack(CacheFolder cache) throws IOException {
    String name =
        "redis-server-%s-%s"
            .formatted(
                RedisExecProvider.redisVersion,
                platform(System.getProperty("os.name"), System.getProperty("os.arch")));
    Path program = cache.path().resolve(name);
    try (InputStream in = RedisExecProvider.class.getResourceAsStream("/" + name)) {
      if (in == null) {
        throw new LocalFleetException(
            "No Redis is shipped for this machine (%s). Run one yourself and give its address in FAIRFLEET_REDIS_URL."
                .formatted(name),
            null);
      }
      if (!Files.isExecutable(program)) {
        Files.createDirectories(cache.path());
        Path unpacked = Files.createTempFile(cache.path(), name, ".part");
        try {
          Files.copy(in, unpacked, StandardCopyOption.REPLACE_EXISTING);
          if (!unpacked.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + unpacked + " executable");
          }
          Files.move(unpacked, program, StandardCopyOption.ATOMIC_MOVE);
        } finally {
          Files.deleteIfExists(unpacked);
        }
      }
    }
    return program;
  }

  /** Returns the system and processor as the jar's resources name them, such as linux-amd64. */
  static String platform(String system, String processor) {
    String os =
        system.toLowerCase(Locale.ROOT).startsWith("mac")
            ? "darwin"
            : system.toLowerCase(Locale.ROOT);
    String architecture =
        switch (processor) {
          case "x86_64", "amd64" -> "amd64";
          case "aarch64", "arm64" -> "arm64";
          default -> processor;
        };
    return os + "-" + architecture;
  }

  /** Returns the address for a Redis client. */
  public URI uri() {
    return URI.create("redis://" + Loopback.HOST + ":" + port);
  }

  /** Returns the port it listens on. */
  public int port() {
    return port;
  }

  /** Returns the id of its process. */
  public long pid() {
    return process.pid();
  }

  /** Returns its process, for its processor time and memory. */
  public ChildProcess process() {
    return process;
  }

  /** Stops it once its writes are on disk; does nothing the second time. */
  @Override
  public void close() {
    process.close();
  }

  /** Tells that another program listens on the port Redis was given. */
  private static final class PortTakenException extends Exception {
    private static final long serialVersionUID = 1;
  }
}
