package dev.fairfleet.worker;

import dev.fairfleet.fairness.DelayPolicy;
import dev.fairfleet.fairness.Percentile;
import dev.fairfleet.fairness.Pressure;
import dev.fairfleet.fairness.ServedCounts;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.metrics.Meter;
import dev.fairfleet.worker.metrics.Meters;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The plain form: every new link is sent at once with a delay from the table, and a throttled task
 * is invisible for a few seconds, again and again, until its turn has come.
 */
final class PlainScheduling implements Scheduling {
  private final Frontier frontier;
  private final TaskQueue queue;
  private final PutBack putBack;
  private final ServedCounts counts;
  private final DelayPolicy delays;
  private final int highDepth;
  private final Meters meters;
  private final RandomGenerator random;

  /**
   * Uses the ports without closing any.
   *
   * @param highDepth deepest page that goes to the high queue
   */
  PlainScheduling(
      Frontier frontier,
      TaskQueue queue,
      PutBack putBack,
      ServedCounts counts,
      DelayPolicy delays,
      int highDepth,
      Meters meters,
      RandomGenerator random) {
    this.frontier = frontier;
    this.queue = queue;
    this.putBack = putBack;
    this.counts = counts;
    this.delays = delays;
    this.highDepth = highDepth;
    this.meters = meters;
    this.random = random;
  }

  @Override
  public void follow(Discovery found, Site site, List<CrawlUrl> links) {
    List<Task> claimed = frontier.claim(found, links);
    if (claimed.isEmpty()) {
      return;
    }
    meters.add(Meter.PAGE_CLAIMED, claimed.size());
    Percentile percentile = counts.percentile(site.id());
    Priority priority = Priority.of(found.depth(), highDepth);
    queue.send(
        claimed.stream()
            .map(
                link ->
                    new Dispatch(
                        link,
                        priority,
                        delays.forNewTask(found.depth(), percentile, Pressure.FULL, random)))
            .toList());
  }

  @Override
  public void deferred(Delivery delivery, Site site) {
    putBack.throttled(delivery);
  }

  @Override
  public void rests(Delivery delivery, Site site, Duration rest) {
    putBack.after(delivery, rest);
  }

  @Override
  public void again(Delivery delivery, Duration wait) {
    putBack.after(delivery, wait);
  }

  @Override
  public void dropped(SiteId site, List<Task> tasks) {
    // Nothing is kept of what is in SQS.
  }

  @Override
  public void settled(Task task, Site site) {
    // Nothing waits for room.
  }
}
