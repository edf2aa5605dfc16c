package dev.fairfleet.queue;

import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends again what a crawl has not finished, for queues that lost it or were let run empty: the
 * frontier knows it all.
 *
 * <p>It may be repeated, and may run while workers do: a page that is sent again makes its earlier
 * tasks stale. The pages are read once and none are kept, so a site may have any number of them.
 * Safe for use by many threads.
 */
public final class Requeue {
  private static final int HIGHEST_DEPTH = 1;
  private static final int A_FEW = 10;
  private static final int AT_ONCE = 100;

  private final SiteStore sites;
  private final Frontier frontier;
  private final TaskQueue queue;

  /** Uses the ports without closing any. */
  public Requeue(SiteStore sites, Frontier frontier, TaskQueue queue) {
    this.sites = sites;
    this.frontier = frontier;
    this.queue = queue;
  }

  /**
   * Sends the queued pages of a crawl again. Shelved ones stay there, but for a few where no others
   * are, which draw them out.
   *
   * <p>Pages that the crawl would still ask for, and that only an earlier crawl claimed, are not
   * its own yet. So when it has none of its own left, and has not ended, the task to look for its
   * end is sent, which makes a worker walk on.
   *
   * @param crawl the site's newest; an older one has nothing left to do
   * @return how many tasks were sent
   * @throws SendException if some were not; the same call again sends what is missing
   */
  public int unfinished(SiteId site, CrawlId crawl) {
    Sender sender = new Sender();
    List<Page> shelved = new ArrayList<>();
    frontier.forEachPage(
        site,
        page -> {
          if (page.crawl().equals(crawl)) {
            if (page.state() == PageState.QUEUED) {
              sender.add(page);
            } else if (page.state() == PageState.SHELVED && shelved.size() < A_FEW) {
              shelved.add(page);
            }
          }
        });
    if (sender.found == 0) {
      shelved.forEach(sender::add);
    }
    sender.flush();
    return sender.found == 0 ? lookForTheEnd(site, crawl) : sender.sent;
  }

  private int lookForTheEnd(SiteId site, CrawlId crawl) {
    List<Task> end =
        sites
            .find(site)
            .filter(status -> status.runOf(crawl).filter(run -> run.end().isEmpty()).isPresent())
            .map(status -> Task.ofEnd(status.site(), crawl))
            .stream()
            .toList();
    queue.send(end.stream().map(task -> new Dispatch(task, Priority.HIGH, Duration.ZERO)).toList());
    return end.size();
  }

  /** Renews pages and sends their tasks, some at a time. */
  private final class Sender {
    private final List<Dispatch> renewed = new ArrayList<>();
    private int found;
    private int sent;

    void add(Page page) {
      found++;
      frontier
          .renew(page)
          .ifPresent(
              task ->
                  renewed.add(
                      new Dispatch(task, Priority.of(task.depth(), HIGHEST_DEPTH), Duration.ZERO)));
      if (renewed.size() >= AT_ONCE) {
        flush();
      }
    }

    void flush() {
      queue.send(renewed);
      sent += renewed.size();
      renewed.clear();
    }
  }
}
