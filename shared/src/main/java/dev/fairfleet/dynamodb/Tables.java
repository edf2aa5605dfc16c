package dev.fairfleet.dynamodb;

import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** Creates a fleet's tables where no AWS stack does. */
public final class Tables {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final int POLLS = 300;

  private Tables() {}

  /**
   * Creates those of the fleet's tables that do not exist, billed by request, and returns when all
   * are active. Safe when several processes start at once.
   *
   * @throws software.amazon.awssdk.core.exception.SdkException if the server cannot be reached, or
   *     a table does not become active within a minute
   */
  public static void createMissing(DynamoDbClient client, TablePrefix prefix) {
    List<TableDefinition> tables = TableDefinitions.all();
    for (TableDefinition table : tables) {
      try {
        client.createTable(table.creation(prefix));
      } catch (ResourceInUseException e) {
        // It exists already, or another process is creating it.
      }
    }
    try (DynamoDbWaiter waiter =
        DynamoDbWaiter.builder()
            .client(client)
            .overrideConfiguration(
                c -> c.maxAttempts(POLLS).backoffStrategyV2(BackoffStrategy.fixedDelay(POLL)))
            .build()) {
      for (TableDefinition table : tables) {
        waiter.waitUntilTableExists(r -> r.tableName(prefix.table(table.name())));
      }
    }
  }
}
