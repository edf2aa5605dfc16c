package dev.fairfleet.local;

import dev.fairfleet.dynamodb.DynamoDbFrontier;
import dev.fairfleet.dynamodb.DynamoDbOutlinks;
import dev.fairfleet.dynamodb.DynamoDbRecordStore;
import dev.fairfleet.dynamodb.DynamoDbSiteStore;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.FrontierContract;
import dev.fairfleet.frontier.Outlinks;
import dev.fairfleet.frontier.OutlinksContract;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.queue.TaskQueueContract;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.record.RecordStoreContract;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.site.SiteStoreContract;
import dev.fairfleet.sqs.Queues;
import dev.fairfleet.sqs.SqsClients;
import dev.fairfleet.sqs.SqsTaskQueue;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The contracts of the queues and tables against LocalStack, the second implementation of both
 * services; skipped, with a printed line, where there is no Docker engine.
 */
@SuppressWarnings("NullAway.Init")
final class LocalStackIT {
  private static final DockerImageName IMAGE =
      DockerImageName.parse("localstack/localstack:4.14.0");

  private static LocalStackContainer localStack;
  private static TestTables tables;
  private static SqsClient sqs;

  @BeforeAll
  static void start() {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      System.out.println("LocalStack tests skipped: no Docker engine");
      Assumptions.abort("no Docker engine");
    }
    localStack = new LocalStackContainer(IMAGE).withServices("sqs", "dynamodb");
    localStack.start();
    tables = new TestTables(localStack.getEndpoint());
    sqs = SqsClients.local(localStack.getEndpoint(), List.of());
  }

  @AfterAll
  static void stop() {
    if (localStack != null) {
      sqs.close();
      tables.close();
      localStack.stop();
    }
  }

  @Nested
  final class Queue extends TaskQueueContract {
    private final String prefix = "test-" + UUID.randomUUID() + "-";

    @Override
    protected TaskQueue empty(LeasePolicy leases) {
      return new SqsTaskQueue(
          sqs,
          Queues.createMissing(sqs, prefix, leases),
          leases,
          SqsTaskQueue.Lingering.DEFAULT,
          InstantSource.system(),
          new Random());
    }
  }

  @Nested
  final class Pages extends FrontierContract {
    @Override
    protected Frontier open() {
      return new DynamoDbFrontier(tables.client(), tables.prefix(), 10_000);
    }
  }

  @Nested
  final class Links extends OutlinksContract {
    @Override
    protected Outlinks open() {
      return new DynamoDbOutlinks(tables.client(), tables.prefix());
    }
  }

  @Nested
  final class Records extends RecordStoreContract {
    @Override
    protected RecordStore store() {
      return new DynamoDbRecordStore(tables.client(), tables.prefix());
    }
  }

  @Nested
  final class Sites extends SiteStoreContract {
    @Override
    protected SiteStore store() {
      return new DynamoDbSiteStore(tables.client(), tables.prefix(), new Random());
    }
  }
}
