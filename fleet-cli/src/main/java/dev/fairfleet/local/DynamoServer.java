package dev.fairfleet.local;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A DynamoDB-compatible server as a child process: dynalite on Node.js, with its data in a folder.
 *
 * <p>dynalite is installed by npm into a {@link CacheFolder} on first use, pinned by a lock file
 * with the hash of every package. Tables are there as soon as they are created. Writes survive the
 * end of the process, also by SIGKILL; losing power may lose the last ones, as LevelDB leaves them
 * to the system to write. It ends when this JVM does, see {@link ChildProcess}. One that a dead
 * fleet left on the folder is ended first. Any thread may use it.
 */
public final class DynamoServer implements AutoCloseable {
  private static final String VERSION = "4.0.0";
  private static final List<String> SOURCES =
      List.of("package.json", "package-lock.json", "serve.js");
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

  /* An empty list of tables can be had only when LevelDB could be opened. dynalite checks the form of a signature alone. */
  private static final String LIST_TABLES =
      String.join(
          "\r\n",
          "POST / HTTP/1.1",
          "Host: 127.0.0.1",
          "Connection: close",
          "Content-Type: application/x-amz-json-1.0",
          "X-Amz-Target: DynamoDB_20120810.ListTables",
          "X-Amz-Date: 20260101T000000Z",
          "Authorization: AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=none",
          "Content-Length: 2",
          "",
          "{}");

  private final ChildProcess process;
  private final int port;

  private DynamoServer(ChildProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts a server on a free port, see {@link #start(Path, int, NodeRuntime, CacheFolder)}. */
  public static DynamoServer start(Path dataDir) {
    return start(dataDir, 0, NodeRuntime.onPath(), CacheFolder.ofUser());
  }

  /**
   * Starts a server, and returns when it answers.
   *
   * @param dataDir its folder; created when absent. One server uses it at a time.
   * @param port the port of 127.0.0.1; 0 for a free one
   * @param node runs dynalite
   * @param cache where dynalite is installed, once
   * @throws LocalFleetException if Node.js is absent or too old, npm fails, the port is taken, the
   *     folder cannot be written, or it ends at once
   */
  public static DynamoServer start(Path dataDir, int port, NodeRuntime node, CacheFolder cache) {
    try {
      Path folder = Files.createDirectories(dataDir).toRealPath();
      PidFile pidFile = new PidFile(folder.resolve("dynalite.pid"));
      pidFile.endLeftover("serve.js");
      node.check();
      Path script = install(node, cache).resolve("serve.js").toAbsolutePath();
      CompletableFuture<Integer> listening = new CompletableFuture<>();
      ChildProcess process =
          ChildProcess.start(
              List.of(
                  node.node(),
                  script.toString(),
                  Integer.toString(port),
                  folder.resolve("leveldb").toString()),
              Map.of(),
              folder.resolve("dynalite.log"),
              line -> {
                if (line.startsWith("listening ")) {
                  listening.complete(Integer.parseInt(line.substring("listening ".length())));
                }
              });
      try {
        pidFile.write(process.handle());
        return new DynamoServer(process, awaitReady(process, port, listening));
      } catch (IOException | InterruptedException | RuntimeException e) {
        process.close();
        throw e;
      }
    } catch (IOException e) {
      throw new LocalFleetException(
          "Cannot prepare dynalite for %s in the cache %s (%s). Check that both folders can be written and the disk is not full."
              .formatted(dataDir.toAbsolutePath(), cache.path(), e),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalFleetException("Starting dynalite was interrupted.", e);
    }
  }

  private static int awaitReady(
      ChildProcess process, int wanted, CompletableFuture<Integer> listening)
      throws InterruptedException {
    long start = System.nanoTime();
    while (!listening.isDone()
        || !Loopback.answers(listening.join(), LIST_TABLES, "HTTP/1.1 200")) {
      if (process.awaitEnd(BETWEEN_LOOKS)) {
        String tail = process.logTail(12);
        if (tail.contains("EADDRINUSE")) {
          throw Loopback.taken("dynalite", wanted, new IOException(tail));
        }
        throw new LocalFleetException(
            "dynalite ended at once with exit value %d. Check that its folder can be written and the disk is not full. The end of its log says:%n%s"
                .formatted(process.exitValue().orElse(-1), tail),
            null);
      }
      if (System.nanoTime() - start > START_LIMIT.toNanos()) {
        throw new LocalFleetException(
            "dynalite has not answered within %d s. The end of its log says:%n%s"
                .formatted(START_LIMIT.toSeconds(), process.logTail(12)),
            null);
      }
    }
    return listening.join();
  }

  /** Returns the folder of dynalite and its script, installed unless it was before. */
  static Path install(NodeRuntime node, CacheFolder cache)
      throws IOException, InterruptedException {
    Path installed = cache.path().resolve("dynalite-" + VERSION + "-" + shortHash());
    if (Files.isDirectory(installed)) {
      return installed;
    }
    Files.createDirectories(cache.path());
    Path unfinished = Files.createTempDirectory(cache.path(), "dynalite-unfinished-");
    try {
      for (String source : SOURCES) {
        try (InputStream in = resource(source)) {
          Files.copy(in, unfinished.resolve(source));
        }
      }
      node.install(unfinished);
      Files.move(unfinished, installed, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(installed)) {
        throw e;
      }
      // Another starter was faster, and installed the same.
    } finally {
      delete(unfinished);
    }
    return installed;
  }

  /** Returns eight hex digits that change whenever the lock file or the script does. */
  private static String shortHash() throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String source : SOURCES) {
        try (InputStream in = resource(source)) {
          digest.update(in.readAllBytes());
        }
      }
      return HexFormat.of().formatHex(digest.digest(), 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = DynamoServer.class.getResourceAsStream("dynalite/" + name);
    if (in == null) {
      throw new IOException("the resource dynalite/" + name + " is missing from the jar");
    }
    return in;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Returns the address for a DynamoDB client's endpoint override. */
  public URI endpoint() {
    return URI.create("http://" + Loopback.HOST + ":" + port);
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

  /** Stops it; does nothing the second time. */
  @Override
  public void close() {
    process.close();
  }
}
