package dev.fairfleet.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.record.RecordId;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link Frontier} promises of one crawl after the other; {@link RecrawlContract} has
 * what it promises of known pages. Tests share the storage; each has a site of its own.
 */
public abstract class FrontierContract {
  private static final AtomicInteger SITES = new AtomicInteger();

  protected static final CrawlId CRAWL = new CrawlId("20261130T120000.000Z");
  protected static final CrawlId NEWER = new CrawlId("20261201T120000.000Z");
  protected static final CrawlId OLDER = new CrawlId("20261129T120000.000Z");
  protected static final Instant NOW = Instant.parse("2026-11-30T12:00:05.678Z");
  protected static final CrawlUrl ROOT = url("/");
  protected static final CrawlUrl OTHER_PAGE = url("/other");
  protected static final CrawlUrl A = url("/a");
  protected static final CrawlUrl B = url("/b");
  protected static final CrawlDepth ONE = new CrawlDepth(1);
  protected static final CrawlDepth TWO = new CrawlDepth(2);
  protected static final RecordId SHOWN = new RecordId("0123456789abcdef0123456789abcdef");
  protected static final RecordId LOST = new RecordId("00000000000000000000000000000001");
  protected static final RecordId OLD_LOSS = new RecordId("00000000000000000000000000000002");

  /** What the settlement {@link #DONE} remembers. */
  protected static final Remembered READ =
      new Remembered(
          new Validators("\"v1\"", "Mon, 30 Nov 2026 11:00:00 GMT"),
          "0123456789abcdef",
          "fedcba9876543210",
          "rules of the site",
          Optional.of(SHOWN),
          Set.of(LOST, OLD_LOSS));

  protected static final Settlement DONE =
      new Settlement(
          PageState.DONE,
          "",
          Optional.of(READ),
          Optional.of(
              new Fetch(
                  200, 12_345, Instant.parse("2026-11-30T12:00:04.001Z"), Duration.ofMillis(321))));

  protected final SiteId site = new SiteId("site-" + SITES.incrementAndGet());
  private final AtomicInteger tokens = new AtomicInteger();

  /** Returns a frontier over the same storage, as another process would have it. */
  protected abstract Frontier open();

  protected static CrawlUrl url(String path) {
    return CrawlUrl.of("http://a.test" + path);
  }

  protected AttemptToken token() {
    return new AttemptToken(site + "/" + tokens.incrementAndGet());
  }

  protected Task task(CrawlUrl url) {
    return new Task(site, CRAWL, url, ONE, 0);
  }

  protected Page page(Frontier frontier, CrawlUrl url) {
    return page(frontier, task(url));
  }

  protected static Page page(Frontier frontier, Task task) {
    return Objects.requireNonNull(frontier.read(List.of(task)).get(task), () -> "page of " + task);
  }

  protected static List<Page> pages(Frontier frontier, SiteId of) {
    List<Page> pages = new ArrayList<>();
    frontier.forEachPage(of, pages::add);
    return pages;
  }

  /** Says that links were found on a page, in this crawl. */
  protected Discovery on(CrawlUrl parent, CrawlDepth depth) {
    return Discovery.ofLinks(site, CRAWL, parent, depth);
  }

  protected Task claimed(Frontier frontier, CrawlUrl url) {
    return frontier.claim(on(ROOT, ONE), List.of(url)).getFirst();
  }

  /** Claims links, none of them to be sent. */
  protected void shelved(Frontier frontier, CrawlDepth depth, List<CrawlUrl> links) {
    assertThat(frontier.claim(on(ROOT, depth), links, Set.of())).isEmpty();
  }

  protected List<CrawlUrl> onShelf(Frontier frontier, CrawlId crawl) {
    return frontier.shelf(site, crawl, 100).stream().map(Page::url).toList();
  }

