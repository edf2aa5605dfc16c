package dev.fairfleet.memory;

import dev.fairfleet.frontier.AttemptToken;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Remembered;
import dev.fairfleet.frontier.Settlement;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.Walk;
import dev.fairfleet.record.RecordId;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A frontier in memory, for tests and simulations. Thread-safe. */
public final class InMemoryFrontier implements Frontier {
  /**
   * A page and the token of its last settlement or counted failure.
   *
   * @param token empty before the first
   */
  private record Entry(Page page, String token) {}

  private record SiteCrawl(SiteId site, CrawlId crawl) {}

  private final InMemoryOutlinks outlinks;
  // By site, then by hash of URL.
  private final Map<SiteId, NavigableMap<String, Entry>> sites = new HashMap<>();
  private final Map<SiteCrawl, NavigableSet<Page>> shelves = new HashMap<>();

  /** Creates one without pages, whose pages lead nowhere. */
  public InMemoryFrontier() {
    this(new InMemoryOutlinks());
  }

  /**
   * Creates one without pages.
   *
   * @param outlinks where its pages lead, which is removed with them
   */
  public InMemoryFrontier(InMemoryOutlinks outlinks) {
    this.outlinks = outlinks;
  }

  @Override
  public synchronized List<CrawlUrl> unclaimed(Discovery found, List<CrawlUrl> links) {
    return links.stream()
        .distinct()
        .filter(found::canFind)
        .filter(link -> isNew(entry(found.site(), link), found))
        .toList();
  }

  private static boolean isNew(@Nullable Entry entry, Discovery found) {
    if (entry == null) {
      return true;
    }
    Page page = entry.page();
    if (isBefore(found.crawl(), page)) {
      return page.state() != PageState.DONE || found.again().includes(page.url());
    }
    return page.crawl().equals(found.crawl())
        && page.parent().equals(found.parent())
        && !page.state().isFinal();
  }

  /** Tells whether a page is of an earlier crawl. */
  private static boolean isBefore(CrawlId crawl, Page page) {
    return page.crawl().compareTo(crawl) < 0;
  }

  @Override
  public synchronized List<Task> claim(
      Discovery found, List<CrawlUrl> links, Set<CrawlUrl> queued) {
    List<Task> tasks = new ArrayList<>();
    for (CrawlUrl link : unclaimed(found, links)) {
      boolean send = queued.contains(link);
      @Nullable Entry entry = entry(found.site(), link);
      if (entry == null || isBefore(found.crawl(), entry.page())) {
        Page page = claimed(found, link, send ? PageState.QUEUED : PageState.SHELVED, entry);
        put(page, entry == null ? "" : entry.token());
        if (send) {
          tasks.add(page.task());
        }
      } else if (send) {
        renew(entry.page()).ifPresent(tasks::add);
      } else if (entry.page().state() != PageState.SHELVED) {
        put(again(entry.page(), PageState.SHELVED), entry.token());
      }
    }
    return tasks;
  }

  @Override
  public synchronized void refuse(Discovery found, Map<CrawlUrl, String> reasons, Instant now) {
    reasons.forEach(
        (url, reason) -> {
          @Nullable Entry entry = entry(found.site(), url);
          if (found.canFind(url) && (entry == null || isBefore(found.crawl(), entry.page()))) {
            Page page = claimed(found, url, PageState.QUEUED, entry);
            put(
                ended(page, Settlement.skipped(reason), page.remembered(), now),
                entry == null ? "" : entry.token());
          }
        });
  }

  private static Page claimed(
      Discovery found, CrawlUrl url, PageState state, @Nullable Entry before) {
    Optional<Page> last = Optional.ofNullable(before).map(Entry::page);
    return new Page(
        found.site(),
        found.crawl(),
        url,
        found.parent(),
        found.depth(),
        found.kind(),
        found.hops(),
        state,
        last.map(page -> page.generation() + 1).orElse(0),
        0,
        "",
        last.map(Page::remembered).orElse(Remembered.NOTHING),
        last.map(Page::gone).orElse(0),
        Optional.ofNullable(found.modified().get(url)),
        last.flatMap(Page::lastFetch),
        last.flatMap(Page::settledAt));
  }

  private @Nullable Entry entry(SiteId site, CrawlUrl url) {
    return pagesOf(site).get(url.hash().value());
  }

  private NavigableMap<String, Entry> pagesOf(SiteId site) {
    return sites.computeIfAbsent(site, id -> new TreeMap<>());
  }

  /** Returns what is known of a task's page, which is of the task's crawl if it is unfinished. */
  private @Nullable Entry recalled(SiteId site, CrawlId crawl, CrawlUrl url) {
    @Nullable Entry entry = entry(site, url);
    return entry != null && isBefore(crawl, entry.page())
        ? new Entry(entry.page().recalled(crawl), entry.token())
        : entry;
  }

