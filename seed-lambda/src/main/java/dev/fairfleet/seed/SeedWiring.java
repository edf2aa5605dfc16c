package dev.fairfleet.seed;

import dev.fairfleet.dynamodb.DynamoDbClients;
import dev.fairfleet.dynamodb.DynamoDbFrontier;
import dev.fairfleet.dynamodb.DynamoDbSiteStore;
import dev.fairfleet.dynamodb.TablePrefix;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.sqs.QueueSettings;
import dev.fairfleet.sqs.Queues;
import dev.fairfleet.sqs.SqsClients;
import dev.fairfleet.sqs.SqsTaskQueue;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The ports of a function in AWS, on SQS and DynamoDB. They live as long as the function's
 * execution environment; nothing closes them.
 *
 * @param most how many due sites one run starts at most
 */
record SeedWiring(SiteStore sites, Frontier frontier, TaskQueue queue, int most) {
  private static final String MOST = "FAIRFLEET_SEED_MOST";

  // One for each site that is started at a time, and some for the scan.
  private static final int CONNECTIONS = Seeder.AT_ONCE + 4;

  // The seeder claims roots only, each once.
  private static final long SEEN_URLS = 0;

  /**
   * Connects to the queues and tables whose prefixes {@code FAIRFLEET_QUEUE_PREFIX} and {@code
   * FAIRFLEET_TABLE_PREFIX} give; {@code FAIRFLEET_SEED_MOST} may say how many due sites one run
   * starts at most; region, credentials and endpoints are the AWS SDK's to find.
   *
   * @throws IllegalStateException if a variable is not set or no number, or a queue does not exist
   */
  static SeedWiring fromEnvironment(Map<String, String> environment, InstantSource clock) {
    String queuePrefix = required(environment, "FAIRFLEET_QUEUE_PREFIX");
    TablePrefix tables = new TablePrefix(required(environment, "FAIRFLEET_TABLE_PREFIX"));
    int most = most(environment);
    RandomGenerator random = new SecureRandom();
    DynamoDbClient dynamoDb = DynamoDbClients.create(Optional.empty(), CONNECTIONS, List.of());
    SqsClient sqs = SqsClients.create(List.of());
    return new SeedWiring(
        new DynamoDbSiteStore(dynamoDb, tables, random),
        new DynamoDbFrontier(dynamoDb, tables, SEEN_URLS),
        new SqsTaskQueue(
            sqs,
            Queues.find(sqs, queuePrefix),
            QueueSettings.DEFAULT.leases(),
            SqsTaskQueue.Lingering.DEFAULT,
            clock,
            random),
        most);
  }

  private static int most(Map<String, String> environment) {
    String text = environment.getOrDefault(MOST, Integer.toString(Seeder.DEFAULT_MOST));
    if (!text.matches("[1-9]\\d{0,8}")) {
      throw new IllegalStateException(MOST + " is a number from 1, not \"" + text + "\"");
    }
    return Integer.parseInt(text);
  }

  private static String required(Map<String, String> environment, String name) {
    @Nullable String value = environment.get(name);
    if (value == null) {
      throw new IllegalStateException(
          name + " is not set; it begins the names of the fleet's queues or tables");
    }
    return value;
  }
}
