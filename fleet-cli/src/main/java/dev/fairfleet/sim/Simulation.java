package dev.fairfleet.sim;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleConsumer;

/**
 * One run of one policy on one workload, in virtual time.
 *
 * <p>The same scenario, policy and seed give the same run, event by event.
 */
public final class Simulation {
  private static final long MINUTE = 60 * World.SECOND;
  private static final long STUCK = 12 * 3_600 * World.SECOND;
  private static final long THROTTLES_FOR = 600 * World.SECOND;
  private static final long BETWEEN_REPORTS = 1 << 16;
  private static final String NOTHING_LOST = "no page is lost";

  private final Scenario scenario;
  private final Policy policy;
  private final long seed;
  private final World world;
  private final List<SimWorker> workers = new ArrayList<>();
  private final List<Invariant> invariants;
  private final Map<String, Outcome.Violation> violations = new LinkedHashMap<>();

  Simulation(Policy policy, long seed, World world) {
    this.scenario = world.scenario;
    this.policy = policy;
    this.seed = seed;
    this.world = world;
    this.invariants = Invariant.of(policy, scenario);
  }

  /**
   * Runs a simulation to its end.
   *
   * @param progress told now and then which share of the pages is done
   */
  public static Outcome run(Scenario scenario, Policy policy, long seed, DoubleConsumer progress) {
    World world = new World(scenario, Workload.sites(scenario, seed), policy != Policy.FIFO, seed);
    return new Simulation(policy, seed, world).run(progress);
  }

  Outcome run(DoubleConsumer progress) {
    prepareFaults();
    for (int i = 0; i < scenario.workers(); i++) {
      SimWorker worker = worker();
      workers.add(worker);
      // Nothing starts at the very same moment.
      world.timeline.in(world.random.nextLong(World.SECOND), worker::start);
    }
    if (policy == Policy.RESERVED) {
      world.timeline.in(MINUTE, this::sweep);
    }
    seedRoots();
    long lastProgress = 0;
    long doneThen = 0;
    while (!world.isFinished()) {
      if (world.now() - lastProgress > STUCK || !world.timeline.step()) {
        violate(NOTHING_LOST, "nothing was done for a long time, and pages are left");
        break;
      }
      check();
      world.figures.tick();
      if (world.pagesDone != doneThen) {
        doneThen = world.pagesDone;
        lastProgress = world.now();
      }
      if (world.timeline.happened() % BETWEEN_REPORTS == 0) {
        progress.accept((double) world.pagesDone / world.pages());
      }
    }
    return outcome();
  }

  private SimWorker worker() {
    long most = World.micros(scenario.faults().skew());
    long skew = most == 0 ? 0 : world.random.nextLong(-most, most + 1);
    return switch (policy) {
      case FIFO -> new PlainWorker(world, skew, true);
      case CLASSIC -> new PlainWorker(world, skew, false);
      case RESERVED -> new SlotWorker(world, skew);
    };
  }

  private void seedRoots() {
    for (SimSite site : world.sites) {
      site.state[0] = SimSite.QUEUED;
      world.send(new SimMessage(site, 0, 0, policy != Policy.FIFO, 0), 0);
    }
    world.figures.sendRequests += (world.sites.size() + 9) / 10;
  }

  private void prepareFaults() {
    Scenario.Faults faults = scenario.faults();
    double span = idealTimes().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    for (SimSite site : world.sites) {
      if (world.random.nextDouble() < faults.throttling()) {
        site.throttlesFrom = (long) (world.random.nextDouble() * span * World.SECOND / 2);
        site.throttlesUntil = site.throttlesFrom + THROTTLES_FOR;
        site.saysRetryAfter = world.random.nextBoolean();
      }
    }
    if (!faults.killEvery().isZero()) {
      world.timeline.in(World.micros(faults.killEvery()), this::kill);
    }
    if (!faults.purgeAt().isZero()) {
      world.timeline.in(World.micros(faults.purgeAt()), this::purge);
    }
  }

  private void kill() {
    world.figures.kills++;
    workers.get(world.random.nextInt(workers.size())).kill();
    world.timeline.in(World.micros(scenario.faults().killEvery()), this::kill);
  }

  private void purge() {
    world.high.purge();
    world.low.purge();
    world.sites.forEach(site -> site.inSqs = 0);
  }

  private void sweep() {
    List<SimWorker> alive = workers.stream().filter(SimWorker::isAlive).toList();
    if (!alive.isEmpty()) {
      Sweep.run((SlotWorker) alive.get(world.random.nextInt(alive.size())));
    }
    world.timeline.in(MINUTE, this::sweep);
  }

  private void check() {
    for (Invariant invariant : invariants) {
      invariant.check().apply(world).ifPresent(what -> violate(invariant.name(), what));
    }
    world.requests.clear();
  }

  private void violate(String promise, String what) {
    violations.putIfAbsent(promise, new Outcome.Violation(world.now() / 1e6, promise, what));
  }

  private List<Double> idealTimes() {
    return new FluidModel(scenario.capacity())
        .finishTimes(
            world.sites.stream()
                .map(site -> new FluidModel.Flow(site.pages, scenario.pagesPerSecond()))
                .toList());
  }

  private Outcome outcome() {
    List<Double> ideal = idealTimes();
    List<Outcome.SiteEnd> ends = new ArrayList<>();
    for (SimSite site : world.sites) {
      if (!site.isFinished()) {
        violate(NOTHING_LOST, site.id + " has " + (site.pages - site.done) + " pages left");
      }
      double finish = (site.finishedAt < 0 ? world.now() : site.finishedAt) / 1e6;
      ends.add(new Outcome.SiteEnd(site.id.value(), site.pages, finish, ideal.get(site.index)));
    }
    Figures figures = world.figures;
    return new Outcome(
        policy,
        seed,
        ends.stream().mapToDouble(Outcome.SiteEnd::finish).max().orElse(0),
        ideal.stream().mapToDouble(Double::doubleValue).max().orElse(1),
        ends,
        figures.costs(),
        figures.dwell(),
        figures.jain(),
        figures.mostInFlight(),
        figures.counts(),
        figures.samples(),
        List.copyOf(violations.values()),
        world.timeline.happened());
  }
}
