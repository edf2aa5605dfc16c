package dev.fairfleet.seed;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.SiteStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lambda function that EventBridge Scheduler invokes: it reads the event, has a {@link Seeder}
 * do what it asks for, and answers {@code {"crawl": …, "started": 7, "skipped": 2, "postponed":
 * 0}}.
 *
 * <p>An invocation that leaves any site unstarted ends in an error that names it, because that is
 * what makes Lambda invoke again with the same event, a minute and then two minutes later (AWS
 * Lambda Developer Guide, "How Lambda handles errors and retries with asynchronous invocation").
 * Sites started before are left alone then.
 */
public final class SeedHandler implements RequestHandler<Map<String, Object>, Map<String, Object>> {
  /** How much of an invocation's time is kept for ending it in good order. */
  static final Duration RESERVE = Duration.ofSeconds(20);

  private static final Logger log = LoggerFactory.getLogger(SeedHandler.class);

  private final Seeder seeder;
  private final InstantSource clock;

  /** Called by Lambda, once per execution environment; see {@link SeedWiring} for its settings. */
  public SeedHandler() {
    this(InstantSource.system());
  }

  private SeedHandler(InstantSource clock) {
    this(SeedWiring.fromEnvironment(System.getenv(), clock), clock);
  }

  private SeedHandler(SeedWiring wiring, InstantSource clock) {
    this(
        new Seeder(wiring.sites(), wiring.frontier(), wiring.queue(), clock, wiring.most()), clock);
  }

  private SeedHandler(Seeder seeder, InstantSource clock) {
    this.seeder = seeder;
    this.clock = clock;
  }

  /** Uses the ports without closing any. */
  public SeedHandler(SiteStore sites, Frontier frontier, TaskQueue queue, InstantSource clock) {
    this(new Seeder(sites, frontier, queue, clock), clock);
  }

  /**
   * Starts the crawls that {@code event} asks for, see {@link SeedRequest#parse}.
   *
   * @throws IllegalArgumentException if the event cannot be read; nothing was started
   * @throws IllegalStateException if a site failed, is being started elsewhere, or had to be left
   *     for lack of time
   */
  @Override
  public Map<String, Object> handleRequest(@Nullable Map<String, Object> event, Context context) {
    SeedRequest request = SeedRequest.parse(event == null ? Map.of() : event);
    Instant deadline =
        clock.instant().plusMillis(context.getRemainingTimeInMillis()).minus(RESERVE);
    SeedResult result = seeder.seed(request, deadline);
    log.info("{}", result);
    if (!result.isComplete()) {
      throw new IllegalStateException(
          "Crawl "
              + result.crawl()
              + " is not started everywhere: "
              + result.failed()
              + " sites failed "
              + result.reasons()
              + ", "
              + result.left()
              + " were left for lack of time or to another invocation; "
              + result.started()
              + " were started. The same event again tries those that are missing.");
    }
    return Map.of(
        "crawl", result.crawl().value(),
        "started", result.started(),
        "skipped", result.skipped(),
        "postponed", result.postponed());
  }
}
