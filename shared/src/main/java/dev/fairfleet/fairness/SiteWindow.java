package dev.fairfleet.fairness;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.UrlHash;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The port to which tasks of each site are in SQS, kept for the whole fleet: at most a {@link
 * WindowPolicy window} of them.
 *
 * <p>A window is a set of URL hashes, not a counter: entering twice changes nothing. Who is inside
 * for too long without leaving was lost with its message, and {@link #inspect} tells of it.
 * Implementations are safe for use by many threads and processes, and their clock is the only one.
 * What a spoilt store says is taken for not said. A store that cannot be reached throws its
 * client's unchecked exception. Each method is one atomic step and may be repeated.
 */
public interface SiteWindow {
  /**
   * The longest that a task may be inside, however long it is let in for: SQS keeps none longer.
   */
  Duration LONGEST_STAY = Duration.ofDays(14);

  /** How long {@link #beginFill} keeps others from filling up. */
  Duration LONGEST_FILL = Duration.ofSeconds(30);

  /** How long a shelf that was found empty is believed to be. */
  Duration BARE_BELIEVED = Duration.ofMinutes(10);

  /**
   * How long after tasks did not get in a shelf is not believed to be empty: they may be on their
   * way to it.
   */
  Duration ON_THE_WAY = Duration.ofMinutes(1);

  /** How long an overdue task is inside once a sweep was told of it. */
  Duration SECOND_STAY = Duration.ofMinutes(2);

  /** Most overdue tasks that a sweep is told of at once. */
  int MOST_OVERDUE = 100;

  /**
   * What is known of a window.
   *
   * @param size as it was last set; 0 if it never was, or was forgotten
   * @param inside tasks in it
   * @param bare whether the site's shelf was found empty not long ago, and nothing was put there
   *     since
   */
  record View(int size, int inside, boolean bare) {}

  /**
   * What a sweep looks at.
   *
   * @param view the window
   * @param overdue tasks that stayed inside for longer than they may, the longest first; they are
   *     inside for another {@link #SECOND_STAY}, so that no second sweep is told of them meanwhile
   * @param emptyFor how long ago an inspection found the window empty, if none found it otherwise
   *     and nobody was let in since; zero if it is not empty
   */
  record Inspection(View view, List<UrlHash> overdue, Duration emptyFor) {
    public Inspection {
      overdue = List.copyOf(overdue);
    }
  }

  /**
   * Lets tasks in, in their order, while there is room. If some do not get in, the window remembers
   * that the shelf is no longer bare, for that is where they go.
   *
   * @param urls tasks that are about to be sent
   * @param most how many tasks may be inside, those that are there already included
   * @param stay how long a task may be inside; one that was inside before may not stay longer
   * @return those that were not inside before, and are now, in their order
   */
  Set<UrlHash> enter(SiteId site, List<UrlHash> urls, int most, Duration stay);

  /**
   * Keeps tasks inside, or lets them in, whether there is room or not: they are in SQS already.
   *
   * @param stay how long from now, be it less than before
   */
  void stay(SiteId site, List<UrlHash> urls, Duration stay);

  /** Lets tasks out that are done. */
  View leave(SiteId site, List<UrlHash> urls);

  /** Lets tasks out that are on the shelf again, which is no longer bare. */
  View shelved(SiteId site, List<UrlHash> urls);

  /**
   * Makes the caller the one who fills the window up, until it calls {@link #filled} or {@link
   * #LONGEST_FILL} has passed.
   *
   * @return false if there is one
   */
  boolean beginFill(SiteId site);

  /**
   * Ends filling up.
   *
   * @param size the window that it was filled up to; it is remembered for {@link View#size} alone
   * @param bare whether there is nothing more on the shelf; believed for {@link #BARE_BELIEVED},
   *     unless a task did not get in, or was shelved, within {@link #ON_THE_WAY} before
   * @return whether {@link #beginFill} turned somebody away meanwhile, who may have seen what this
   *     fill did not
   */
  boolean filled(SiteId site, int size, boolean bare);

  /** Tells how a window stands; see {@link Inspection}. */
  Inspection inspect(SiteId site);

  /**
   * Makes the caller the one who sweeps the windows of the whole fleet, for some time.
   *
   * @param every least time between two sweeps
   * @return false if there is one
   */
  boolean beginSweep(Duration every);

  /**
   * Returns how far the window was filled from known pages in this crawl, as {@link #walkedTo} was
   * told; empty if it was not, or that was forgotten.
   */
  String position(SiteId site, CrawlId crawl);

  /** Remembers how far the window was filled from known pages, for whoever fills it next. */
  void walkedTo(SiteId site, CrawlId crawl, String position);
}
