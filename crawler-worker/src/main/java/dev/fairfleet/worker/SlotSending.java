package dev.fairfleet.worker;

import dev.fairfleet.fairness.DelayPolicy;
import dev.fairfleet.fairness.Percentile;
import dev.fairfleet.fairness.Pressure;
import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.fairness.SiteWindow;
import dev.fairfleet.fairness.SlotGrid;
import dev.fairfleet.fairness.WindowPolicy;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.politeness.Gate;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.politeness.PolitenessPolicy;
import dev.fairfleet.politeness.Reservation;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.Site;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Takes slots for tasks, and sends each so that it can be received just before its own. Safe for
 * use by many threads; throws what a store or the queue throws.
 */
final class SlotSending {
  /** How long after its slot a task may be in SQS before it counts as lost. */
  static final Duration STAY = Duration.ofMinutes(15);

  private static final Duration GATE_AWAY = Duration.ofMinutes(1);

  private final TaskQueue queue;
  private final Gate gate;
  private final HostLimits limits;
  private final SiteWindow windows;
  private final ServedCounts counts;
  private final PressureGauge gauge;
  private final Policies policies;
  private final InstantSource clock;
  private final RandomGenerator random;

  /**
   * What decides in place of this class.
   *
   * @param highDepth deepest page that goes to the high queue
   */
  record Policies(WindowPolicy windows, SlotGrid grid, DelayPolicy delays, int highDepth) {}

  /**
   * Uses the ports without closing any.
   *
   * @param clock this worker's; only the grid goes by it
   */
  SlotSending(
      TaskQueue queue,
      Gate gate,
      HostLimits limits,
      SiteWindow windows,
      ServedCounts counts,
      PressureGauge gauge,
      Policies policies,
      InstantSource clock,
      RandomGenerator random) {
    this.queue = queue;
    this.gate = gate;
    this.limits = limits;
    this.windows = windows;
    this.counts = counts;
    this.gauge = gauge;
    this.policies = policies;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Returns how many tasks of a site may be in SQS now.
   *
   * @param before the window when it was last filled up; 0 for what the links of a page may fill
   */
  int windowSize(Site site, int before) {
    return policies.windows().size(limits.of(site), gauge.pressure(), before);
  }

  /** Returns how many tasks to add to a window of some size with some inside. */
  int wanted(int size, int inside) {
    return policies.windows().wanted(size, inside);
  }

  /**
   * Takes a slot for each of some new tasks.
   *
   * @return how long from now each begins; URLs for which there is none within reach are left out
   */
  Map<CrawlUrl, Duration> reserve(Site site, List<CrawlUrl> urls) {
    Map<HostKey, List<CrawlUrl>> byHost = new LinkedHashMap<>();
    urls.forEach(url -> byHost.computeIfAbsent(url.hostKey(), h -> new ArrayList<>()).add(url));
    Pressure pressure = gauge.pressure();
    Map<CrawlUrl, Duration> slots = new HashMap<>();
    byHost.forEach(
        (host, some) -> {
          GateLimits apart =
              policies.windows().forSlots(limits.of(site, some.getFirst()), pressure);
          List<Duration> after = slots(site, host, apart, some.size());
          for (int i = 0; i < after.size(); i++) {
            slots.put(some.get(i), after.get(i));
          }
        });
    return slots;
  }

  /** Takes another slot for a task whose own came to nothing, if there is one within reach. */
  Optional<Duration> reserveAnother(Site site, CrawlUrl url) {
    return slots(site, url.hostKey(), limits.of(site, url), 1).stream().findFirst();
  }

  private List<Duration> slots(Site site, HostKey host, GateLimits apart, int most) {
    return switch (gate.reserve(site.id(), host, apart, most, PolitenessPolicy.FARTHEST_SLOT)) {
      case Reservation.Reserved reserved -> reserved.after();
      // They find out about the gate when their turn has come.
      case Reservation.Unavailable unavailable -> Collections.nCopies(most, GATE_AWAY);
    };
  }

  /**
   * Sends tasks that entered their site's window.
   *
   * @param slots how long from now the slot of each begins
   */
  void send(Site site, List<Task> tasks, Map<CrawlUrl, Duration> slots) {
    if (tasks.isEmpty()) {
      return;
    }
    Percentile percentile = counts.percentile(site.id());
    Pressure pressure = gauge.pressure();
    List<Dispatch> dispatches = new ArrayList<>();
    Duration farthest = Duration.ZERO;
    for (Task task : tasks) {
      Duration slot = slots.getOrDefault(task.url(), Duration.ZERO);
      Duration delay = policies.delays().forNewTask(task.depth(), percentile, pressure, random);
      Priority priority = Priority.of(task.depth(), policies.highDepth());
      boolean later = delay.compareTo(slot) > 0;
      dispatches.add(
          later
              ? new Dispatch(task, priority, delay)
              : new Dispatch(task, priority, policies.grid().approach(slot, clock.instant())));
      farthest = Collections.max(List.of(farthest, later ? delay : slot));
    }
    windows.stay(
        site.id(), tasks.stream().map(task -> task.url().hash()).toList(), farthest.plus(STAY));
    queue.send(dispatches);
  }
}
