package dev.fairfleet.frontier;

import dev.fairfleet.record.RecordId;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
   * Returns those of {@code links} that look new to the crawl, in their order.
   *
   * <p>New is a URL that no page of this crawl, or a newer one, claimed before, and that no earlier
   * crawl read: one that is {@link PageState#DONE} there is new only if {@link Discovery#again}
   * says so. So is one that this same parent claimed and that is still unfinished: the parent died
   * between claim and send, or between send and commit. A page's link to itself is never new. The
   * answer may be stale, so a link may look new that is not; {@link #claim} knows.
   *
   * @param found how the links were found
   * @param links distinct
   */
  List<CrawlUrl> unclaimed(Discovery found, List<CrawlUrl> links);

  /**
   * Claims those of {@code links} that are new to the crawl, in the sense of {@link #unclaimed},
   * and returns a task for each that must be sent now.
   *
   * <p>A URL that is claimed for the first time in this crawl is queued if it is in {@code queued},
   * and otherwise shelved. One that the parent claimed before and that is unfinished
   *
   * <ul>
   *   <li>is queued, one generation later, if it is in {@code queued}, wherever it was;
   *   <li>stays on the shelf if it is there and not in {@code queued};
   *   <li>is shelved, one generation later, if it is queued and not in {@code queued}.
   * </ul>
   *
   * <p>So an earlier task, if there is one, becomes stale.
   *
   * @param queued those of the links that may be sent
   * @return a task of each link that was queued now, in the order of the links
   */
  List<Task> claim(Discovery found, List<CrawlUrl> links, Set<CrawlUrl> queued);

  /** Claims what is new, all of it to be sent now. */
  default List<Task> claim(Discovery found, List<CrawlUrl> links) {
    List<CrawlUrl> fresh = unclaimed(found, links);
    return fresh.isEmpty() ? List.of() : claim(found, fresh, Set.copyOf(fresh));
  }

  /**
   * Records that URLs are not crawled: each becomes {@link PageState#SKIPPED} with the reason that
   * a rule gave, unless this crawl, or a newer one, knows it already.
   *
   * @param reasons the rule that decided, by URL
   */
  void refuse(Discovery found, Map<CrawlUrl, String> reasons, Instant now);

  /**
   * Walks on through the pages that earlier crawls know and this one has neither claimed nor
   * settled, in an order of its own that stays the same.
   *
   * <p>A task of such a page may be sent without a claim: everything that can be done with a task
   * makes the page one of the task's crawl if it is still one of an earlier crawl.
   *
   * @param from {@link Walk#next} of the step before; empty to begin
   * @param most pages to look at, at least 1; the step may return fewer, or none, before its end
   */
  Walk walk(SiteId site, CrawlId crawl, String from, int most);

  /**
   * Returns pages of a crawl that wait on the shelf, the shallowest first. The answer may be stale:
   * {@link #unshelve} knows.
   *
   * @param most how many, at least 1; fewer are returned only if no more are seen there
   */
  List<Page> shelf(SiteId site, CrawlId crawl, int most);

  /**
   * Takes pages from the shelf and queues them, their generation unchanged.
   *
   * <p>If a reply of the store is lost, a page may be queued although no task is returned for it,
   * just as if the caller had died before the send. {@link #renew} heals both. So a page that
   * entered its site's window stays there, with or without a task: that is how it is found.
   *
   * @return a task to send for each that was still there in its crawl; of several callers one is
   *     handed it
   */
  List<Task> unshelve(Collection<Page> pages);

  /**
   * Puts the page of a task back on the shelf, one generation later, so that every task of it
   * becomes stale.
   *
   * @return false if the task is stale; nothing was written then. A repeated call is true for as
   *     long as the page waits there
   */
  boolean shelve(Task task);

  /**
   * Reads, consistently, the pages of some tasks. A page that only an earlier crawl knows is
   * returned as {@link Page#recalled} to that of its task.
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
   * Says of an unfinished page why it waits, in place of the reason it has.
   *
   * @return false if the page is settled or belongs to another crawl; nothing was written then
   */
  boolean note(Task task, String reason);

  /**
   * Raises the generation of an unfinished page, shelved or queued, and queues it, so that all its
   * earlier tasks become stale.
   *
   * @return the task to send instead, or nothing if the page is settled or belongs to another crawl
   */
  Optional<Task> renew(Page page);

  /** Reads, consistently, pages by the hashes of their URLs; those that exist, of any crawl. */
  List<Page> find(SiteId site, Collection<UrlHash> urls);

  /**
   * Forgets things for which a page does not answer any more, because it is known now whether
   * another does. If its own record is one of them, it is fetched whole when it comes back.
   *
   * @param page as it was read; has no effect if a crawl claimed or settled it since
   * @param records of {@link Remembered#lost}, and {@link Remembered#record}
   */
  void forget(Page page, Set<RecordId> records);

  /** Removes every page of a site, and where they lead; may be repeated until nothing is left. */
  void removeAll(SiteId site);

  /** Hands every page of a site, of any crawl, to {@code each}, in no particular order. */
  void forEachPage(SiteId site, Consumer<Page> each);
}
