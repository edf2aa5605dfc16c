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
import dev.fairfleet.url.UrlHash;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A frontier in memory, for tests and simulations. Thread-safe. */
public final class InMemoryFrontier implements Frontier {
  private record Key(SiteId site, UrlHash url) {}

  /**
   * A page and the token of its last settlement or counted failure.
   *
   * @param token empty before the first
   */
  private record Entry(Page page, String token) {}

  private record SiteCrawl(SiteId site, CrawlId crawl) {}

  private final Map<Key, Entry> entries = new HashMap<>();
  private final Map<SiteCrawl, NavigableSet<Page>> shelves = new HashMap<>();

  @Override
  public synchronized List<CrawlUrl> unclaimed(
      SiteId site, CrawlId crawl, CrawlUrl parent, CrawlDepth depth, List<CrawlUrl> links) {
    return links.stream()
        .distinct()
        .filter(link -> !link.equals(parent) || depth.equals(CrawlDepth.ROOT))
        .filter(link -> isNew(entry(site, link), crawl, parent))
        .toList();
  }

  private static boolean isNew(@Nullable Entry entry, CrawlId crawl, CrawlUrl parent) {
    if (entry == null || entry.page().crawl().compareTo(crawl) < 0) {
      return true;
    }
    Page page = entry.page();
    return page.crawl().equals(crawl) && page.parent().equals(parent) && !page.state().isFinal();
  }

  @Override
  public synchronized List<Task> claim(
      SiteId site,
      CrawlId crawl,
      CrawlUrl parent,
      CrawlDepth depth,
      List<CrawlUrl> links,
      Set<CrawlUrl> queued) {
    List<Task> tasks = new ArrayList<>();
    for (CrawlUrl link : unclaimed(site, crawl, parent, depth, links)) {
      boolean send = queued.contains(link);
      @Nullable Entry entry = entry(site, link);
      if (entry == null || entry.page().crawl().compareTo(crawl) < 0) {
        PageState state = send ? PageState.QUEUED : PageState.SHELVED;
        put(
            claimed(site, crawl, parent, depth, link, state, entry),
            entry == null ? "" : entry.token());
        if (send) {
          tasks.add(new Task(site, crawl, link, depth, 0));
        }
      } else if (send) {
        renew(entry.page()).ifPresent(tasks::add);
      } else if (entry.page().state() != PageState.SHELVED) {
        put(again(entry.page(), PageState.SHELVED), entry.token());
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
      PageState state,
      @Nullable Entry before) {
    return new Page(
        site,
        crawl,
        url,
        parent,
        depth,
        state,
        0,
        0,
        "",
        before == null ? Validators.NONE : before.page().validators(),
        before == null ? Optional.empty() : before.page().lastFetch(),
        before == null ? Optional.empty() : before.page().settledAt());
  }

  private @Nullable Entry entry(SiteId site, CrawlUrl url) {
    return entries.get(new Key(site, url.hash()));
  }

  private void put(Page page, String token) {
    @Nullable Entry before =
        entries.put(new Key(page.site(), page.url().hash()), new Entry(page, token));
    if (before != null && before.page().state() == PageState.SHELVED) {
      shelfOf(before.page()).remove(before.page());
    }
    if (page.state() == PageState.SHELVED) {
      shelfOf(page).add(page);
    }
  }

  private NavigableSet<Page> shelfOf(Page page) {
    return shelves.computeIfAbsent(
        new SiteCrawl(page.site(), page.crawl()),
        crawl -> new TreeSet<>(Comparator.comparing(Page::depth).thenComparing(Page::url)));
  }

  @Override
  public synchronized List<Page> shelf(SiteId site, CrawlId crawl, int most) {
    NavigableSet<Page> shelf =
        shelves.getOrDefault(new SiteCrawl(site, crawl), Collections.emptyNavigableSet());
    return shelf.stream().limit(most).toList();
  }

  @Override
  public synchronized List<Task> unshelve(Collection<Page> pages) {
    List<Task> tasks = new ArrayList<>();
    for (Page page : pages) {
      @Nullable Entry entry = entry(page.site(), page.url());
      if (entry != null
          && entry.page().crawl().equals(page.crawl())
          && entry.page().state() == PageState.SHELVED) {
        Page now = entry.page();
        put(
            progressed(now, PageState.QUEUED, now.generation(), now.attempts(), now.reason()),
            entry.token());
        tasks.add(taskOf(now));
      }
    }
    return tasks;
  }

  @Override
  public synchronized boolean shelve(Task task) {
    @Nullable Entry entry = entry(task.site(), task.url());
    if (entry == null
        || !entry.page().crawl().equals(task.crawl())
        || entry.page().state().isFinal()) {
      return false;
    }
    Page page = entry.page();
    if (page.generation() == task.generation()) {
      put(again(page, PageState.SHELVED), entry.token());
      return true;
    }
    return page.state() == PageState.SHELVED && page.generation() == task.generation() + 1;
  }

  @Override
  public synchronized Map<Task, Page> read(Collection<Task> tasks) {
    Map<Task, Page> pages = new HashMap<>();
    for (Task task : tasks) {
      @Nullable Entry entry = entry(task.site(), task.url());
      if (entry != null) {
        pages.put(task, entry.page());
      }
    }
    return pages;
  }

  @Override
  public synchronized boolean settle(
      Task task, Settlement settlement, AttemptToken token, Instant now) {
    @Nullable Entry entry = entry(task.site(), task.url());
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
    @Nullable Entry entry = entry(task.site(), task.url());
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
    @Nullable Entry entry = entry(page.site(), page.url());
    if (entry == null
        || !entry.page().crawl().equals(page.crawl())
        || entry.page().state().isFinal()) {
      return Optional.empty();
    }
    Page renewed = again(entry.page(), PageState.QUEUED);
    put(renewed, entry.token());
    return Optional.of(taskOf(renewed));
  }

  private static Task taskOf(Page page) {
    return new Task(page.site(), page.crawl(), page.url(), page.depth(), page.generation());
  }

  /** Returns an unfinished page one generation later. */
  private static Page again(Page page, PageState state) {
    return progressed(page, state, page.generation() + 1, page.attempts(), page.reason());
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
  public synchronized List<Page> find(SiteId site, Collection<UrlHash> urls) {
    return urls.stream()
        .distinct()
        .flatMap(url -> Stream.ofNullable(entries.get(new Key(site, url))))
        .map(Entry::page)
        .toList();
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
