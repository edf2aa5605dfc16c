package dev.fairfleet.local;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A program that starts Redis and dynalite, prints their process ids, and waits to be ended or,
 * when told so, ends by itself without closing them.
 */
final class ServiceStarter {
  private ServiceStarter() {}

  static List<String> command(Path folder, String end) {
    return List.of(
        ChildProcess.javaLauncher().toString(),
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        ServiceStarter.class.getName(),
        folder.toString(),
        end);
  }

  public static void main(String[] args) throws InterruptedException {
    Path folder = Path.of(args[0]);
    RedisServer redis = RedisServer.start(folder.resolve("redis"));
    DynamoServer dynamo = DynamoServer.start(folder.resolve("dynamodb"));
    System.out.println("pid " + redis.pid());
    System.out.println("pid " + dynamo.pid());
    if (args[1].equals("exit")) {
      System.exit(0);
    }
    new CountDownLatch(1).await();
  }
}
