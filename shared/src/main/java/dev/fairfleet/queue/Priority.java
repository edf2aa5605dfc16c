package dev.fairfleet.queue;

import dev.fairfleet.frontier.CrawlDepth;

/** The two queues: pages near a root, and the rest. */
public enum Priority {
  HIGH,
  LOW;

  /**
   * Returns the queue of a page.
   *
   * @param highestDepth deepest page that goes to the high queue; 1 by default
   */
  public static Priority of(CrawlDepth depth, int highestDepth) {
    return depth.value() <= highestDepth ? HIGH : LOW;
  }
}
