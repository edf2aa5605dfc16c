package dev.fairfleet.worker.config;

import dev.fairfleet.fairness.DelayPolicy;
import dev.fairfleet.fairness.DelayTable;
import dev.fairfleet.fairness.WindowPolicy;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.retry.BreakerPolicy;
import dev.fairfleet.retry.RetryPolicy;
import dev.fairfleet.robots.RobotsPolicy;
import dev.fairfleet.robots.RobotsRules;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Everything that can be set of a worker; {@code reference.properties} says what each setting means
 * and costs.
 *
 * @param id name of this worker in logs and metrics; empty for host name and process id
 * @param slots pages in hand at once
 * @param perServer pages of one host in hand at once
 * @param grace how long pages in hand may still finish after SIGTERM
 * @param sweep least time between two looks at all sites of the fleet
 * @param redisUrl may hold a password; see {@link #toString}
 */
public record WorkerConfig(
    String id,
    int slots,
    int perServer,
    Duration grace,
    Queue queue,
    Tables tables,
    URI redisUrl,
    boolean redisCluster,
    SchedulingPolicy policy,
    WindowPolicy windows,
    long inFlightQuota,
    ParkingPolicy parking,
    DelayPolicy delay,
    Duration sweep,
    LeasePolicy lease,
    RetryPolicy retry,
    BreakerPolicy breaker,
    Fetch fetch,
    RobotsPolicy robots,
    int maxLinks,
    Duration metricsInterval) {

  /** How the queues are found and polled. */
  public record Queue(String prefix, Duration idleWait, int highDepth, int lowShare) {
    private static final Duration LONGEST_PLAIN = Duration.ofSeconds(1);

    /** Returns how long a receive waits when one queue is asked after the other. */
    public Duration plainIdleWait() {
      return idleWait.compareTo(LONGEST_PLAIN) < 0 ? idleWait : LONGEST_PLAIN;
    }
  }

  /** How the tables are found, and how many claimed URLs are remembered. */
  public record Tables(String prefix, int seenCache) {}

  /** How a page is fetched. */
  public record Fetch(
      String userAgent,
      String contact,
      Duration connectTimeout,
      Duration idleTimeout,
      Duration deadline,
      int maxBytes,
      boolean allowLoopback) {}

  private static final Duration LONGEST_BETWEEN_SWEEPS = Duration.ofHours(24);
  private static final Duration LONGEST_POLL = Duration.ofSeconds(20);

  /**
   * Reads the configuration.
   *
   * @param environment variables by name, as in {@link System#getenv()}
   * @throws InvalidConfigException with every problem at once: an unknown setting, a bad value
   */
  public static WorkerConfig load(Map<String, String> environment) {
    Settings settings = Settings.load(environment);
    SchedulingPolicy policy =
        settings.read(
            "scheduling.policy", "reserved or classic", text -> SchedulingPolicy.named(text));
    DelayTable table =
        settings.read(
            "scheduling.delayTable", "a delay table", text -> Optional.of(DelayTable.parse(text)));
    double scale = settings.factor("scheduling.delayScale");
    WorkerConfig config =
        new WorkerConfig(
            settings.text("worker.id"),
            settings.integer("worker.slots", 1, 10_000),
            settings.integer("worker.perServer", 1, 10_000),
            settings.duration("worker.grace"),
            new Queue(
                settings.text("queue.prefix"),
                settings.duration("queue.idleWait"),
                settings.integer("queue.highDepth", 0, 1_000_000),
                settings.integer("queue.lowShare", 2, 1_000)),
            new Tables(
                settings.text("table.prefix"),
                settings.integer("table.seenCache", 0, Integer.MAX_VALUE)),
            settings.read("redis.url", "redis:// or rediss:// and an address", WorkerConfig::redis),
            settings.flag("redis.cluster"),
            policy,
            together(
                settings,
                () ->
                    new WindowPolicy(
                        settings.duration("scheduling.windowAhead"),
                        settings.integer("scheduling.windowLeast", 1, 10_000),
                        settings.integer("scheduling.windowMost", 1, 100_000)),
                WindowPolicy.DEFAULT),
            settings.integer("scheduling.inFlightQuota", 1, Integer.MAX_VALUE),
            together(
                settings,
                () ->
                    new ParkingPolicy(
                        settings.duration("scheduling.parkShortest"),
                        settings.duration("scheduling.parkLongest")),
                new ParkingPolicy(Duration.ZERO, Duration.ZERO)),
            new DelayPolicy(table, scale),
            settings.duration("scheduling.sweep"),
            together(
                settings,
                () ->
                    new LeasePolicy(
                        settings.duration("lease.visibility"),
                        settings.integer("lease.maxReceiveCount", 1, 1_000)),
                new LeasePolicy(Duration.ofSeconds(60), 1_000)),
            together(
                settings,
                () ->
                    new RetryPolicy(
                        settings.integer("retry.maxAttempts", 1, 1_000),
                        settings.duration("retry.base"),
                        settings.duration("retry.cap")),
                new RetryPolicy(1, Duration.ZERO, Duration.ZERO)),
            new BreakerPolicy(settings.integer("breaker.failures", 0, 1_000_000)),
            new Fetch(
                settings.text("fetch.userAgent"),
                settings.text("fetch.contact"),
                settings.duration("fetch.connectTimeout"),
                settings.duration("fetch.idleTimeout"),
                settings.duration("fetch.deadline"),
                settings.bytes("fetch.maxBytes"),
                settings.flag("fetch.allowLoopback")),
            together(
                settings,
                () ->
                    new RobotsPolicy(
                        settings.duration("robots.fresh"),
                        settings.duration("robots.retry"),
                        settings.duration("robots.retryMost"),
                        settings.duration("robots.longestDelay")),
                RobotsPolicy.DEFAULT),
            settings.integer("parse.maxLinks", 1, 1_000_000),
            settings.duration("metrics.interval"));
    config.checkTogether(settings);
    if (!settings.problems().isEmpty()) {
      throw new InvalidConfigException(settings.problems());
    }
    return config;
  }

  private void checkTogether(Settings settings) {
    if (queue.idleWait().compareTo(LONGEST_POLL) > 0) {
      settings.problem("queue.idleWait is " + queue.idleWait() + ", but SQS waits at most 20 s");
    }
    if (sweep.isZero() || sweep.compareTo(LONGEST_BETWEEN_SWEEPS) > 0) {
      settings.problem("scheduling.sweep is " + sweep + ", but must be positive and at most 24 h");
    }
    if (metricsInterval.isZero()) {
      settings.problem("metrics.interval is 0, but must be positive");
    }
    if (RobotsRules.productToken(fetch.userAgent()).isEmpty()) {
      settings.problem(
          "fetch.userAgent is \""
              + fetch.userAgent()
              + "\", but must begin with a letter, _ or -, so that robots.txt can name it");
    }
    if (!fetch.allowLoopback() && fetch.contact().isEmpty()) {
      settings.problem(
          "fetch.contact is empty, but must name a URL or mail address under which the owners of"
              + " the sites reach you (FAIRFLEET_FETCH_CONTACT)");
    }
  }

  private static Optional<URI> redis(String text) {
    URI uri = URI.create(text);
    boolean scheme = "redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme());
    return scheme && uri.getHost() != null ? Optional.of(uri) : Optional.empty();
  }

  private static <T> T together(Settings settings, Supplier<T> value, T otherwise) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      settings.problem(String.valueOf(e.getMessage()));
      return otherwise;
    }
  }

  /** Returns the settings without the credentials that {@link #redisUrl} may hold. */
  @Override
  public String toString() {
    return "WorkerConfig[slots="
        + slots
        + ", perServer="
        + perServer
        + ", queue="
        + queue
        + ", tables="
        + tables
        + ", redis="
        + redisUrl.getHost()
        + ":"
        + redisUrl.getPort()
        + ", policy="
        + policy
        + ", lease="
        + lease
        + ", delayScale="
        + delay.scale()
        + "]";
  }
}
