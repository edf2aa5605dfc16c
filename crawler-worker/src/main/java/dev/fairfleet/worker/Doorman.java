package dev.fairfleet.worker;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.robots.RobotsAnswer;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteState;
import dev.fairfleet.site.SiteStatus;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import dev.fairfleet.worker.robots.Robots;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets in tasks whose site is known and active and whose page robots.txt allows, and ends all
 * others. Safe for use by many threads.
 */
final class Doorman {
  private static final Logger log = LoggerFactory.getLogger(Doorman.class);
  private static final int MOST_NOTED = 10_000;
  private static final Duration LONGEST_WAIT_FOR_ROBOTS = Duration.ofSeconds(20);

  private final InHand inHand;
  private final SiteCache sites;
  private final Robots robots;
  private final GateKeeper gate;
  private final Breaker breaker;
  private final PageWork pageWork;
  private final Frontier frontier;
  private final Scheduling scheduling;
  private final Meters meters;
  private final InstantSource clock;
  private final Cache<CrawlUrl, String> noted =
      Caffeine.newBuilder().maximumSize(MOST_NOTED).executor(Runnable::run).build();

  /** A task that was let in. */
  record Guest(Delivery delivery, Site site) {
    Task task() {
      return delivery.task();
    }
  }

  Doorman(
      InHand inHand,
      SiteCache sites,
      Robots robots,
      GateKeeper gate,
      Breaker breaker,
      PageWork pageWork,
      Frontier frontier,
      Scheduling scheduling,
      Meters meters,
      InstantSource clock) {
    this.inHand = inHand;
    this.sites = sites;
    this.robots = robots;
    this.gate = gate;
    this.breaker = breaker;
    this.pageWork = pageWork;
    this.frontier = frontier;
    this.scheduling = scheduling;
    this.meters = meters;
    this.clock = clock;
  }

  /**
   * Hands those that are let in to {@code next}: together, but for those whose robots.txt must be
   * fetched first, because one that is slow to come must not hold up the rest.
   */
  void letIn(List<Delivery> deliveries, Consumer<List<Guest>> next) {
    List<Guest> guests = new ArrayList<>();
    Map<SiteId, List<Delivery>> unwanted = new LinkedHashMap<>();
    for (Delivery delivery : deliveries) {
      orGiveBack(delivery, () -> Optional.of(sites.find(delivery.task().site())))
          .ifPresent(
              status ->
                  status
                      .filter(Doorman::isActive)
                      .ifPresentOrElse(
                          active -> letIn(delivery, active.site(), guests, next),
                          () ->
                              unwanted
                                  .computeIfAbsent(delivery.task().site(), id -> new ArrayList<>())
                                  .add(delivery)));
    }
    unwanted.forEach(this::drop);
    if (!guests.isEmpty()) {
      next.accept(guests);
    }
  }

  private static boolean isActive(SiteStatus status) {
    return status.state() == SiteState.ACTIVE;
  }

  private void letIn(Delivery delivery, Site site, List<Guest> guests, Consumer<List<Guest>> next) {
    if (inHand.isStopping()) {
      inHand.giveBackForStop(delivery);
      return;
    }
    Optional<RobotsRules> rules = robots.known(delivery.task().url());
    if (rules.isEmpty()) {
      inHand.execute(
          () ->
              orGiveBack(delivery, () -> askAndCheck(delivery, site))
                  .ifPresent(guest -> next.accept(List.of(guest))));
    } else {
      orGiveBack(delivery, () -> check(delivery, site, rules.get())).ifPresent(guests::add);
    }
  }

  private <T> Optional<T> orGiveBack(Delivery delivery, Supplier<Optional<T>> decision) {
    try {
      return decision.get();
    } catch (RuntimeException e) {
      inHand.giveBack(delivery, e);
      return Optional.empty();
    }
  }

  /** Asks for robots.txt, which is a request like any other, in its turn. */
  private Optional<Guest> askAndCheck(Delivery delivery, Site site) {
    RobotsRules rules;
    try {
      rules =
          robots.rulesFor(
              delivery.task().url(),
              asked -> gate.awaitTurn(site, asked, LONGEST_WAIT_FOR_ROBOTS),
              (asked, outcome) -> breaker.heardOfRobots(site.id(), asked, outcome));
    } catch (TurnLostException e) {
      if (e.admission() instanceof Admission.Unavailable) {
        gate.park(delivery);
      } else {
        scheduling.deferred(delivery, site);
      }
      inHand.end(delivery);
      return Optional.empty();
    }
    return check(delivery, site, rules);
  }

  /** Drops tasks of a site that is stopped or unknown, without a look at their pages. */
  private void drop(SiteId site, List<Delivery> deliveries) {
    Instant begun = clock.instant();
    try {
      discard(site, deliveries);
    } catch (RuntimeException e) {
      deliveries.forEach(delivery -> inHand.giveBack(delivery, e));
      return;
    }
    deliveries.forEach(inHand::end);
    breaker.worked(site, Duration.between(begun, clock.instant()));
  }

  private void discard(SiteId site, List<Delivery> deliveries) {
    // Their pages stay unfinished in the frontier, from where resuming the site sends them again.
    log.debug("Dropped {} tasks: site {} is stopped or unknown", deliveries.size(), site);
    scheduling.dropped(site, deliveries.stream().map(Delivery::task).toList());
    meters.add(Meter.TASK_DROPPED, deliveries.size());
    deliveries.forEach(inHand::delete);
  }

  /**
   * Drops a task that was let in, if its site was stopped since; the caller ends it.
   *
   * @return whether it was dropped
   */
  boolean drops(Guest guest) {
    SiteId site = guest.site().id();
    boolean stopped = sites.find(site).filter(Doorman::isActive).isEmpty();
    if (stopped) {
      discard(site, List.of(guest.delivery()));
    }
    return stopped;
  }

  private Optional<Guest> check(Delivery delivery, Site site, RobotsRules rules) {
    Task task = delivery.task();
    return switch (rules.check(task.url())) {
      case RobotsAnswer.Allowed allowed -> Optional.of(new Guest(delivery, site));
      case RobotsAnswer.Barred barred -> {
        pageWork.skip(delivery, site, "robots: " + barred.rule());
        inHand.end(delivery);
        yield Optional.empty();
      }
      case RobotsAnswer.Unreachable unreachable -> {
        meters.add(Meter.TASK_THROTTLED);
        noteOnce(delivery, "robots: " + unreachable.reason());
        scheduling.again(delivery, unreachable.retryAfter());
        inHand.end(delivery);
        yield Optional.empty();
      }
    };
  }

  /** Tells in the frontier why a page waits, unless this worker told it so before. */
  private void noteOnce(Delivery delivery, String reason) {
    if (!reason.equals(noted.asMap().put(delivery.task().url(), reason))) {
      frontier.note(delivery.task(), reason);
    }
  }
}
