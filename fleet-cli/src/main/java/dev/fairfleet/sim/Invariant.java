package dev.fairfleet.sim;

import dev.fairfleet.fairness.Pressure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What must hold after every event.
 *
 * @param name a promise, for people
 * @param check returns what is wrong, if anything is
 */
record Invariant(String name, Function<World, Optional<String>> check) {
  // Deletes that wait for company: nearly a batch of each worker and queue.
  private static final int LINGERING_DELETES = 18;

  /** Returns what must hold for a policy on a scenario. */
  static List<Invariant> of(Policy policy, Scenario scenario) {
    long least = World.micros(scenario.minDelay());
    int quota = scenario.faults().inFlightQuota();
    return List.of(
        ofRequests(
            "no trailing hour holds more than the hourly limit",
            request ->
                request.inTrailingHour() > scenario.hourlyLimit()
                    ? Optional.of(request.inTrailingHour() + " requests in an hour")
                    : Optional.empty()),
        ofRequests(
            "no two requests to a host are closer than its delay",
            request ->
                request.gap() < least
                    ? Optional.of("a gap of " + World.duration(request.gap()))
                    : Optional.empty()),
        ofRequests(
            "no request while a site cools down",
            request ->
                request.coolingDown() ? Optional.of("asked all the same") : Optional.empty()),
        new Invariant(
            "no URL is worked on twice at once more often than SQS delivers copies",
            world ->
                world.doubleWork > world.high.copies() + world.low.copies()
                    ? Optional.of(world.doubleWork + " times")
                    : Optional.empty()),
        new Invariant(
            "no more is in flight than the quota",
            world ->
                Math.max(world.high.inFlight(), world.low.inFlight()) > quota
                    ? Optional.of(
                        "high has " + world.high.inFlight() + ", low has " + world.low.inFlight())
                    : Optional.empty()),
        new Invariant(
            "no healthy page is dead-lettered",
            world ->
                world.high.deadLetters() + world.low.deadLetters() > 0
                    ? Optional.of("received too often")
                    : Optional.empty()),
        new Invariant(
            "SQS is asked for no delay that it refuses",
            world ->
                world.refused > 0
                    ? Optional.of("beyond 15 min, or 12 h from the receive")
                    : Optional.empty()),
        window(policy, scenario));
  }

  private static Invariant ofRequests(
      String name, Function<World.Request, Optional<String>> check) {
    return new Invariant(
        name,
        world -> {
          for (World.Request request : world.requests) {
            Optional<String> wrong = check.apply(request);
            if (wrong.isPresent()) {
              return wrong.map(what -> request.site().id + ": " + what);
            }
          }
          return Optional.empty();
        });
  }

  /** After a crash, tasks whose windows are found lost may be in SQS twice. */
  private static Invariant window(Policy policy, Scenario scenario) {
    boolean holds =
        policy == Policy.RESERVED
            && scenario.faults().killEvery().equals(Duration.ZERO)
            && scenario.faults().purgeAt().equals(Duration.ZERO);
    int spare = LINGERING_DELETES * scenario.workers();
    return new Invariant(
        "a site has at most its window in SQS",
        world -> {
          for (World.Request request : world.requests) {
            SimSite site = request.site();
            int most =
                world.windows.size(site.limits, Pressure.NONE, Integer.MAX_VALUE / 2) + spare;
            if (holds && site.inSqs > most) {
              return Optional.of(site.id + " has " + site.inSqs + ", allowed are " + most);
            }
          }
          return Optional.empty();
        });
  }
}
