package dev.fairfleet.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each promise is shown to be able to break, and to hold one step before. */
final class InvariantTest {
  private static final long SECOND = World.SECOND;
  private static final Scenario CALM = Scenarios.small().build();

  private static World world(Scenario scenario) {
    return new World(scenario, Workload.sites(scenario, 1), true, 1);
  }

  private static List<String> broken(World world) {
    return broken(world, world.scenario);
  }

  private static List<String> broken(World world, Scenario allowed) {
    List<String> names =
        Invariant.of(Policy.RESERVED, allowed).stream()
            .filter(invariant -> invariant.check().apply(world).isPresent())
            .map(Invariant::name)
            .toList();
    world.requests.clear();
    return names;
  }

  private static void pass(World world, long time) {
    boolean[] over = new boolean[1];
    world.timeline.in(time, () -> over[0] = true);
    while (!over[0]) {
      world.timeline.step();
    }
  }

  private static void ask(World world, int page) {
    world.request(world.sites.getFirst(), page);
    world.endRequest(world.sites.getFirst(), page);
  }

  @Test
  void hourlyLimit_oneRequestMoreInAnHour_breaks() {
    World world = world(Scenarios.small().hourlyLimit(5).build());
    for (int i = 0; i < 5; i++) {
      ask(world, i);
      pass(world, 720 * SECOND);
    }
    assertThat(broken(world)).isEmpty();
    ask(world, 5);
    assertThat(broken(world)).containsExactly("no trailing hour holds more than the hourly limit");
  }

  @Test
  void hourlyLimit_sixthJustAfterAnHour_holds() {
    World world = world(Scenarios.small().hourlyLimit(5).build());
    for (int i = 0; i < 5; i++) {
      ask(world, i);
      pass(world, 720 * SECOND);
    }
    pass(world, 1);
    ask(world, 5);
    assertThat(broken(world)).isEmpty();
  }

  @Test
  void delay_aMicrosecondTooEarly_breaks() {
    World world = world(Scenarios.small().minDelay(Duration.ofSeconds(1)).build());
    ask(world, 0);
    pass(world, SECOND);
    ask(world, 1);
    assertThat(broken(world)).isEmpty();
    pass(world, SECOND - 1);
    ask(world, 2);
    assertThat(broken(world))
        .containsExactly("no two requests to a host are closer than its delay");
  }

  @Test
  void delay_firstOfTwoRequestsInOneEvent_isSeen() {
    World world = world(Scenarios.small().minDelay(Duration.ofSeconds(1)).build());
    ask(world, 0);
    ask(world, 1);
    world.request(world.sites.getLast(), 0);
    assertThat(broken(world))
        .containsExactly("no two requests to a host are closer than its delay");
  }

  @Test
  void coolDown_askedBeforeItsEnd_breaks() {
    World world = world(CALM);
    SimSite site = world.sites.getFirst();
    world.coolDown(site);
    long rest = site.gate.coolUntilMicros() - world.gateNow();
    pass(world, rest - 1);
    ask(world, 0);
    assertThat(broken(world)).containsExactly("no request while a site cools down");
    pass(world, 1);
    ask(world, 1);
    assertThat(broken(world)).isEmpty();
  }

  @Test
  void doubleWork_withoutACopy_breaks() {
    World world = world(CALM);
    world.request(world.sites.getFirst(), 3);
    assertThat(broken(world)).isEmpty();
    world.request(world.sites.getFirst(), 3);
    assertThat(broken(world))
        .containsExactly("no URL is worked on twice at once more often than SQS delivers copies");
  }

  @Test
  void doubleWork_explainedByACopy_holds() {
    World world = world(Scenarios.small().duplicates(1).build());
    world.send(new SimMessage(world.sites.getFirst(), 3, 0, true, 0), 0);
    pass(world, SECOND);
    world.high.receive(1, 0, leases -> assertThat(leases).hasSize(1));
    world.request(world.sites.getFirst(), 3);
    world.request(world.sites.getFirst(), 3);
    assertThat(broken(world)).isEmpty();
  }

