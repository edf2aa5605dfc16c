package dev.fairfleet.local;

import dev.fairfleet.dynamodb.DynamoDbClients;
import dev.fairfleet.dynamodb.DynamoDbFrontier;
import dev.fairfleet.dynamodb.DynamoDbSiteStore;
import dev.fairfleet.dynamodb.TablePrefix;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.site.SiteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The tables of a fleet, to look into while no worker of a local fleet runs. Thread-safe. */
public final class FleetTables implements AutoCloseable {
  private static final int CONNECTIONS = 8;

  private final DynamoDbClient client;
  private final TablePrefix prefix;
  private final List<AutoCloseable> services;

  private FleetTables(DynamoDbClient client, TablePrefix prefix, List<AutoCloseable> services) {
    this.client = client;
    this.prefix = prefix;
    this.services = services;
  }

  /**
   * Opens what a local fleet left in its data folder.
   *
   * @throws LocalFleetException if there is no such folder, a fleet uses it, or the server of its
   *     tables cannot be started
   */
  public static FleetTables ofDataDir(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new LocalFleetException(
          "There is no data folder " + folder + ". Name the one that the crawl used.", null);
    }
    DataDir dir = DataDir.open(folder);
    try {
      DynamoServer server = DynamoServer.start(dir.dynamodb());
      return new FleetTables(
          DynamoDbClients.create(Optional.of(server.endpoint()), CONNECTIONS, List.of()),
          new TablePrefix(LocalFleet.PREFIX),
          List.of(server, dir));
    } catch (RuntimeException e) {
      dir.close();
      throw e;
    }
  }

  /**
   * Opens tables on AWS, or wherever {@code AWS_ENDPOINT_URL_DYNAMODB} points to, with the SDK's
   * own region and credentials.
   */
  public static FleetTables onAws(String prefix) {
    return new FleetTables(
        DynamoDbClients.create(Optional.empty(), CONNECTIONS, List.of()),
        new TablePrefix(prefix),
        List.of());
  }

  /** Returns the fleet's sites. */
  public SiteStore sites() {
    return new DynamoDbSiteStore(client, prefix, new Random());
  }

  /** Returns the fleet's frontier. */
  public Frontier frontier() {
    return new DynamoDbFrontier(client, prefix, 0);
  }

  @Override
  public void close() {
    client.close();
    for (AutoCloseable service : services) {
      try {
        service.close();
      } catch (Exception e) {
        throw new LocalFleetException("Cannot close the tables: " + e, e);
      }
    }
  }
}