  private Page newPage(CrawlUrl url, CrawlDepth depth, PageState state, int generation) {
    return new Page(
        site,
        CRAWL,
        url,
        ROOT,
        depth,
        PageKind.PAGE,
        0,
        state,
        generation,
        0,
        "",
        Remembered.NOTHING,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  // unclaimed

  @Test
  protected void unclaimed_knownAndUnknownLinks_returnsUnknownOnceInOrder() {
    Frontier frontier = open();
    frontier.claim(on(OTHER_PAGE, ONE), List.of(A, url("/c")), Set.of(A));
    assertThat(open().unclaimed(on(ROOT, ONE), List.of(url("/d"), A, B, url("/c"), url("/d"))))
        .containsExactly(url("/d"), B);
    assertThat(frontier.unclaimed(on(ROOT, ONE), List.of(A))).isEmpty();
  }

  @Test
  protected void unclaimed_unknownLinks_claimsNothing() {
    Frontier frontier = open();
    frontier.unclaimed(on(ROOT, ONE), List.of(A, B));
    assertThat(pages(frontier, site)).isEmpty();
    assertThat(frontier.claim(on(OTHER_PAGE, ONE), List.of(A))).containsExactly(task(A));
  }

  @Test
  protected void unclaimed_sameParent_returnsUnfinished() {
    Frontier frontier = open();
    CrawlUrl settled = url("/settled");
    List<CrawlUrl> links = List.of(A, B, settled);
    frontier.claim(on(ROOT, ONE), links, Set.of(A, settled));
    frontier.settle(task(settled), DONE, token(), NOW);

    assertThat(frontier.unclaimed(on(ROOT, ONE), links)).containsExactly(A, B);
    assertThat(open().unclaimed(on(ROOT, ONE), links)).containsExactly(A, B);
  }

  @Test
  protected void unclaimed_pageOfAnotherCrawl_isNewToTheNewerOnly() {
    Frontier frontier = open();
    frontier.settle(claimed(frontier, A), DONE, token(), NOW);
    assertThat(open().unclaimed(Discovery.ofLinks(site, NEWER, OTHER_PAGE, ONE), List.of(A)))
        .containsExactly(A);
    assertThat(open().unclaimed(Discovery.ofLinks(site, OLDER, ROOT, ONE), List.of(A))).isEmpty();
  }

  @Test
  protected void unclaimed_linkToItself_isNewForARootOnly() {
    Frontier frontier = open();
    assertThat(frontier.unclaimed(on(ROOT, ONE), List.of(ROOT, A))).containsExactly(A);
    assertThat(frontier.unclaimed(on(ROOT, CrawlDepth.ROOT), List.of(ROOT))).containsExactly(ROOT);
  }

  @Test
  protected void unclaimed_noLinks_returnsNothing() {
    assertThat(open().unclaimed(on(ROOT, ONE), List.of())).isEmpty();
  }

  // claim

  @Test
  protected void claim_unknownLinks_returnsTaskForEachInOrder() {
    assertThat(open().claim(on(ROOT, ONE), List.of(B, A, OTHER_PAGE)))
        .containsExactly(task(B), task(A), task(OTHER_PAGE));
  }

  @Test
  protected void claim_knownAndUnknownLinks_returnsUnknownInOrder() {
    Frontier frontier = open();
    frontier.claim(on(OTHER_PAGE, ONE), List.of(A));
    assertThat(open().claim(on(ROOT, ONE), List.of(B, A, url("/c"))))
        .containsExactly(task(B), task(url("/c")));
  }

  @Test
  protected void claim_noLinks_returnsNothing() {
    assertThat(open().claim(on(ROOT, ONE), List.of())).isEmpty();
  }

  @Test
  protected void claim_linkTwice_returnsOneTask() {
    assertThat(open().claim(on(ROOT, ONE), List.of(A, B, A))).containsExactly(task(A), task(B));
  }

  @Test
  protected void claim_newLink_keepsWhereItWasFound() {
    Frontier frontier = open();
    frontier.claim(on(ROOT, TWO), List.of(A));
    assertThat(page(open(), A))
        .isEqualTo(
            new Page(
                site,
                CRAWL,
                A,
                ROOT,
                TWO,
                PageKind.PAGE,
                0,
                PageState.QUEUED,
                0,
                0,
                "",
                Remembered.NOTHING,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  protected void claim_linkOfAnotherPage_returnsNothingAndChangesNothing() {
    Frontier frontier = open();
    frontier.claim(on(ROOT, ONE), List.of(A));
    Page before = page(frontier, A);

    assertThat(frontier.claim(on(OTHER_PAGE, TWO), List.of(A))).isEmpty();
    assertThat(open().claim(on(OTHER_PAGE, TWO), List.of(A))).isEmpty();
    assertThat(page(frontier, A)).isEqualTo(before);
  }

  @Test
  protected void claim_sameParentAgain_returnsNextGenerationAndMakesEarlierTaskStale() {
    Frontier frontier = open();
    Task lost = claimed(frontier, A);

    Task second = claimed(frontier, A);
    Task third = claimed(open(), A);

    assertThat(List.of(second.generation(), third.generation())).containsExactly(1, 2);
    Page page = page(frontier, A);
    assertThat(page.makesStale(lost)).isTrue();
    assertThat(page.makesStale(second)).isTrue();
    assertThat(page.makesStale(third)).isFalse();
  }

  @Test
  protected void claim_sameParentAgainAfterAnotherPageAsked_returnsNextGeneration() {
    claimed(open(), A);
    Frontier frontier = open();
    assertThat(frontier.claim(on(OTHER_PAGE, TWO), List.of(A))).isEmpty();

    assertThat(frontier.claim(on(ROOT, ONE), List.of(A)))
        .containsExactly(new Task(site, CRAWL, A, ONE, 1));
  }

  @Test
  protected void claim_sameParentAfterLinkWasSettled_returnsNothing() {
    Frontier frontier = open();
    frontier.settle(claimed(frontier, A), DONE, token(), NOW);

    assertThat(frontier.claim(on(ROOT, ONE), List.of(A))).isEmpty();
    assertThat(open().claim(on(ROOT, ONE), List.of(A))).isEmpty();
    assertThat(page(frontier, A).state()).isEqualTo(PageState.DONE);
  }

  @Test
  protected void claim_sameParentAgain_keepsFailedAttempts() {
    Frontier frontier = open();
    frontier.countFailure(claimed(frontier, A), "timeout", token(), NOW);
    claimed(frontier, A);
    assertThat(page(frontier, A).attempts()).isEqualTo(1);
  }

  @Test
  protected void claim_root_claimsItself() {
    Frontier frontier = open();
    assertThat(frontier.claim(on(ROOT, CrawlDepth.ROOT), List.of(ROOT)))
        .containsExactly(new Task(site, CRAWL, ROOT, CrawlDepth.ROOT, 0));
    assertThat(page(frontier, ROOT).parent()).isEqualTo(ROOT);
  }

  @Test
  protected void claim_rootAgain_returnsNextGeneration() {
    open().claim(on(ROOT, CrawlDepth.ROOT), List.of(ROOT));
    assertThat(open().claim(on(ROOT, CrawlDepth.ROOT), List.of(ROOT)))
        .containsExactly(new Task(site, CRAWL, ROOT, CrawlDepth.ROOT, 1));
  }

  @Test
  protected void claim_pageThatLinksToItself_returnsOnlyOthers() {
    Frontier frontier = open();
    frontier.claim(on(ROOT, CrawlDepth.ROOT), List.of(ROOT));

    assertThat(frontier.claim(on(ROOT, ONE), List.of(ROOT, A))).containsExactly(task(A));
    assertThat(page(frontier, ROOT).generation()).isZero();
  }

  @Test
  protected void claim_newerCrawl_takesUnfinishedPageAfresh() {
    Frontier frontier = open();
    claimed(frontier, A);
    claimed(frontier, A);
    frontier.countFailure(task(A), "timeout", token(), NOW);

    assertThat(frontier.claim(Discovery.ofLinks(site, NEWER, OTHER_PAGE, TWO), List.of(A)))
        .containsExactly(new Task(site, NEWER, A, TWO, 2));
    assertThat(page(frontier, A))
        .isEqualTo(
            new Page(
                site,
                NEWER,
                A,
                OTHER_PAGE,
                TWO,
                PageKind.PAGE,
                0,
                PageState.QUEUED,
                2,
                0,
                "",
                Remembered.NOTHING,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  protected void claim_newerCrawl_keepsWhatIsKnownOfSettledPage() {
    Frontier frontier = open();
    frontier.settle(claimed(frontier, A), DONE, token(), NOW);

    assertThat(open().claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A)))
        .containsExactly(new Task(site, NEWER, A, ONE, 1));
    Page page = page(frontier, A);
    assertThat(page.state()).isEqualTo(PageState.QUEUED);
    assertThat(page.remembered()).isEqualTo(READ);
    assertThat(page.lastFetch()).isEqualTo(DONE.fetch());
    assertThat(page.settledAt()).contains(NOW);
  }

  @Test
  protected void claim_olderCrawl_returnsNothingAndChangesNothing() {
    Frontier frontier = open();
    claimed(frontier, A);
    Page before = page(frontier, A);

    assertThat(frontier.claim(Discovery.ofLinks(site, OLDER, ROOT, ONE), List.of(A))).isEmpty();
    assertThat(open().claim(Discovery.ofLinks(site, OLDER, OTHER_PAGE, ONE), List.of(A))).isEmpty();
    assertThat(page(frontier, A)).isEqualTo(before);
  }

  @Test
  protected void claim_urlOfAnotherSite_isNew() {
    Frontier frontier = open();
    SiteId neighbour = new SiteId(site + "-neighbour");
    frontier.claim(Discovery.ofLinks(neighbour, CRAWL, OTHER_PAGE, ONE), List.of(A));

    assertThat(frontier.claim(on(ROOT, ONE), List.of(A))).containsExactly(task(A));
    assertThat(frontier.claim(Discovery.ofLinks(neighbour, CRAWL, ROOT, ONE), List.of(A)))
        .isEmpty();
  }

  /** Field report P94: a key made of the URL refuses long ones. */
  @Test
  protected void claim_urlsOfGreatestLength_areKept() {
    Frontier frontier = open();
    String prefix = "http://a.test/";
    CrawlUrl longest = CrawlUrl.of(prefix + "x".repeat(CrawlUrl.MAX_LENGTH - prefix.length()));
    CrawlUrl alike = CrawlUrl.of(longest.toString().substring(0, CrawlUrl.MAX_LENGTH - 1) + "y");

    assertThat(frontier.claim(on(longest, ONE), List.of(alike))).hasSize(1);
    assertThat(frontier.claim(on(alike, ONE), List.of(longest))).hasSize(1);
    assertThat(page(frontier, alike).url()).isEqualTo(alike);
    assertThat(page(frontier, alike).parent()).isEqualTo(longest);
  }

  @Test
  protected void claim_thousandLinks_returnsAllInOrder() {
    Frontier frontier = open();
    List<CrawlUrl> links = links(1_000);

    List<Task> tasks = frontier.claim(on(ROOT, ONE), links);

    assertThat(tasks).extracting(Task::url).isEqualTo(links);
    assertThat(frontier.read(tasks)).hasSize(1_000);
    assertThat(open().claim(on(OTHER_PAGE, ONE), links)).isEmpty();
  }

  @Test
  protected void claim_manyParentsAtOnce_eachLinkHasOneWinner() {
    Frontier here = open();
    Frontier there = open();
    List<CrawlUrl> links = links(40);

    List<List<Task>> won =
        Race.of(8, i -> (i % 2 == 0 ? here : there).claim(on(url("/parent" + i), ONE), links));

    List<Task> all = won.stream().flatMap(List::stream).toList();
    assertThat(all).extracting(Task::url).containsExactlyInAnyOrderElementsOf(links);
    for (int i = 0; i < won.size(); i++) {
      for (Task task : won.get(i)) {
        assertThat(page(here, task.url()).parent()).isEqualTo(url("/parent" + i));
      }
    }
  }

  @Test
  protected void claim_sameParentManyTimesAtOnce_leavesOneTaskThatIsNotStale() {
    Frontier here = open();
    Frontier there = open();
    List<CrawlUrl> links = links(10);

    List<Task> all =
        Race.of(6, i -> (i % 2 == 0 ? here : there).claim(on(ROOT, ONE), links)).stream()
            .flatMap(List::stream)
            .toList();

    assertThat(new HashSet<>(all)).hasSameSizeAs(all);
    assertThat(all.stream().filter(task -> !page(here, task.url()).makesStale(task)))
        .extracting(Task::url)
        .containsExactlyInAnyOrderElementsOf(links);
  }

  @Test
  protected void claim_someQueued_returnsTheirTasksInOrderAndShelvesOthers() {
    Frontier frontier = open();
    CrawlUrl c = url("/c");

    assertThat(frontier.claim(on(ROOT, TWO), List.of(c, B, A, c), Set.of(A, c, url("/d"))))
        .containsExactly(new Task(site, CRAWL, c, TWO, 0), new Task(site, CRAWL, A, TWO, 0));
    assertThat(pages(open(), site))
        .containsExactlyInAnyOrder(
            newPage(A, TWO, PageState.QUEUED, 0),
            newPage(B, TWO, PageState.SHELVED, 0),
            newPage(c, TWO, PageState.QUEUED, 0));
    assertThat(onShelf(open(), CRAWL)).containsExactly(B);
  }

  @Test
  protected void claim_sameParentAgainShelvedAndNotQueued_leavesItOnTheShelf() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A));
    shelved(frontier, ONE, List.of(A));
    shelved(open(), ONE, List.of(A));
    assertThat(open().shelf(site, CRAWL, 2)).containsExactly(newPage(A, ONE, PageState.SHELVED, 0));
  }

  @Test
  protected void claim_sameParentAgainShelvedAndQueued_takesItFromTheShelf() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A));

    assertThat(open().claim(on(ROOT, ONE), List.of(A), Set.of(A)))
        .containsExactly(new Task(site, CRAWL, A, ONE, 1));
    assertThat(page(frontier, A)).isEqualTo(newPage(A, ONE, PageState.QUEUED, 1));
    assertThat(onShelf(frontier, CRAWL)).isEmpty();
  }