  private void put(Page page, String token) {
    @Nullable Entry before =
        pagesOf(page.site()).put(page.url().hash().value(), new Entry(page, token));
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
        tasks.add(now.task());
      }
    }
    return tasks;
  }

  @Override
  public synchronized boolean shelve(Task task) {
    @Nullable Entry entry = recalled(task.site(), task.crawl(), task.url());
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
      @Nullable Entry entry = recalled(task.site(), task.crawl(), task.url());
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
    if (entry == null || entry.page().crawl().compareTo(task.crawl()) > 0) {
      return false;
    }
    Page page = entry.page();
    if (isBefore(task.crawl(), page)) {
      page = progressed(page.recalled(task.crawl()), PageState.QUEUED, page.generation(), 0, "");
    } else if (page.state().isFinal()) {
      return entry.token().equals(token.value());
    }
    put(
        ended(
            page,
            settlement,
            settlement.remembered().orElse(page.remembered().withoutValidators()),
            now),
        token.value());
    return true;
  }

  private static Page ended(Page page, Settlement settlement, Remembered remembered, Instant now) {
    return new Page(
        page.site(),
        page.crawl(),
        page.url(),
        page.parent(),
        page.depth(),
        page.kind(),
        page.hops(),
        settlement.state(),
        page.generation(),
        page.attempts(),
        settlement.reason(),
        remembered,
        gone(page, settlement.state()),
        page.modified(),
        settlement.fetch().or(page::lastFetch),
        Optional.of(now));
  }

  private static int gone(Page page, PageState state) {
    return switch (state) {
      case GONE -> page.gone() + 1;
      case DONE -> 0;
      case FAILED, SKIPPED, SHELVED, QUEUED -> page.gone();
    };
  }

  @Override
  public synchronized boolean note(Task task, String reason) {
    @Nullable Entry entry = recalled(task.site(), task.crawl(), task.url());
    if (entry == null
        || !entry.page().crawl().equals(task.crawl())
        || entry.page().state().isFinal()) {
      return false;
    }
    Page page = entry.page();
    put(progressed(page, page.state(), page.generation(), page.attempts(), reason), entry.token());
    return true;
  }

  @Override
  public synchronized int countFailure(Task task, String reason, AttemptToken token, Instant now) {
    @Nullable Entry entry = recalled(task.site(), task.crawl(), task.url());
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
    @Nullable Entry entry = recalled(page.site(), page.crawl(), page.url());
    if (entry == null
        || !entry.page().crawl().equals(page.crawl())
        || entry.page().state().isFinal()) {
      return Optional.empty();
    }
    Page renewed = again(entry.page(), PageState.QUEUED);
    put(renewed, entry.token());
    return Optional.of(renewed.task());
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
        page.kind(),
        page.hops(),
        state,
        generation,
        attempts,
        reason,
        page.remembered(),
        page.gone(),
        page.modified(),
        page.lastFetch(),
        page.settledAt());
  }

  @Override
  public synchronized List<Page> find(SiteId site, Collection<UrlHash> urls) {
    return urls.stream()
        .distinct()
        .flatMap(url -> Stream.ofNullable(pagesOf(site).get(url.value())))
        .map(Entry::page)
        .toList();
  }

  @Override
  public void forEachPage(SiteId site, Consumer<Page> each) {
    List<Page> pages;
    synchronized (this) {
      pages = pagesOf(site).values().stream().map(Entry::page).toList();
    }
    pages.forEach(each);
  }

  @Override
  public synchronized Walk walk(SiteId site, CrawlId crawl, String from, int most) {
    NavigableMap<String, Entry> all = pagesOf(site);
    Collection<Entry> ahead = (all.containsKey(from) ? all.tailMap(from, false) : all).values();
    List<Page> step = ahead.stream().limit(most).map(Entry::page).toList();
    return new Walk(
        step.stream()
            .filter(page -> isBefore(crawl, page))
            .map(page -> page.recalled(crawl))
            .toList(),
        step.size() < ahead.size() ? step.getLast().url().hash().value() : "");
  }

  @Override
  public synchronized void forget(Page page, Set<RecordId> records) {
    @Nullable Entry entry = entry(page.site(), page.url());
    if (entry == null
        || !entry.page().crawl().equals(page.crawl())
        || !entry.page().settledAt().equals(page.settledAt())) {
      return;
    }
    Remembered before = entry.page().remembered();
    boolean own = before.record().filter(records::contains).isPresent();
    Remembered now = own ? before.withoutValidators() : before;
    Set<RecordId> left = new HashSet<>(now.lost());
    left.removeAll(records);
    put(
        remembering(
            entry.page(),
            new Remembered(
                now.validators(),
                now.contentHash(),
                now.outlinks(),
                now.rules(),
                own ? Optional.empty() : now.record(),
                left)),
        entry.token());
  }

  private static Page remembering(Page page, Remembered remembered) {
    return new Page(
        page.site(),
        page.crawl(),
        page.url(),
        page.parent(),
        page.depth(),
        page.kind(),
        page.hops(),
        page.state(),
        page.generation(),
        page.attempts(),
        page.reason(),
        remembered,
        page.gone(),
        page.modified(),
        page.lastFetch(),
        page.settledAt());
  }

  @Override
  public synchronized void removeAll(SiteId site) {
    sites.remove(site);
    shelves.keySet().removeIf(shelf -> shelf.site().equals(site));
    outlinks.removeAll(site);
  }
}
