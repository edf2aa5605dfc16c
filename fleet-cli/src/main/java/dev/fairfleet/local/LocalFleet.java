package dev.fairfleet.local;

import dev.fairfleet.dynamodb.DynamoDbClients;
import dev.fairfleet.dynamodb.DynamoDbFrontier;
import dev.fairfleet.dynamodb.DynamoDbRecordStore;
import dev.fairfleet.dynamodb.DynamoDbSiteStore;
import dev.fairfleet.dynamodb.TablePrefix;
import dev.fairfleet.dynamodb.Tables;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.Requeue;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.record.RecordStore;
import dev.fairfleet.seed.SeedHandler;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.site.SiteStore;
import dev.fairfleet.sqs.Queues;
import dev.fairfleet.sqs.SqsClients;
import dev.fairfleet.sqs.SqsTaskQueue;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * A whole fleet on this machine: an SQS server in this JVM, Redis and a DynamoDB-compatible server
 * as child processes, and workers as further ones, all on loopback, started and stopped together.
 *
 * <p>The stores keep what they hold in the data folder. The queues do not: what they held is sent
 * again from the frontier by {@link #requeueUnfinished}. Safe for use by many threads.
 */
public final class LocalFleet implements AutoCloseable {
  static final String PREFIX = "fairfleet-";
  private static final Duration STOP = Duration.ofSeconds(10);
  private static final int CONNECTIONS = 32;
  private static final int SEEN_URLS = 0;

  private final DataDir dir;
  private final Map<String, String> settings;
  private final SqsServer sqsServer;
  private final RedisServer redisServer;
  private final DynamoServer dynamoServer;
  private final SqsClient sqs;
  private final DynamoDbClient dynamoDb;
  private final TaskQueue queue;
  private final Frontier frontier;
  private final SiteStore sites;
  private final RecordStore records;
  private final FleetTotals totals = new FleetTotals();
  private final List<WorkerProcess> workers = new ArrayList<>();
  private final AtomicInteger workerNumber = new AtomicInteger();

  private LocalFleet(DataDir dir, Map<String, String> settings, Opened opened) {
    this.dir = dir;
    this.sqsServer = opened.add(SqsServer.start());
    this.redisServer = opened.add(RedisServer.start(dir.redis()));
    this.dynamoServer = opened.add(DynamoServer.start(dir.dynamodb()));
    this.settings = new HashMap<>(settings);
    this.settings.putAll(endpoints());
    LeasePolicy lease =
        new LeasePolicy(
            Duration.ofSeconds(
                Long.parseLong(
                    settings.getOrDefault("FAIRFLEET_LEASE_VISIBILITY", "60s").replace("s", ""))),
            1_000);
    this.sqs = opened.add(SqsClients.local(sqsServer.endpoint(), List.of()));
    this.dynamoDb =
        opened.add(
            DynamoDbClients.create(Optional.of(dynamoServer.endpoint()), CONNECTIONS, List.of()));
    RandomGenerator random = new Random();
    TablePrefix tables = new TablePrefix(PREFIX);
    Tables.createMissing(dynamoDb, tables);
    this.queue =
        opened.add(
            new SqsTaskQueue(
                sqs,
                Queues.createMissing(sqs, PREFIX, lease),
                lease,
                SqsTaskQueue.Lingering.DEFAULT,
                InstantSource.system(),
                random));
    this.frontier = new DynamoDbFrontier(dynamoDb, tables, SEEN_URLS);
    this.sites = new DynamoDbSiteStore(dynamoDb, tables, random);
    this.records = new DynamoDbRecordStore(dynamoDb, tables);
    new FleetEndpoints(sqsServer.endpoint(), dynamoServer.endpoint(), redisServer.uri())
        .write(dir.root());
  }

  /** What was opened so far, so that a fleet which fails to start leaves nothing behind. */
  private static final class Opened {
    private final List<AutoCloseable> all = new ArrayList<>();

    <T extends AutoCloseable> T add(T opened) {
      all.add(opened);
      return opened;
    }

    void closeAll() {
      for (AutoCloseable each : all.reversed()) {
        try {
          each.close();
        } catch (Exception e) {
          throw new LocalFleetException("Cannot stop a part of the fleet: " + e, e);
        }
      }
    }
  }

  /**
   * Starts the services, and creates tables and queues where they are missing.
   *
   * @param settings environment variables for every worker
   * @throws LocalFleetException if a service cannot be started; nothing is left running
   */
  public static LocalFleet start(DataDir dir, Map<String, String> settings) {
    Opened opened = new Opened();
    try {
      return new LocalFleet(dir, settings, opened);
    } catch (RuntimeException e) {
      opened.closeAll();
      throw e;
    }
  }

  private Map<String, String> endpoints() {
    return Map.of(
        "AWS_REGION",
        "us-east-1",
        "AWS_ACCESS_KEY_ID",
        "local",
        "AWS_SECRET_ACCESS_KEY",
        "local",
        "AWS_ENDPOINT_URL_SQS",
        sqsServer.endpoint().toString(),
        "AWS_ENDPOINT_URL_DYNAMODB",
        dynamoServer.endpoint().toString(),
        "FAIRFLEET_REDIS_URL",
        redisServer.uri().toString(),
        "FAIRFLEET_QUEUE_PREFIX",
        PREFIX,
        "FAIRFLEET_TABLE_PREFIX",
        PREFIX,
        "FAIRFLEET_METRICS_INTERVAL",
        "500ms");
  }

  /** Starts one more worker. */
  public WorkerProcess startWorker() {
    return startWorker(Map.of());
  }

  /**
   * Starts one more worker.
   *
   * @param more environment variables for it alone
   */
  public synchronized WorkerProcess startWorker(Map<String, String> more) {
    String id = "worker-" + workerNumber.incrementAndGet();
    Map<String, String> own = new HashMap<>(settings);
    own.putAll(more);
    own.put("FAIRFLEET_WORKER_ID", id);
    WorkerProcess worker = WorkerProcess.start(id, own, dir, totals::accept);
    workers.add(worker);
    return worker;
  }

  /** Returns every worker that was started, those that ended too. */
  public synchronized List<WorkerProcess> workers() {
    return List.copyOf(workers);
  }

  /**
   * Starts a crawl of some sites, by the same handler that runs on Lambda.
   *
   * @return the crawl's id
   */
  public CrawlId seed(Instant scheduledTime, Collection<SiteId> ids) {
    new SeedHandler(sites, frontier, queue, InstantSource.system())
        .handleRequest(
            Map.of(
                "scheduledTime",
                scheduledTime.toString(),
                "sites",
                ids.stream().map(SiteId::value).toList()),
            new LocalContext());
    return CrawlId.scheduledFor(scheduledTime);
  }

  /**
   * Sends the queued pages of the sites' newest crawls again, which makes earlier tasks of them
   * stale. Shelved pages stay there, but for a few of a site that has no others, which draw them
   * out.
   *
   * @return how many were sent
   */
  public int requeueUnfinished(Collection<SiteId> ids) {
    Requeue requeue = new Requeue(sites, frontier, queue);
    int sent = 0;
    for (SiteId id : ids) {
      Optional<CrawlId> crawl = sites.find(id).flatMap(SiteStatus::crawl);
      sent += crawl.map(newest -> requeue.unfinished(id, newest)).orElse(0);
    }
    return sent;
  }

  /** Returns the pages of a site's newest crawl that have not reached a final state. */
  public List<Page> unfinished(SiteId id) {
    List<Page> unfinished = new ArrayList<>();
    sites
        .find(id)
        .flatMap(SiteStatus::crawl)
        .ifPresent(
            crawl ->
                frontier.forEachPage(
                    id,
                    page -> {
                      if (page.crawl().equals(crawl) && !page.state().isFinal()) {
                        unfinished.add(page);
                      }
                    }));
    return unfinished;
  }

  /** Returns the fleet's sites. */
  public SiteStore sites() {
    return sites;
  }

  /** Returns the fleet's frontier. */
  public Frontier frontier() {
    return frontier;
  }

  /** Returns the fleet's records. */
  public RecordStore records() {
    return records;
  }

  /** Returns the fleet's queues. */
  public TaskQueue queue() {
    return queue;
  }

  /** Returns the address of the fleet's SQS server, for who speaks to it past {@link #queue}. */
  public URI sqsEndpoint() {
    return sqsServer.endpoint();
  }

  /** Returns what the workers counted. */
  public FleetTotals totals() {
    return totals;
  }

  /** Returns the server of the gate, for its processor time. */
  public ChildProcess redis() {
    return redisServer.process();
  }

  /** Returns the server of the tables, for its processor time. */
  public ChildProcess dynamo() {
    return dynamoServer.process();
  }

  /** Stops the workers in order, side by side. */
  public void stopWorkers() {
    List<Thread> stops = new ArrayList<>();
    for (WorkerProcess worker : workers()) {
      if (worker.process().isAlive()) {
        stops.add(Thread.ofVirtual().start(() -> worker.stop(STOP)));
      }
    }
    for (Thread stop : stops) {
      try {
        stop.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void removeEndpoints() {
    try {
      FleetEndpoints.remove(dir.root());
    } catch (IOException e) {
      throw new LocalFleetException("Cannot tidy up " + dir.run() + " (" + e + ").", e);
    }
  }

  /** Stops the workers, then the services. */
  @Override
  public void close() {
    removeEndpoints();
    stopWorkers();
    queue.close();
    sqs.close();
    dynamoDb.close();
    dynamoServer.close();
    redisServer.close();
    sqsServer.close();
  }
}
