package dev.fairfleet.frontier;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The port to every URL known and its state. The frontier is the truth; SQS only dispatches.
 *
 * <p>Every operation may be repeated: after a crash, a lost reply or a second delivery the same
 * call leads to the same state. Implementations are safe for use by many threads and processes. A
 * store that cannot be reached throws its client's unchecked exception; the caller lets go of its
 * task, and whoever receives it next repeats the call.
 */
public interface Frontier {
  /**
   * Claims those of {@code links} that are new to the crawl, and returns a task for each that must
   * be sent now.
   *
   * <p>New is a URL that no page of this crawl, or a newer one, claimed before. So is one that this
   * same parent claimed and that is still unfinished: the parent died between claim and send, or
   * between send and commit. Then the generation rises, so that an earlier task, if there is one,
   * becomes stale. A page's link to itself is never new.
   *
   * @param parent the page that holds the links; a root claims itself
   * @param depth of the links
   * @param links distinct, in the order found
   */
  List<Task> claim(
      SiteId site, CrawlId crawl, CrawlUrl parent, CrawlDepth depth, List<CrawlUrl> links);

  /**
   * Reads, consistently, the pages of some tasks.
   *
   * @return the page of each task that has one; a task without a page was never claimed
   */
  Map<Task, Page> read(Collection<Task> tasks);

  /**
   * Settles a URL: one conditional update with result and progress together.
   *
   * @return false if the page was settled by another attempt, or belongs to a newer crawl; nothing
   *     was written then
   */
  boolean settle(Task task, Settlement settlement, AttemptToken token, Instant now);

  /**
   * Counts a failed attempt.
   *
   * <p>A repeated call, that is one whose token was the last to be written, counts nothing.
   *
   * @return failed attempts in this crawl so far, this one included; the number before if the page
   *     is settled already; 0 if the page belongs to another crawl
   */
  int countFailure(Task task, String reason, AttemptToken token, Instant now);

  /**
   * Raises the generation of an unfinished page, so that all its earlier tasks become stale.
   *
   * @return the task to send instead, or nothing if the page is settled or belongs to another crawl
   */
  Optional<Task> renew(Page page);

  /** Hands every page of a site, of any crawl, to {@code each}, in no particular order. */
  void forEachPage(SiteId site, Consumer<Page> each);
}