  @Test
  protected void claim_sameParentAgainQueuedAndNotQueued_shelvesItAndMakesEarlierTaskStale() {
    Frontier frontier = open();
    Task lost = claimed(frontier, A);

    shelved(open(), ONE, List.of(A));

    Page page = page(frontier, A);
    assertThat(page).isEqualTo(newPage(A, ONE, PageState.SHELVED, 1));
    assertThat(page.makesStale(lost)).isTrue();
    assertThat(frontier.shelf(site, CRAWL, 2)).containsExactly(page);
  }

  @Test
  protected void claim_sameParentAgainQueuedAndQueued_returnsNextGeneration() {
    Frontier frontier = open();
    claimed(frontier, A);
    assertThat(open().claim(on(ROOT, ONE), List.of(A), Set.of(A)))
        .containsExactly(new Task(site, CRAWL, A, ONE, 1));
    assertThat(page(frontier, A)).isEqualTo(newPage(A, ONE, PageState.QUEUED, 1));
  }

  /** The answer of unclaimed may be stale, so claim is asked without it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  protected void claim_linksThatAreNotNew_changesNothing(boolean queued) {
    Frontier frontier = open();
    CrawlUrl settled = url("/settled");
    List<CrawlUrl> links = List.of(A, B, settled, ROOT);
    frontier.claim(on(ROOT, CrawlDepth.ROOT), List.of(ROOT));
    frontier.claim(on(OTHER_PAGE, ONE), List.of(A, B), Set.of(A));
    frontier.settle(claimed(frontier, settled), DONE, token(), NOW);
    Set<Page> before = new HashSet<>(pages(frontier, site));
    Set<CrawlUrl> send = queued ? Set.copyOf(links) : Set.of();

    assertThat(frontier.claim(on(ROOT, ONE), links, send)).isEmpty();
    assertThat(open().claim(on(ROOT, ONE), links, send)).isEmpty();
    assertThat(open().claim(Discovery.ofLinks(site, OLDER, OTHER_PAGE, ONE), links, send))
        .isEmpty();
    assertThat(new HashSet<>(pages(frontier, site))).isEqualTo(before);
    assertThat(onShelf(frontier, CRAWL)).containsExactly(B);
  }

  @Test
  protected void claim_newerCrawl_takesPagesFromTheOldShelf() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A, B, url("/c")));

    assertThat(frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, TWO), List.of(A, B), Set.of(A)))
        .containsExactly(new Task(site, NEWER, A, TWO, 1));

    assertThat(onShelf(open(), CRAWL)).containsExactly(url("/c"));
    assertThat(onShelf(open(), NEWER)).containsExactly(B);
    assertThat(page(frontier, B).depth()).isEqualTo(TWO);
  }

  @Test
  protected void claim_newerCrawlShelvesSettledPage_keepsWhatIsKnownOfIt() {
    Frontier frontier = open();
    frontier.settle(claimed(frontier, A), DONE, token(), NOW);
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A), Set.of());
    Page page = page(open(), A);
    assertThat(page.state()).isEqualTo(PageState.SHELVED);
    assertThat(page.remembered()).isEqualTo(READ);
    assertThat(page.lastFetch()).isEqualTo(DONE.fetch());
  }

  @Test
  protected void claim_manyParentsAtOnceAndSomeQueued_eachLinkHasOneWinner() {
    Frontier here = open();
    Frontier there = open();
    List<CrawlUrl> links = links(40);
    Set<CrawlUrl> queued = Set.copyOf(links.subList(0, 20));

    List<Task> all =
        Race.of(
                8,
                i -> (i % 2 == 0 ? here : there).claim(on(url("/parent" + i), ONE), links, queued))
            .stream()
            .flatMap(List::stream)
            .toList();

    assertThat(all).extracting(Task::url).containsExactlyInAnyOrderElementsOf(queued);
    assertThat(onShelf(here, CRAWL)).containsExactlyInAnyOrderElementsOf(links.subList(20, 40));
  }

  /** Two deliveries of one page, of which one finds room in the window and the other does not. */
  @Test
  protected void claim_sameParentAtOnceQueuedAndNot_leavesEachPageShelvedOrWithOneTask() {
    Frontier here = open();
    Frontier there = open();
    List<CrawlUrl> links = links(30);

    List<Task> all =
        Race.of(
                6,
                i ->
                    (i % 2 == 0 ? here : there)
                        .claim(on(ROOT, ONE), links, i < 3 ? Set.copyOf(links) : Set.of()))
            .stream()
            .flatMap(List::stream)
            .toList();

    List<CrawlUrl> kept = new ArrayList<>(onShelf(here, CRAWL));
    all.stream()
        .filter(task -> !page(here, task.url()).makesStale(task))
        .map(Task::url)
        .forEach(kept::add);
    assertThat(kept).containsExactlyInAnyOrderElementsOf(links);
  }

