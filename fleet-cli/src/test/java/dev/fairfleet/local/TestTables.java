package dev.fairfleet.local;

import dev.fairfleet.dynamodb.DynamoDbClients;
import dev.fairfleet.dynamodb.TablePrefix;
import dev.fairfleet.dynamodb.Tables;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The three tables under a prefix of their own, and a client whose network can fail. */
final class TestTables implements AutoCloseable {
  private final Faults faults = new Faults();
  private final TablePrefix prefix = new TablePrefix("test-" + UUID.randomUUID() + "-");
  private final DynamoDbClient client;
  private final DynamoDbClient faultyClient;

  TestTables() {
    this(TestServices.dynamoDb());
  }

  TestTables(URI endpoint) {
    client = DynamoDbClients.create(Optional.of(endpoint), 32, List.of());
    faultyClient = DynamoDbClients.create(Optional.of(endpoint), 32, List.of(faults));
    Tables.createMissing(client, prefix);
  }

  TablePrefix prefix() {
    return prefix;
  }

  DynamoDbClient client() {
    return client;
  }

  /** Returns a client that fails as {@code faults} are told. */
  DynamoDbClient faultyClient() {
    return faultyClient;
  }

  Faults faults() {
    return faults;
  }

  @Override
  public void close() {
    for (String table : List.of(prefix.sites(), prefix.pages(), prefix.records())) {
      client.deleteTable(r -> r.tableName(table));
    }
    faultyClient.close();
    client.close();
  }
}
