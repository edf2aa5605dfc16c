package dev.fairfleet.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The services that contract tests run against: those named by the environment ({@code
 * AWS_ENDPOINT_URL_SQS}, {@code AWS_ENDPOINT_URL_DYNAMODB}, {@code FAIRFLEET_REDIS_URL}), else
 * embedded ones, started once for all tests of the JVM; they end with it.
 */
public final class TestServices {
  private TestServices() {}

  /** Returns the endpoint of an SQS server. */
  public static URI sqs() {
    return named("AWS_ENDPOINT_URL_SQS").orElseGet(() -> Sqs.SERVER.endpoint());
  }

  /** Returns the endpoint of a DynamoDB server. */
  public static URI dynamoDb() {
    return named("AWS_ENDPOINT_URL_DYNAMODB").orElseGet(() -> Dynamo.SERVER.endpoint());
  }

  /** Returns the address of a Redis server. */
  public static URI redis() {
    return named("FAIRFLEET_REDIS_URL").orElseGet(() -> Redis.SERVER.uri());
  }

  private static Optional<URI> named(String variable) {
    return Optional.ofNullable(System.getenv(variable)).map(URI::create);
  }

  // Each is started when it is asked for first.
  private static final class Sqs {
    static final SqsServer SERVER = SqsServer.start();
  }

  private static final class Dynamo {
    static final DynamoServer SERVER = DynamoServer.start(folder("dynamodb"));
  }

  private static final class Redis {
    static final RedisServer SERVER = RedisServer.start(folder("redis"));
  }

  private static Path folder(String name) {
    try {
      return Files.createTempDirectory("fairfleet-test-" + name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
