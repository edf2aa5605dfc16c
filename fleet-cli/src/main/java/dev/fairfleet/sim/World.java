package dev.fairfleet.sim;

import dev.fairfleet.fairness.DelayPolicy;
import dev.fairfleet.fairness.DelayTable;
import dev.fairfleet.fairness.Percentile;
import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.fairness.SlotGrid;
import dev.fairfleet.fairness.TurnPolicy;
import dev.fairfleet.fairness.WindowPolicy;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.queue.PollPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What the workers of a simulated fleet share: time, sites, queues, gate and windows; and what is
 * counted. The decisions are those of the very policies that a worker runs.
 */
final class World {
  static final long SECOND = 1_000_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final long LONGEST_DELAY = DelayPolicy.MAX_SECONDS * SECOND;
  // The gate's clock: any time that is not 0, which stands for never.
  private static final long EPOCH = 1_800_000_000L * SECOND;
  private static final long REDIS_TO_DYNAMODB = 20_000;
  private static final long SERVED_HALF_LIFE = HOUR;
  private static final long ACTIVE_FOR = micros(ServedCounts.ACTIVE_FOR);

  final Scenario scenario;
  final Timeline timeline = new Timeline();
  final RandomGenerator random;
  final List<SimSite> sites;
  final SimQueue high;
  final SimQueue low;
  final Figures figures;

  final PolitenessPolicy politeness = new PolitenessPolicy();
  final LeasePolicy leases = new LeasePolicy(Duration.ofMinutes(2), 1_000);
  final WindowPolicy windows = WindowPolicy.DEFAULT;
  final SlotGrid grid = SlotGrid.DEFAULT;
  final TurnPolicy turns = TurnPolicy.DEFAULT;
  final PollPolicy polls = PollPolicy.DEFAULT;
  final DelayPolicy delays = new DelayPolicy(DelayTable.DEFAULT, 1);

  private double landmark;
  long pagesDone;
  private final long pagesInAll;

  /** The requests of the event that happens now, for the invariants. */
  final List<Request> requests = new ArrayList<>();

  long doubleWork;
  long refused;

  /**
   * A request, as whoever watches politeness sees it.
   *
   * @param gap time since the one before to the same site, in microseconds
   * @param inTrailingHour requests to the site in the hour that ends with this one
   * @param coolingDown whether the site was to be left alone
   */
  record Request(SimSite site, long gap, int inTrailingHour, boolean coolingDown) {}

  World(Scenario scenario, List<SimSite> sites, boolean fairQueues, long seed) {
    this.scenario = scenario;
    this.sites = sites;
    this.random = new SplittableRandom(seed * 31 + 17);
    this.high = new SimQueue(timeline, random, scenario.faults(), leases, fairQueues);
    this.low = new SimQueue(timeline, random, scenario.faults(), leases, fairQueues);
    this.figures = new Figures(this);
    this.pagesInAll = sites.stream().mapToLong(site -> site.pages).sum();
  }

  static long micros(Duration duration) {
    return duration.toNanos() / 1_000;
  }

  static Duration duration(long micros) {
    return Duration.ofNanos(micros * 1_000);
  }

  /** Returns a time as a delay that SQS accepts, in microseconds. */
  static long wholeSeconds(Duration delay) {
    return Math.min(delay.toSeconds(), DelayPolicy.MAX_SECONDS) * SECOND;
  }

  long now() {
    return timeline.now();
  }

  long gateNow() {
    return EPOCH + timeline.now();
  }

  SimQueue queue(boolean isHigh) {
    return isHigh ? high : low;
  }

  long pages() {
    return pagesInAll;
  }

  boolean isFinished() {
    return pagesDone == pagesInAll;
  }

  int inFlight() {
    return high.inFlight() + low.inFlight();
  }

  // The gate.

