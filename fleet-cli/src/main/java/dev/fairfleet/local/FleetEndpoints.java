package dev.fairfleet.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * Where the services of a running local fleet listen, as the file {@code run/endpoints.properties}
 * of its data folder tells other processes.
 *
 * <p>The file is there only while the folder is locked: whoever locks the folder removes what a
 * fleet that was killed has left.
 *
 * @param sqs of the SQS server
 * @param dynamoDb of the server of the tables
 * @param redis of the gate
 */
record FleetEndpoints(URI sqs, URI dynamoDb, URI redis) {
  private static Path file(Path root) {
    return root.resolve("run").resolve("endpoints.properties");
  }

  /** Writes the file, whole or not at all. */
  void write(Path root) {
    Properties properties = new Properties();
    properties.setProperty("sqs", sqs.toString());
    properties.setProperty("dynamodb", dynamoDb.toString());
    properties.setProperty("redis", redis.toString());
    Path part = root.resolve("run").resolve("endpoints.part");
    try {
      try (OutputStream out = Files.newOutputStream(part)) {
        properties.store(out, null);
      }
      Files.move(part, file(root), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new LocalFleetException(
          "Cannot write %s (%s). Free some space, then start again.".formatted(part, e), e);
    }
  }

  /** Reads the file; nothing if it is not there. */
  static Optional<FleetEndpoints> read(Path root) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file(root))) {
      properties.load(in);
    } catch (IOException e) {
      return Optional.empty();
    }
    return uri(properties, "sqs")
        .flatMap(
            sqs ->
                uri(properties, "dynamodb")
                    .flatMap(
                        dynamoDb ->
                            uri(properties, "redis")
                                .map(redis -> new FleetEndpoints(sqs, dynamoDb, redis))));
  }

  private static Optional<URI> uri(Properties properties, String name) {
    return Optional.ofNullable(properties.getProperty(name)).map(URI::create);
  }

  /** Removes the file, if it is there. */
  static void remove(Path root) throws IOException {
    Files.deleteIfExists(file(root));
  }
}
