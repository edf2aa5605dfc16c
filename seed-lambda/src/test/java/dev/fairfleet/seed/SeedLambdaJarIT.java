package dev.fairfleet.seed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that is uploaded, alone on a class path as in Lambda. */
final class SeedLambdaJarIT {
  private static final Path JAR = Path.of(System.getProperty("lambda.jar"));
  private static final Path TEST_CLASSES =
      Path.of(System.getProperty("lambda.jar")).resolveSibling("test-classes");

  @Test
  void jar_aloneOnTheClassPath_handlesAnEvent(@TempDir Path temporary) throws Exception {
    ConcurrentSkipListSet<String> asked = new ConcurrentSkipListSet<>();
    HttpServer aws = emptyFleet(asked);
    try {
      String endpoint = "http://127.0.0.1:" + aws.getAddress().getPort();
      File out = temporary.resolve("out").toFile();
      File err = temporary.resolve("err").toFile();
      ProcessBuilder lambda =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  JAR + File.pathSeparator + TEST_CLASSES,
                  LambdaProbe.class.getName(),
                  SeedHandler.class.getName(),
                  "2026-01-01T12:00:00Z")
              .redirectOutput(out)
              .redirectError(err);
      lambda.environment().clear();
      lambda
          .environment()
          .putAll(
              Map.of(
                  "AWS_REGION", "eu-central-1",
                  "AWS_ACCESS_KEY_ID", "test",
                  "AWS_SECRET_ACCESS_KEY", "test",
                  "AWS_ENDPOINT_URL", endpoint,
                  "FAIRFLEET_QUEUE_PREFIX", "test-",
                  "FAIRFLEET_TABLE_PREFIX", "test-"));
      Process running = lambda.start();
      boolean ended = running.waitFor(2, TimeUnit.MINUTES);
      running.destroyForcibly();
      String log = Files.readString(err.toPath());
      assertThat(ended).as(log).isTrue();
      assertThat(running.exitValue()).as(log).isZero();
      assertThat(Files.readString(out.toPath())).contains("started=0").contains("20260101T120000");
      assertThat(log).contains("SeedHandler").doesNotContain("SLF4J(W)");
      assertThat(asked)
          .contains("AmazonSQS.GetQueueUrl test-high", "DynamoDB_20120810.Scan test-sites");
    } finally {
      aws.stop(0);
    }
  }

  /** Answers as SQS with any queue and as DynamoDB with empty tables do. */
  private static HttpServer emptyFleet(ConcurrentSkipListSet<String> asked) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String action = exchange.getRequestHeaders().getFirst("X-Amz-Target");
          String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          asked.add(
              action + " " + body.replaceAll(".*\"(?:QueueName|TableName)\":\"([^\"]*)\".*", "$1"));
          byte[] answer =
              (action.contains("SQS")
                      ? "{\"QueueUrl\":\"http://127.0.0.1/queue\"}"
                      : "{\"Items\":[],\"Count\":0,\"ScannedCount\":0}")
                  .getBytes(UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void jar_contents_leaveOutWhatTheFunctionNeverUses() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> names = jar.stream().map(entry -> entry.getName()).toList();
      assertThat(names)
          .noneMatch(name -> name.startsWith("io/lettuce/") || name.startsWith("io/netty/"))
          .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|RSA|DSA)"))
          .contains("META-INF/services/software.amazon.awssdk.http.SdkHttpService");
      assertThat(new TreeSet<>(names)).hasSameSizeAs(names);
    }
  }
}