  @Test
  void quota_oneMoreInFlight_breaks() {
    World world = world(CALM);
    for (int i = 0; i < 3; i++) {
      world.send(new SimMessage(world.sites.getFirst(), i, 0, true, 0), 0);
    }
    pass(world, SECOND);
    world.high.receive(3, 0, leases -> assertThat(leases).hasSize(3));
    assertThat(broken(world, Scenarios.small().inFlightQuota(3).build())).isEmpty();
    assertThat(broken(world, Scenarios.small().inFlightQuota(2).build()))
        .containsExactly("no more is in flight than the quota");
  }

  @Test
  void deadLetter_healthyPageReceivedTooOften_breaks() {
    World world = world(CALM);
    world.send(new SimMessage(world.sites.getFirst(), 0, 0, true, 0), 0);
    pass(world, SECOND);
    for (int i = 0; i < world.leases.maxReceiveCount(); i++) {
      world.high.receive(1, 0, leases -> world.high.change(leases.getFirst(), 0));
      pass(world, 0);
    }
    assertThat(broken(world)).isEmpty();
    world.high.receive(1, 0, leases -> assertThat(leases).isEmpty());
    assertThat(broken(world)).containsExactly("no healthy page is dead-lettered");
  }

  @Test
  void delays_beyondWhatSqsAccepts_break() {
    SimMessage message = new SimMessage(world(CALM).sites.getFirst(), 0, 0, true, 0);
    for (long delay : new long[] {901 * SECOND, SECOND / 2}) {
      World world = world(CALM);
      world.send(message, 900 * SECOND);
      assertThat(broken(world)).isEmpty();
      world.send(message.again(0), delay);
      assertThat(broken(world)).containsExactly("SQS is asked for no delay that it refuses");
    }
  }

  @Test
  void visibility_beyondTwelveHoursFromTheReceive_breaks() {
    World world = world(CALM);
    SlotWorker worker = new SlotWorker(world, 0);
    worker.start();
    SimLease lease = new SimLease(new SimMessage(world.sites.getFirst(), 0, 0, true, 0), 0);
    pass(world, SECOND);
    worker.change(lease, 12 * 3_600 * SECOND - SECOND);
    assertThat(broken(world)).isEmpty();
    worker.change(lease, 12 * 3_600 * SECOND - SECOND + 1);
    assertThat(broken(world)).containsExactly("SQS is asked for no delay that it refuses");
  }

  @Test
  void window_farMoreTasksThanItHolds_breaks() {
    World world = world(CALM);
    SimSite site = world.sites.getFirst();
    IntStream.range(0, 20).forEach(page -> world.send(new SimMessage(site, page, 0, true, 0), 0));
    ask(world, 0);
    assertThat(broken(world)).isEmpty();
    IntStream.range(20, 120).forEach(page -> world.send(new SimMessage(site, page, 0, true, 0), 0));
    ask(world, 1);
    assertThat(broken(world)).containsExactly("a site has at most its window in SQS");
  }

  @Test
  void nothingLost_purgedQueueThatNobodySweeps_breaks() {
    Scenario purged = Scenarios.small().purgeAt(Duration.ofMinutes(2)).build();
    Outcome outcome = Simulation.run(purged, Policy.CLASSIC, 1, share -> {});
    assertThat(outcome.violations())
        .extracting(Outcome.Violation::promise)
        .containsExactly("no page is lost");
  }

  @Test
  void run_gateThatAllowsTwiceTheLimit_isCaught() {
    Scenario scenario = Scenarios.small().hourlyLimit(100).build();
    List<SimSite> lenient =
        Workload.sites(scenario, 1).stream()
            .map(
                site ->
                    new SimSite(
                        site.index, site.pages, 200, Duration.ZERO, new SplittableRandom(1)))
            .toList();
    World world = new World(scenario, lenient, true, 1);
    Outcome outcome = new Simulation(Policy.RESERVED, 1, world).run(share -> {});
    assertThat(outcome.violations())
        .extracting(Outcome.Violation::promise)
        .containsExactly("no trailing hour holds more than the hourly limit");
    assertThat(outcome.violations().getFirst().what()).startsWith("site-");
    assertThat(outcome.violations().getFirst().at()).isPositive();
  }
}