  protected static List<CrawlUrl> links(int count) {
    return IntStream.range(0, count).mapToObj(i -> url("/page/" + i)).toList();
  }

  // shelf

  @Test
  protected void shelf_empty_returnsNothing() {
    Frontier frontier = open();
    claimed(frontier, A);
    assertThat(frontier.shelf(site, CRAWL, 10)).isEmpty();
  }

  @Test
  protected void shelf_pagesOfSeveralDepths_returnsShallowestFirstAndNoMoreThanAsked() {
    Frontier frontier = open();
    List<CrawlUrl> links = links(40);
    shelved(frontier, new CrawlDepth(10), links.subList(0, 20));
    shelved(frontier, new CrawlDepth(9), links.subList(20, 30));
    shelved(frontier, TWO, links.subList(30, 40));

    List<Page> some = open().shelf(site, CRAWL, 15);
    assertThat(some).hasSize(15);
    assertThat(some.subList(0, 10))
        .extracting(Page::url)
        .containsExactlyInAnyOrderElementsOf(links.subList(30, 40));
    assertThat(some.subList(10, 15)).extracting(Page::depth).containsOnly(new CrawlDepth(9));
    List<Page> all = open().shelf(site, CRAWL, 41);
    assertThat(all).extracting(Page::url).containsExactlyInAnyOrderElementsOf(links);
    assertThat(all).isSortedAccordingTo(Comparator.comparing(Page::depth));
  }

