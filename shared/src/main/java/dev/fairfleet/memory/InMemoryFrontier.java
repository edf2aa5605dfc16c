package dev.fairfleet.memory;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Fetch;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Validators;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A frontier in memory, for tests and simulations. Thread-safe. */
public final class InMemoryFrontier implements Frontier {
  private record Key(SiteId site, CrawlUrl url) {}

  /**
   * A page and the token of its last settlement or counted failure.
   *
   * @param token empty before the first
   */
  private record Entry(Page page, String token) {}

  private final Map<Key, Entry> entries = new HashMap<>();

  @Override
  public synchronized List<Task> claim(
      SiteId site, CrawlId crawl, CrawlUrl parent, CrawlDepth depth, List<CrawlUrl> links) {
    List<Task> tasks = new ArrayList<>();
    for (CrawlUrl link : links.stream().distinct().toList()) {
      if (link.equals(parent) && !depth.equals(CrawlDepth.ROOT)) {
        continue;
      }
      @Nullable Entry entry = entries.get(new Key(site, link));
      if (entry == null || entry.page().crawl().compareTo(crawl) < 0) {
        put(claimed(site, crawl, parent, depth, link, entry), entry == null ? "" : entry.token());
        tasks.add(new Task(site, crawl, link, depth, 0));
      } else if (entry.page().crawl().equals(crawl) && entry.page().parent().equals(parent)) {
        renew(entry.page()).ifPresent(tasks::add);
      }
    }
    return tasks;
  }

  private static Page claimed(
      SiteId site,
      CrawlId crawl,
      CrawlUrl parent,
      CrawlDepth depth,
      CrawlUrl url,
      @Nullable Entry before) {
    return new Page(
        site,
        crawl,
        url,
        parent,
        depth,
        PageState.QUEUED,
        0,
        0,
        "",
        before == null ? Validators.NONE : before.page().validators(),
        before == null ? Optional.empty() : before.page().lastFetch(),
        before == null ? Optional.empty() : before.page().settledAt());
  }

  private void put(Page page, String token) {
    entries.put(new Key(page.site(), page.url()), new Entry(page, token));
  }

  @Override
  public synchronized Map<Task, Page> read(Collection<Task> tasks) {
    Map<Task, Page> pages = new HashMap<>();
    for (Task task : tasks) {
      @Nullable Entry entry = entries.get(new Key(task.site(), task.url()));
      if (entry != null) {
        pages.put(task, entry.page());
      }
    }
    return pages;
  }

  @Override
  public synchronized boolean settle(
      Task task, Settlement settlement, AttemptToken token, Instant now) {
    @Nullable Entry entry = entries.get(new Key(task.site(), task.url()));
    if (entry == null || !entry.page().crawl().equals(task.crawl())) {
      return false;
    }
    Page page = entry.page();
    if (page.state().isFinal()) {
      return entry.token().equals(token.value());
    }
    Optional<Fetch> fetch = settlement.fetch().or(page::lastFetch);
    put(
        new Page(
            page.site(),
            page.crawl(),
            page.url(),
            page.parent(),
            page.depth(),
            settlement.state(),
            page.generation(),
            page.attempts(),
            settlement.reason(),
            settlement.validators(),
            fetch,
            Optional.of(now)),
        token.value());
    return true;
  }

  @Override
  public synchronized int countFailure(Task task, String reason, AttemptToken token, Instant now) {
    @Nullable Entry entry = entries.get(new Key(task.site(), task.url()));
    if (entry == null || !entry.page().crawl().equals(task.crawl())) {
      return 0;
    }
    Page page = entry.page();
    if (page.state().isFinal() || entry.token().equals(token.value())) {
      return page.attempts();
    }
    put(
        progressed(page, page.state(), page.generation(), page.attempts() + 1, reason),
        token.value());
    return page.attempts() + 1;
  }

  @Override
  public synchronized Optional<Task> renew(Page page) {
    @Nullable Entry entry = entries.get(new Key(page.site(), page.url()));
    if (entry == null
        || !entry.page().crawl().equals(page.crawl())
        || entry.page().state().isFinal()) {
      return Optional.empty();
    }
    Page now = entry.page();
    int generation = now.generation() + 1;
    put(progressed(now, PageState.QUEUED, generation, now.attempts(), now.reason()), entry.token());
    return Optional.of(new Task(now.site(), now.crawl(), now.url(), now.depth(), generation));
  }

  private static Page progressed(
      Page page, PageState state, int generation, int attempts, String reason) {
    return new Page(
        page.site(),
        page.crawl(),
        page.url(),
        page.parent(),
        page.depth(),
        state,
        generation,
        attempts,
        reason,
        page.validators(),
        page.lastFetch(),
        page.settledAt());
  }

  @Override
  public void forEachPage(SiteId site, Consumer<Page> each) {
    List<Page> pages;
    synchronized (this) {
      pages =
          entries.values().stream().map(Entry::page).filter(p -> p.site().equals(site)).toList();
    }
    pages.forEach(each);
  }
}
