package dev.fairfleet.worker;

import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the gate, counts its answers, and says once when it goes away and when it is back. Safe for
 * use by many threads.
 */
final class GateKeeper {
  private static final Logger log = LoggerFactory.getLogger(GateKeeper.class);

  private final Gate gate;
  private final HostLimits limits;
  private final PutBack putBack;
  private final Meters meters;
  private final AtomicBoolean away = new AtomicBoolean();

  GateKeeper(Gate gate, HostLimits limits, PutBack putBack, Meters meters) {
    this.gate = gate;
    this.limits = limits;
    this.putBack = putBack;
    this.meters = meters;
  }

  /** Returns whether the page of a task may be asked for now, and counts the request if so. */
  Admission admit(Doorman.Guest guest) {
    return admit(guest.site(), guest.task().url());
  }

  /** Returns whether the page of a task could be asked for now. */
  Admission look(Doorman.Guest guest) {
    CrawlUrl url = guest.task().url();
    Admission admission = gate.look(guest.site().id(), url.hostKey(), limits.of(guest.site(), url));
    if (!(admission instanceof Admission.Granted)) {
      count(admission);
    }
    return admission;
  }

  private Admission admit(Site site, CrawlUrl url) {
    Admission admission = gate.admit(site.id(), url.hostKey(), limits.of(site, url));
    count(admission);
    return admission;
  }

  private void count(Admission admission) {
    switch (admission) {
      case Admission.Granted granted -> {
        meters.add(Meter.TASK_GRANTED);
        if (away.get() && away.getAndSet(false)) {
          log.info("The gate is back");
        }
      }
      case Admission.Deferred deferred -> meters.add(Meter.TASK_THROTTLED);
      case Admission.Unavailable unavailable -> {
        meters.add(Meter.GATE_UNAVAILABLE);
        if (!away.getAndSet(true)) {
          log.warn("Nothing is fetched while the gate is away: {}", unavailable.reason());
        }
      }
    }
  }

  /**
   * Waits for the turn of a request that is about to be written, and counts it.
   *
   * @param url that is asked for
   * @param longest that it may be away
   * @throws TurnLostException if it is farther away, or the gate is
   */
  void awaitTurn(Site site, CrawlUrl url, Duration longest) {
    Duration waited = Duration.ZERO;
    while (true) {
      Admission admission = admit(site, url);
      switch (admission) {
        case Admission.Granted granted -> {
          return;
        }
        case Admission.Deferred deferred -> {
          waited = waited.plus(deferred.after());
          if (waited.compareTo(longest) > 0) {
            throw new TurnLostException(admission);
          }
          pause(deferred.after());
        }
        case Admission.Unavailable unavailable -> throw new TurnLostException(admission);
      }
    }
  }

  private static void pause(Duration wait) {
    try {
      Thread.sleep(wait.plusNanos(999_999));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a turn", e);
    }
  }

  /**
   * Lets a site rest because the answer to a request asked for that, fleet-wide.
   *
   * @param retryAfter what it asked for; nothing if it did not say for how long
   * @return for how long from now it is not asked
   */
  Duration coolDown(Site site, CrawlUrl url, Optional<Duration> retryAfter) {
    return gate.coolDown(site.id(), limits.of(site, url), retryAfter)
        .orElse(PolitenessPolicy.FIRST_COOL_DOWN);
  }

  /** Parks a task because the gate is away. */
  void park(Delivery delivery) {
    putBack.gateUnavailable(delivery);
  }
}