  Admission admit(SimSite site) {
    PolitenessPolicy.Decision decision = politeness.admit(site.gate, site.limits, gateNow());
    decision.next().ifPresent(next -> site.gate = next);
    return decision.admission();
  }

  List<Duration> reserve(SimSite site, GateLimits limits, int slots) {
    PolitenessPolicy.Slots reserved =
        politeness.reserve(
            site.gate, limits, slots, micros(PolitenessPolicy.FARTHEST_SLOT), gateNow());
    site.gate = reserved.next();
    return reserved.after();
  }

  void coolDown(SimSite site) {
    long retryAfter = site.saysRetryAfter ? Math.max(0, site.throttlesUntil - now()) : -1;
    site.gate =
        politeness.coolDown(site.gate, site.limits, retryAfter, random.nextInt(1_000), gateNow());
  }

  // A request, as the site sees it.

  /** Returns whether the site answers 429. */
  boolean request(SimSite site, int page) {
    figures.requests++;
    watch(site);
    int atOnce = site.inWork.merge(page, 1, Integer::sum);
    if (atOnce > 1) {
      doubleWork++;
    }
    serve(site);
    return now() >= site.throttlesFrom && now() < site.throttlesUntil;
  }

  private void watch(SimSite site) {
    while (!site.requests.isEmpty() && site.requests.getFirst() < now() - HOUR) {
      site.requests.removeFirst();
    }
    site.requests.add(now());
    requests.add(
        new Request(
            site,
            now() - site.lastRequest,
            site.requests.size(),
            gateNow() < site.gate.coolUntilMicros()));
    site.lastRequest = now();
  }

  void endRequest(SimSite site, int page) {
    site.inWork.computeIfPresent(page, (key, count) -> count == 1 ? null : count - 1);
  }

  // Served counts with forward decay.

  private void serve(SimSite site) {
    double age = (now() - landmark) / SERVED_HALF_LIFE;
    if (age > 500) {
      double factor = Math.pow(2, -age);
      sites.forEach(each -> each.served *= factor);
      landmark = now();
      age = 0;
    }
    if (now() - site.servedAt >= ACTIVE_FOR) {
      site.served = 0;
    }
    site.servedAt = now();
    site.served += Math.pow(2, age);
  }

  Percentile percentile(SimSite site) {
    double slack = Percentile.SLACK * Math.pow(2, (now() - landmark) / SERVED_HALF_LIFE);
    double clearlyLess = site.served * Percentile.CLEARLY_LESS - slack;
    int below = 0;
    int active = 0;
    for (SimSite each : sites) {
      if (now() - each.servedAt < ACTIVE_FOR) {
        active++;
        if (each.served < clearlyLess) {
          below++;
        }
      }
    }
    return Percentile.of(below, active);
  }

  // The frontier.

  boolean isStale(SimSite site, int page, int generation) {
    return !site.isUnfinished(page) || site.generation[page] > generation;
  }

  /** Settles a page; a second time changes nothing. */
  void settle(SimSite site, int page) {
    if (!site.isUnfinished(page)) {
      return;
    }
    site.shelf.clear(page);
    site.state[page] = SimSite.DONE;
    site.done++;
    pagesDone++;
    if (site.isFinished()) {
      site.finishedAt = now();
    }
  }

  /** Links of a page that are new, or that it claimed before it was killed. */
  List<Integer> unclaimed(SimSite site, int page) {
    List<Integer> fresh = new ArrayList<>();
    for (int child = site.firstChild(page); child < site.endOfChildren(page); child++) {
      if (site.state[child] != SimSite.DONE) {
        fresh.add(child);
      }
    }
    return fresh;
  }

  void send(SimMessage message, long delay) {
    if (delay > LONGEST_DELAY || delay % SECOND != 0) {
      refused++;
    }
    queue(message.high).send(message, delay);
  }

  /** Time between a decision in Redis or DynamoDB and the next step of whoever made it. */
  long step() {
    return REDIS_TO_DYNAMODB;
  }
}