  @Test
  protected void shelf_page_isReadWhole() {
    Frontier frontier = open();
    frontier.settle(claimed(frontier, A), DONE, token(), NOW);
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, TWO), List.of(A), Set.of());
    assertThat(frontier.shelf(site, NEWER, 1)).containsExactly(page(frontier, A));
  }

  @Test
  protected void shelf_otherCrawlsAndSites_areNotThere() {
    Frontier frontier = open();
    SiteId neighbour = new SiteId(site + "0");
    shelved(frontier, ONE, List.of(A));
    frontier.claim(Discovery.ofLinks(neighbour, CRAWL, ROOT, ONE), List.of(B), Set.of());

    assertThat(onShelf(frontier, CRAWL)).containsExactly(A);
    assertThat(onShelf(frontier, OLDER)).isEmpty();
    assertThat(onShelf(frontier, NEWER)).isEmpty();
    assertThat(frontier.shelf(neighbour, CRAWL, 10)).extracting(Page::url).containsExactly(B);
  }

  @Test
  protected void shelf_pageSettled_isNoLongerThere() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A, B));
    assertThat(frontier.settle(task(A), Settlement.skipped("robots"), token(), NOW)).isTrue();
    assertThat(onShelf(open(), CRAWL)).containsExactly(B);
  }

  @Test
  protected void shelf_pageRenewed_isNoLongerThere() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A, B));
    assertThat(frontier.renew(page(frontier, A))).contains(new Task(site, CRAWL, A, ONE, 1));
    assertThat(onShelf(open(), CRAWL)).containsExactly(B);
  }

  @Test
  protected void shelf_pageWithCountedFailure_isStillThere() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A));
    assertThat(frontier.countFailure(task(A), "timeout", token(), NOW)).isEqualTo(1);
    assertThat(onShelf(open(), CRAWL)).containsExactly(A);
  }

  /** Field report P96: thousands of pages of one site at once. */
  @Test
  protected void shelf_fiveThousandPages_comeOutShallowestFirstAndNoneIsLost() {
    Frontier frontier = open();
    List<CrawlUrl> links = links(5_000);
    for (int depth = 5; depth >= 1; depth--) {
      shelved(frontier, new CrawlDepth(depth), links.subList((depth - 1) * 1_000, depth * 1_000));
    }

    List<Task> out = new ArrayList<>();
    for (List<Page> next = frontier.shelf(site, CRAWL, 700);
        !next.isEmpty();
        next = frontier.shelf(site, CRAWL, 700)) {
      out.addAll(frontier.unshelve(next));
    }

    assertThat(out).extracting(Task::url).containsExactlyInAnyOrderElementsOf(links);
    assertThat(out).isSortedAccordingTo(Comparator.comparing(Task::depth));
  }

  // unshelve

  @Test
  protected void unshelve_nothing_returnsNothing() {
    assertThat(open().unshelve(List.of())).isEmpty();
  }

  @Test
  protected void unshelve_pagesOnTheShelf_returnsTheirTasksAndQueuesThem() {
    Frontier frontier = open();
    shelved(frontier, TWO, List.of(A, B, url("/c")));

    assertThat(open().unshelve(List.of(page(frontier, B), page(frontier, A))))
        .containsExactlyInAnyOrder(
            new Task(site, CRAWL, A, TWO, 0), new Task(site, CRAWL, B, TWO, 0));
    assertThat(page(frontier, A)).isEqualTo(newPage(A, TWO, PageState.QUEUED, 0));
    assertThat(onShelf(frontier, CRAWL)).containsExactly(url("/c"));
  }

  @Test
  protected void unshelve_pageTakenMeanwhile_returnsOthers() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A, B));
    List<Page> both = List.of(page(frontier, A), page(frontier, B));
    frontier.unshelve(both.subList(0, 1));

    assertThat(open().unshelve(both)).containsExactly(task(B));
    assertThat(page(frontier, A)).isEqualTo(newPage(A, ONE, PageState.QUEUED, 0));
  }

  @Test
  protected void unshelve_pageSettledMeanwhile_returnsNothingAndChangesNothing() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A));
    Page page = page(frontier, A);
    frontier.settle(task(A), DONE, token(), NOW);
    Page settled = page(frontier, A);

    assertThat(frontier.unshelve(List.of(page))).isEmpty();
    assertThat(page(frontier, A)).isEqualTo(settled);
  }

  @Test
  protected void unshelve_pageOnTheShelfOfNewerCrawlMeanwhile_returnsNothing() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A));
    Page page = page(frontier, A);
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A), Set.of());

    assertThat(frontier.unshelve(List.of(page))).isEmpty();
    assertThat(onShelf(frontier, NEWER)).containsExactly(A);
  }

  @Test
  protected void unshelve_pageShelvedAgainMeanwhile_returnsTaskOfTheLaterGeneration() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A));
    Page page = page(frontier, A);
    frontier.shelve(frontier.unshelve(List.of(page)).getFirst());

    assertThat(frontier.unshelve(List.of(page))).containsExactly(new Task(site, CRAWL, A, ONE, 1));
  }

  @Test
  protected void unshelve_manyAtOnce_eachPageHasOneTask() {
    Frontier here = open();
    Frontier there = open();
    List<CrawlUrl> links = links(30);
    shelved(here, ONE, links);
    List<Page> pages = here.shelf(site, CRAWL, 30);

    List<Task> all =
        Race.of(6, i -> (i % 2 == 0 ? here : there).unshelve(pages)).stream()
            .flatMap(List::stream)
            .toList();

    assertThat(all).containsExactlyInAnyOrderElementsOf(tasks(links));
    assertThat(onShelf(here, CRAWL)).isEmpty();
  }

  // shelve

  @Test
  protected void shelve_queuedPage_putsItOnTheShelfAndMakesItsTasksStale() {
    Frontier frontier = open();
    frontier.claim(on(ROOT, ONE), List.of(A));
    frontier.claim(on(ROOT, TWO), List.of(B));
    Task task = new Task(site, CRAWL, B, TWO, 0);
    shelved(frontier, ONE, List.of(url("/c")));

    assertThat(open().shelve(task)).isTrue();

    assertThat(page(frontier, B)).isEqualTo(newPage(B, TWO, PageState.SHELVED, 1));
    assertThat(page(frontier, B).makesStale(task)).isTrue();
    assertThat(onShelf(frontier, CRAWL)).containsExactly(url("/c"), B);
  }

  @Test
  protected void shelve_pageThatFailedBefore_keepsAttemptsAndReason() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    frontier.countFailure(task, "timeout", token(), NOW);
    frontier.shelve(task);
    assertThat(page(frontier, A).attempts()).isEqualTo(1);
    assertThat(page(frontier, A).reason()).isEqualTo("timeout");
  }

  @Test
  protected void shelve_sameTaskAgain_isTrueAndChangesNothing() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    frontier.shelve(task);
    assertThat(open().shelve(task)).isTrue();
    assertThat(page(frontier, A)).isEqualTo(newPage(A, ONE, PageState.SHELVED, 1));
  }

  @Test
  protected void shelve_sameTaskAfterPageLeftTheShelf_isFalseAndChangesNothing() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    frontier.shelve(task);
    frontier.unshelve(frontier.shelf(site, CRAWL, 1));
    assertThat(frontier.shelve(task)).isFalse();
    assertThat(page(frontier, A)).isEqualTo(newPage(A, ONE, PageState.QUEUED, 1));
  }

  @Test
  protected void shelve_taskOfEarlierGeneration_isFalseAndChangesNothing() {
    Frontier frontier = open();
    Task first = claimed(frontier, A);
    claimed(frontier, A);
    assertThat(frontier.shelve(first)).isFalse();
    assertThat(page(frontier, A)).isEqualTo(newPage(A, ONE, PageState.QUEUED, 1));
    assertThat(onShelf(frontier, CRAWL)).isEmpty();
  }

  @Test
  protected void shelve_pageSettledOrOfNewerCrawl_isFalseAndChangesNothing() {
    Frontier frontier = open();
    Task settled = claimed(frontier, A);
    Task older = claimed(frontier, B);
    frontier.settle(settled, DONE, token(), NOW);
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(B));
    List<Page> before = List.of(page(frontier, A), page(frontier, B));

    assertThat(frontier.shelve(settled)).isFalse();
    assertThat(frontier.shelve(older)).isFalse();
    assertThat(List.of(page(frontier, A), page(frontier, B))).isEqualTo(before);
  }

  @Test
  protected void shelve_pageNeverClaimed_isFalseAndCreatesNothing() {
    Frontier frontier = open();
    assertThat(frontier.shelve(task(A))).isFalse();
    assertThat(pages(frontier, site)).isEmpty();
  }

  @Test
  protected void shelve_whileOthersUnshelve_leavesEachPageShelvedOrWithOneTask() {
    Frontier here = open();
    Frontier there = open();
    List<CrawlUrl> links = links(20);
    here.claim(on(ROOT, ONE), links);
    List<Page> pages = links.stream().map(link -> page(here, link)).toList();

    List<Task> all =
        Race.of(
                4,
                i -> {
                  if (i < 2) {
                    return here.unshelve(pages);
                  }
                  links.forEach(link -> there.shelve(task(link)));
                  return List.<Task>of();
                })
            .stream()
            .flatMap(List::stream)
            .toList();

    List<CrawlUrl> kept = new ArrayList<>(onShelf(here, CRAWL));
    all.stream().map(Task::url).forEach(kept::add);
    assertThat(kept).containsExactlyInAnyOrderElementsOf(links);
    assertThat(all).allMatch(task -> !page(here, task.url()).makesStale(task));
  }

  // find

  @Test
  protected void find_hashes_returnsPagesOfTheSiteThatExist() {
    Frontier frontier = open();
    SiteId neighbour = new SiteId(site + "-neighbour");
    shelved(frontier, ONE, List.of(A));
    frontier.settle(claimed(frontier, B), DONE, token(), NOW);
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(ROOT, url("/newer")));
    frontier.claim(Discovery.ofLinks(neighbour, CRAWL, ROOT, ONE), List.of(OTHER_PAGE));
    List<CrawlUrl> asked = List.of(A, B, url("/newer"), OTHER_PAGE, url("/unknown"), A);

    assertThat(open().find(site, asked.stream().map(CrawlUrl::hash).toList()))
        .containsExactlyInAnyOrder(
            page(frontier, A), page(frontier, B), page(frontier, url("/newer")));
  }

  @Test
  protected void find_nothing_returnsNothing() {
    assertThat(open().find(site, List.of())).isEmpty();
  }

  @Test
  protected void find_moreThanOneReadHolds_returnsAll() {
    Frontier frontier = open();
    List<CrawlUrl> links = links(130);
    frontier.claim(on(ROOT, ONE), links);
    assertThat(frontier.find(site, links.stream().map(CrawlUrl::hash).toList()))
        .extracting(Page::url)
        .containsExactlyInAnyOrderElementsOf(links);
  }

  // read

  @Test
  protected void read_nothing_returnsNothing() {
    assertThat(open().read(List.of())).isEmpty();
  }

  @Test
  protected void read_taskNeverClaimed_isMissing() {
    Frontier frontier = open();
    claimed(frontier, A);
    assertThat(frontier.read(List.of(task(A), task(B)))).containsOnlyKeys(task(A));
  }

  @Test
  protected void read_tasksOfSeveralSites_returnsEachPage() {
    Frontier frontier = open();
    SiteId neighbour = new SiteId(site + "-neighbour");
    claimed(frontier, A);
    Task theirs =
        frontier.claim(Discovery.ofLinks(neighbour, CRAWL, OTHER_PAGE, TWO), List.of(A)).getFirst();

    List<Task> both = List.of(task(A), theirs);
    assertThat(frontier.read(both)).containsOnlyKeys(task(A), theirs);
    assertThat(frontier.read(both).get(task(A))).extracting(Page::site).isEqualTo(site);
    assertThat(frontier.read(both).get(theirs)).extracting(Page::site).isEqualTo(neighbour);
  }

  @Test
  protected void read_severalTasksOfOnePage_returnsItForEach() {
    Frontier frontier = open();
    Task first = claimed(frontier, A);
    Task second = claimed(frontier, A);
    assertThat(frontier.read(List.of(first, second))).containsOnlyKeys(first, second);
  }

  // settle

  @Test
  protected void settle_queuedPage_keepsResultAndProgress() {
    Frontier frontier = open();
    Task task = frontier.claim(on(ROOT, TWO), List.of(A)).getFirst();

    assertThat(frontier.settle(task, DONE, token(), NOW)).isTrue();
    assertThat(page(open(), A))
        .isEqualTo(
            new Page(
                site,
                CRAWL,
                A,
                ROOT,
                TWO,
                PageKind.PAGE,
                0,
                PageState.DONE,
                0,
                0,
                "",
                READ,
                0,
                Optional.empty(),
                DONE.fetch(),
                Optional.of(NOW)));
  }

  @ParameterizedTest
  @EnumSource(names = {"DONE", "FAILED", "GONE", "SKIPPED"})
  protected void settle_anyFinalState_isKeptWithReasonAndMakesTaskStale(PageState state) {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    Settlement settlement = Settlement.of(state, "rule 7: /b*", Optional.empty());

    assertThat(frontier.settle(task, settlement, token(), NOW)).isTrue();
    Page page = page(frontier, A);
    assertThat(page.state()).isEqualTo(state);
    assertThat(page.reason()).isEqualTo("rule 7: /b*");
    assertThat(page.makesStale(task)).isTrue();
  }

  @Test
  protected void settle_againWithSameToken_isTrue() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    AttemptToken token = token();
    frontier.settle(task, DONE, token, NOW);
    assertThat(frontier.settle(task, DONE, token, NOW.plusSeconds(1))).isTrue();
    assertThat(page(frontier, A).settledAt()).contains(NOW);
  }

  @Test
  protected void settle_byAnotherAttempt_isFalseAndChangesNothing() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    frontier.settle(task, DONE, token(), NOW);
    Page before = page(frontier, A);

    assertThat(frontier.settle(task, Settlement.skipped("late"), token(), NOW.plusSeconds(1)))
        .isFalse();
    assertThat(page(frontier, A)).isEqualTo(before);
  }

  @Test
  protected void settle_pageOfNewerCrawl_isFalseAndChangesNothing() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    AttemptToken token = token();
    frontier.countFailure(task, "timeout", token, NOW);
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A));
    Page before = page(frontier, A);

    assertThat(frontier.settle(task, DONE, token, NOW)).isFalse();
    assertThat(page(frontier, A)).isEqualTo(before);
  }

  @Test
  protected void settle_pageNeverClaimed_isFalseAndCreatesNothing() {
    Frontier frontier = open();
    assertThat(frontier.settle(task(A), DONE, token(), NOW)).isFalse();
    assertThat(pages(frontier, site)).isEmpty();
  }

  @Test
  protected void settle_taskOfEarlierGeneration_settlesThePage() {
    Frontier frontier = open();
    Task first = claimed(frontier, A);
    Task second = claimed(frontier, A);
    assertThat(frontier.settle(first, DONE, token(), NOW)).isTrue();
    assertThat(page(frontier, A).makesStale(second)).isTrue();
  }

  @Test
  protected void settle_withoutFetch_keepsTheLastOne() {
    Frontier frontier = open();
    frontier.settle(claimed(frontier, A), DONE, token(), NOW);
    Task again = frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A)).getFirst();

    frontier.settle(again, Settlement.skipped("robots"), token(), NOW.plusSeconds(9));

    Page page = page(frontier, A);
    assertThat(page.lastFetch()).isEqualTo(DONE.fetch());
    assertThat(page.settledAt()).contains(NOW.plusSeconds(9));
    assertThat(page.remembered()).isEqualTo(READ.withoutValidators());
  }

  @Test
  protected void settle_afterFailures_replacesReasonAndKeepsAttempts() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    frontier.countFailure(task, "timeout", token(), NOW);
    frontier.settle(task, DONE, token(), NOW);
    assertThat(page(frontier, A).reason()).isEmpty();
    assertThat(page(frontier, A).attempts()).isEqualTo(1);
  }

  @Test
  protected void settle_manyAttemptsAtOnce_oneIsTrue() {
    Frontier here = open();
    Frontier there = open();
    Task task = claimed(here, A);
    List<Boolean> settled =
        Race.of(
            10,
            i ->
                (i % 2 == 0 ? here : there)
                    .settle(task, Settlement.skipped("by " + i), token(), NOW));
    assertThat(settled).containsOnlyOnce(true);
    assertThat(page(here, A).reason()).isEqualTo("by " + settled.indexOf(true));
  }

  // countFailure

  @Test
  protected void countFailure_eachAttempt_counts() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    assertThat(frontier.countFailure(task, "timeout", token(), NOW)).isEqualTo(1);
    assertThat(open().countFailure(task, "HTTP 502", token(), NOW)).isEqualTo(2);

    Page page = page(frontier, A);
    assertThat(page.attempts()).isEqualTo(2);
    assertThat(page.reason()).isEqualTo("HTTP 502");
    assertThat(page.state()).isEqualTo(PageState.QUEUED);
    assertThat(page.makesStale(task)).isFalse();
  }

  @Test
  protected void countFailure_againWithSameToken_countsOnce() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    AttemptToken token = token();
    frontier.countFailure(task, "timeout", token, NOW);
    assertThat(frontier.countFailure(task, "timeout", token, NOW)).isEqualTo(1);
    assertThat(page(frontier, A).attempts()).isEqualTo(1);
  }

  @Test
  protected void countFailure_settledPage_returnsNumberBefore() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    frontier.countFailure(task, "timeout", token(), NOW);
    frontier.settle(task, DONE, token(), NOW);
    Page before = page(frontier, A);

    assertThat(frontier.countFailure(task, "HTTP 502", token(), NOW)).isEqualTo(1);
    assertThat(page(frontier, A)).isEqualTo(before);
  }

  @Test
  protected void countFailure_pageOfAnotherCrawl_returnsZeroAndChangesNothing() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    Task newer = frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A)).getFirst();
    frontier.countFailure(newer, "HTTP 502", token(), NOW);
    Page before = page(frontier, A);

    assertThat(frontier.countFailure(task, "timeout", token(), NOW)).isZero();
    assertThat(page(frontier, A)).isEqualTo(before);
  }

  @Test
  protected void countFailure_pageNeverClaimed_returnsZeroAndCreatesNothing() {
    Frontier frontier = open();
    assertThat(frontier.countFailure(task(A), "timeout", token(), NOW)).isZero();
    assertThat(pages(frontier, site)).isEmpty();
  }

  @Test
  protected void countFailure_manyAttemptsAtOnce_countsEach() {
    Frontier here = open();
    Frontier there = open();
    Task task = claimed(here, A);
    assertThat(
            Race.of(
                8, i -> (i % 2 == 0 ? here : there).countFailure(task, "by " + i, token(), NOW)))
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
  }

  // renew

  @Test
  protected void renew_unfinishedPage_makesEarlierTasksStale() {
    Frontier frontier = open();
    Task task = frontier.claim(on(ROOT, TWO), List.of(A)).getFirst();
    frontier.countFailure(task, "timeout", token(), NOW);

    Optional<Task> renewed = open().renew(page(frontier, A));

    assertThat(renewed).contains(new Task(site, CRAWL, A, TWO, 1));
    Page page = page(frontier, A);
    assertThat(page.makesStale(task)).isTrue();
    assertThat(page.makesStale(renewed.orElseThrow())).isFalse();
    assertThat(page.state()).isEqualTo(PageState.QUEUED);
    assertThat(page.attempts()).isEqualTo(1);
  }

  @Test
  protected void renew_pageReadBeforeAnotherRenewal_raisesGenerationAgain() {
    Frontier frontier = open();
    claimed(frontier, A);
    Page page = page(frontier, A);
    frontier.renew(page);
    assertThat(frontier.renew(page)).contains(new Task(site, CRAWL, A, ONE, 2));
  }

  /**
   * P81: a worker dies between send and delete twenty times; the copies that are left are stale.
   */
  @Test
  protected void renew_manyTimes_leavesOneTaskThatIsNotStale() {
    Frontier frontier = open();
    List<Task> sent = new ArrayList<>(List.of(claimed(frontier, A)));
    for (int i = 0; i < 20; i++) {
      sent.add(frontier.renew(page(frontier, A)).orElseThrow());
    }

    Page page = page(frontier, A);
    assertThat(sent.stream().filter(task -> !page.makesStale(task)))
        .containsExactly(sent.getLast());
  }

  @Test
  protected void renew_pageSettledMeanwhile_returnsNothing() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    Page page = page(frontier, A);
    frontier.settle(task, DONE, token(), NOW);
    assertThat(frontier.renew(page)).isEmpty();
    assertThat(page(frontier, A).state()).isEqualTo(PageState.DONE);
  }

  @Test
  protected void renew_pageClaimedByNewerCrawlMeanwhile_returnsNothing() {
    Frontier frontier = open();
    claimed(frontier, A);
    Page page = page(frontier, A);
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A));
    assertThat(frontier.renew(page)).isEmpty();
    assertThat(page(frontier, A).generation()).isEqualTo(1);
  }

  // forEachPage

  @Test
  protected void forEachPage_site_handsEachOfItsPagesOnce() {
    Frontier frontier = open();
    SiteId neighbour = new SiteId(site + "0");
    frontier.claim(Discovery.ofLinks(neighbour, CRAWL, ROOT, ONE), List.of(A, B));
    List<CrawlUrl> links = links(150);
    frontier.claim(on(ROOT, ONE), links);
    frontier.settle(task(links.getFirst()), DONE, token(), NOW);
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), links.subList(1, 3));

    List<Page> pages = pages(open(), site);

    assertThat(pages).extracting(Page::url).containsExactlyInAnyOrderElementsOf(links);
    Set<Page> expected = new HashSet<>(frontier.read(tasks(links)).values());
    assertThat(new HashSet<>(pages)).isEqualTo(expected);
  }

  @Test
  protected void forEachPage_siteWithoutPages_handsNothing() {
    assertThat(pages(open(), site)).isEmpty();
  }

  private List<Task> tasks(Collection<CrawlUrl> urls) {
    return urls.stream().map(this::task).toList();
  }

  // how a page was found

  @Test
  protected void claim_sitemapEntry_keepsKindHopsAndWhenItChanged() {
    Frontier frontier = open();
    Discovery found =
        new Discovery(
            site,
            CRAWL,
            ROOT,
            ONE,
            PageKind.SITEMAP,
            2,
            Discovery.Again.ALL,
            Map.of(A, NOW.minusSeconds(60), B, NOW));
    frontier.claim(found, List.of(A, OTHER_PAGE));
    assertThat(page(open(), A))
        .returns(PageKind.SITEMAP, Page::kind)
        .returns(2, Page::hops)
        .returns(Optional.of(Instant.parse("2026-11-30T11:59:05.678Z")), Page::modified);
    assertThat(page(open(), OTHER_PAGE)).returns(Optional.empty(), Page::modified);
  }

  @Test
  protected void claim_newerCrawlFindsItOtherwise_forgetsHowItWasFoundBefore() {
    Frontier frontier = open();
    frontier.claim(
        new Discovery(
            site, OLDER, ROOT, ONE, PageKind.SITEMAP, 2, Discovery.Again.ALL, Map.of(A, NOW)),
        List.of(A));
    frontier.claim(on(ROOT, ONE), List.of(A));
    assertThat(page(frontier, A)).isEqualTo(newPage(A, ONE, PageState.QUEUED, 1));
  }

  // refuse

  @Test
  protected void refuse_unknownUrls_areSkippedWithTheirRule() {
    Frontier frontier = open();
    frontier.refuse(on(ROOT, TWO), Map.of(A, "exclude: /a", B, "calendar: 2031"), NOW);
    assertThat(page(open(), A))
        .returns(PageState.SKIPPED, Page::state)
        .returns("exclude: /a", Page::reason)
        .returns(ROOT, Page::parent)
        .returns(TWO, Page::depth)
        .returns(Optional.of(NOW), Page::settledAt);
    assertThat(page(open(), B)).returns("calendar: 2031", Page::reason);
    assertThat(open().claim(on(OTHER_PAGE, ONE), List.of(A, B))).isEmpty();
  }

  @Test
  protected void refuse_urlsOfTheCrawl_stayAsTheyAre() {
    Frontier frontier = open();
    Task queued = claimed(frontier, A);
    Task settled = claimed(frontier, B);
    frontier.settle(settled, DONE, token(), NOW);
    Page done = page(frontier, B);
    for (CrawlUrl parent : List.of(ROOT, OTHER_PAGE)) {
      frontier.refuse(on(parent, TWO), Map.of(A, "exclude: /a", B, "exclude: /b"), NOW);
      assertThat(page(frontier, queued)).isEqualTo(newPage(A, ONE, PageState.QUEUED, 0));
      assertThat(page(frontier, settled)).isEqualTo(done);
    }
  }

  @Test
  protected void refuse_urlOfAnOlderCrawl_isSkippedAndKeepsWhatIsKnownOfIt() {
    Frontier frontier = open();
    Task old = frontier.claim(Discovery.ofLinks(site, OLDER, ROOT, ONE), List.of(A)).getFirst();
    frontier.settle(old, DONE, token(), NOW.minusSeconds(9));
    frontier.refuse(on(ROOT, ONE), Map.of(A, "include: none"), NOW);
    assertThat(page(frontier, A))
        .returns(CRAWL, Page::crawl)
        .returns(PageState.SKIPPED, Page::state)
        .returns(READ, Page::remembered)
        .returns(DONE.fetch(), Page::lastFetch);
  }

  @Test
  protected void refuse_pageItself_changesNothing() {
    Frontier frontier = open();
    frontier.refuse(on(A, ONE), Map.of(A, "exclude: /a"), NOW);
    assertThat(pages(frontier, site)).isEmpty();
  }

  // note

  @Test
  protected void note_unfinishedPage_keepsTheReasonAndNothingElse() {
    Frontier frontier = open();
    Task queued = claimed(frontier, A);
    assertThat(frontier.note(queued, "robots: unreachable")).isTrue();
    shelved(frontier, ONE, List.of(B));
    assertThat(frontier.note(task(B), "robots: unreachable")).isTrue();
    assertThat(page(open(), A))
        .returns("robots: unreachable", Page::reason)
        .returns(PageState.QUEUED, Page::state)
        .returns(0, Page::attempts)
        .returns(0, Page::generation);
    assertThat(page(open(), B)).returns(PageState.SHELVED, Page::state);
  }

  @Test
  protected void note_settledUnknownOrNewerPage_isFalseAndChangesNothing() {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    frontier.settle(task, DONE, token(), NOW);
    Page before = page(frontier, A);
    assertThat(frontier.note(task, "late")).isFalse();
    assertThat(page(frontier, A)).isEqualTo(before);
    assertThat(frontier.note(task(B), "never claimed")).isFalse();
    frontier.claim(Discovery.ofLinks(site, NEWER, ROOT, ONE), List.of(A));
    assertThat(frontier.note(task, "another crawl")).isFalse();
    assertThat(page(frontier, A).reason()).isEmpty();
  }
}
