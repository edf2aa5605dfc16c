package dev.fairfleet.local;

import dev.fairfleet.dynamodb.DynamoDbClients;
import dev.fairfleet.dynamodb.DynamoDbFrontier;
import dev.fairfleet.dynamodb.DynamoDbRecordStore;
import dev.fairfleet.dynamodb.DynamoDbSiteStore;
import dev.fairfleet.dynamodb.TablePrefix;
import dev.fairfleet.dynamodb.Tables;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.sqs.DeadLetters;
import dev.fairfleet.sqs.QueueSettings;
import dev.fairfleet.sqs.Queues;
import dev.fairfleet.sqs.SqsClients;
import dev.fairfleet.sqs.SqsTaskQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The tables and queues of a fleet, for whoever looks after it: a fleet on AWS, a local fleet that
 * runs, or what a local fleet left in its data folder. Thread-safe.
 */
public final class FleetAccess implements AutoCloseable {
  private static final int CONNECTIONS = 16;
  private static final int SEEN_URLS = 0;
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  private final DynamoDbClient dynamoDb;
  private final TablePrefix tables;
  private final Optional<Supplier<SqsClient>> sqs;
  private final String queuePrefix;
  private final String noQueues;
  private final List<AutoCloseable> opened;
  private @Nullable SqsClient client;
  private @Nullable Queues urls;
  private @Nullable TaskQueue queue;

  private FleetAccess(
      DynamoDbClient dynamoDb,
      String prefix,
      Optional<Supplier<SqsClient>> sqs,
      String noQueues,
      List<AutoCloseable> services) {
    this.dynamoDb = dynamoDb;
    this.tables = new TablePrefix(prefix);
    this.queuePrefix = prefix;
    this.sqs = sqs;
    this.noQueues = noQueues;
    this.opened = new ArrayList<>(services);
    this.opened.add(dynamoDb);
  }

  /**
   * Opens the fleet of a data folder: attaches to it if it runs, and otherwise starts the server of
   * its tables, which lasts until this is closed.
   *
   * @throws LocalFleetException if there is no such folder, another command has it for itself, or
   *     the server cannot be started
   */
  public static FleetAccess ofDataDir(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new LocalFleetException(
          "There is no data folder " + folder + ". Name the one that the fleet uses.", null);
    }
    return ofNewDataDir(folder);
  }

  /** Opens the fleet of a data folder like {@link #ofDataDir}, creating the folder if need be. */
  public static FleetAccess ofNewDataDir(Path folder) {
    long start = System.nanoTime();
    while (true) {
      Optional<DataDir> free = DataDir.openIfFree(folder);
      if (free.isPresent()) {
        return atRest(folder, free.get());
      }
      // A fleet that starts or stops is not there yet, or soon gone; so is another command.
      Optional<FleetEndpoints> endpoints = FleetEndpoints.read(folder);
      if (endpoints.isPresent()) {
        return running(endpoints.get());
      }
      if (System.nanoTime() - start > PATIENCE.toNanos()) {
        return atRest(folder, DataDir.open(folder));
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(BETWEEN_LOOKS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LocalFleetException("Waiting for the data folder was interrupted.", e);
    }
  }

  private static FleetAccess atRest(Path folder, DataDir dir) {
    List<AutoCloseable> services = new ArrayList<>();
    services.add(dir);
    try {
      DynamoServer server = DynamoServer.start(dir.dynamodb());
      services.add(server);
      DynamoDbClient client =
          DynamoDbClients.create(Optional.of(server.endpoint()), CONNECTIONS, List.of());
      Tables.createMissing(client, new TablePrefix(LocalFleet.PREFIX));
      return new FleetAccess(
          client,
          LocalFleet.PREFIX,
          Optional.empty(),
          "No fleet runs on "
              + folder
              + ", and a local fleet has its queues only while it runs. Start one with fairfleet run"
              + " --data-dir "
              + folder
              + "; it sends unfinished pages again by itself.",
          services);
    } catch (RuntimeException e) {
      closeAll(services);
      throw e;
    }
  }

  private static FleetAccess running(FleetEndpoints endpoints) {
    return new FleetAccess(
        DynamoDbClients.create(Optional.of(endpoints.dynamoDb()), CONNECTIONS, List.of()),
        LocalFleet.PREFIX,
        Optional.of(() -> SqsClients.local(endpoints.sqs(), List.of())),
        "",
        List.of());
  }

  /**
   * Opens a fleet on AWS, or on a server that is like it.
   *
   * @throws IllegalArgumentException if its prefix could not begin a table's name
   */
  public static FleetAccess onAws(AwsTarget target) {
    return new FleetAccess(
        DynamoDbClients.create(CONNECTIONS, List.of(), target::configure),
        target.prefix(),
        Optional.of(() -> SqsClients.create(List.of(), target::configure)),
        "",
        List.of());
  }

  /** Tells whether workers may be at work: always on AWS, and on a local fleet that runs. */
  public boolean runs() {
    return sqs.isPresent();
  }

  /** Returns the fleet's sites. */
  public SiteStore sites() {
    return new DynamoDbSiteStore(dynamoDb, tables, new Random());
  }

  /** Returns the fleet's frontier. */
  public Frontier frontier() {
    return new DynamoDbFrontier(dynamoDb, tables, SEEN_URLS);
  }

  /** Returns the fleet's records. */
  public RecordStore records() {
    return new DynamoDbRecordStore(dynamoDb, tables);
  }

  /**
   * Returns the fleet's queues, which are closed with this.
   *
   * @throws LocalFleetException if it has none, because it does not run, or a queue does not exist
   */
  public synchronized TaskQueue queue() {
    if (queue == null) {
      TaskQueue created =
          new SqsTaskQueue(
              client(),
              urls(),
              QueueSettings.DEFAULT.leases(),
              SqsTaskQueue.Lingering.DEFAULT,
              InstantSource.system(),
              new Random());
      opened.add(created);
      queue = created;
    }
    return queue;
  }

  /**
   * Returns the fleet's dead-letter queues.
   *
   * @throws LocalFleetException if it has none, because it does not run, or a queue does not exist
   */
  public synchronized DeadLetters deadLetters() {
    return new DeadLetters(client(), urls());
  }

  private SqsClient client() {
    if (client == null) {
      SqsClient created = sqs.orElseThrow(() -> new LocalFleetException(noQueues, null)).get();
      opened.add(created);
      client = created;
    }
    return client;
  }

  private Queues urls() {
    if (urls == null) {
      try {
        urls = Queues.find(client(), queuePrefix);
      } catch (IllegalStateException e) {
        throw new LocalFleetException(e.getMessage() + ".", e);
      }
    }
    return urls;
  }

  @Override
  public synchronized void close() {
    closeAll(opened);
  }

  private static void closeAll(List<AutoCloseable> opened) {
    for (AutoCloseable each : opened.reversed()) {
      try {
        each.close();
      } catch (Exception e) {
        throw new LocalFleetException("Cannot close a part of the fleet: " + e, e);
      }
    }
  }
}
