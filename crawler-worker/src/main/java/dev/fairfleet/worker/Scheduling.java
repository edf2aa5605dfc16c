package dev.fairfleet.worker;

import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.util.List;

/**
 * How new links get into SQS, and received tasks back into it. Safe for use by many threads.
 *
 * <p>Each method throws what a store or the queue throws; the delivery is then still the caller's.
 */
interface Scheduling {
  /**
   * Claims links that belong to the crawl, and sees to it that those that are new are sent.
   *
   * @param found how they were found, on a page that is not yet committed
   */
  void follow(Discovery found, Site site, List<CrawlUrl> links);

  /** Puts back a task whose turn is not near. */
  void deferred(Delivery delivery, Site site);

  /**
   * Puts back a task whose site rests.
   *
   * @param rest how long from now
   */
  void rests(Delivery delivery, Site site, Duration rest);

  /**
   * Puts back a task for another attempt.
   *
   * @param wait how long from now
   */
  void again(Delivery delivery, Duration wait);

  /**
   * Is told that tasks of a site are dropped, because it is stopped or unknown; they are deleted
   * next.
   */
  void dropped(SiteId site, List<Task> tasks);

  /**
   * Is told that a page has reached a final state; its task is deleted next. May be told more than
   * once, so who dies in between is told again when the task is received again.
   */
  void settled(Task task, Site site);
}
