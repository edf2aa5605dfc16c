package dev.fairfleet.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.record.RecordId;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link Frontier} promises of pages that an earlier crawl knows. */
public abstract class RecrawlContract extends FrontierContract {
  /** Says that links were found on a page in the newer crawl, which asks for known pages anyway. */
  protected Discovery again(CrawlUrl parent, CrawlDepth depth) {
    return Discovery.ofLinks(site, NEWER, parent, depth, Discovery.Again.NONE);
  }

  /** Returns the task that a walk of the newer crawl sends of a page. */
  protected Task walked(CrawlUrl url) {
    return new Task(site, NEWER, url, ONE, 0);
  }

  /** Has the earlier crawl read pages. */
  protected void known(Frontier frontier, CrawlUrl... urls) {
    for (CrawlUrl url : urls) {
      assertThat(frontier.settle(claimed(frontier, url), DONE, token(), NOW)).isTrue();
    }
  }

  private static Page stored(Frontier frontier, CrawlUrl url, SiteId site) {
    return frontier.find(site, List.of(url.hash())).getFirst();
  }

  // claim

  @Test
  protected void unclaimed_knownPages_areNewOnlyIfWantedAgain() {
    Frontier frontier = open();
    known(frontier, A, B);
    for (Frontier any : List.of(frontier, frontier, open())) {
      assertThat(any.unclaimed(again(ROOT, ONE), List.of(A, B, url("/new"))))
          .containsExactly(url("/new"));
      assertThat(any.unclaimed(again(ROOT, TWO), List.of(A))).isEmpty();
      assertThat(any.unclaimed(again(ROOT, TWO).withAgain(B::equals), List.of(A, B)))
          .containsExactly(B);
      assertThat(any.unclaimed(again(ROOT, CrawlDepth.ROOT), List.of(A)))
          .as("on a shorter way")
          .isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GONE", "FAILED", "SKIPPED"})
  protected void claim_pageThatAnEarlierCrawlDidNotRead_isNew(PageState state) {
    Frontier frontier = open();
    Settlement end = Settlement.of(state, "so", Optional.empty());
    frontier.settle(claimed(frontier, A), end, token(), NOW);
    assertThat(open().claim(again(ROOT, ONE), List.of(A), Set.of(A)))
        .containsExactly(new Task(site, NEWER, A, ONE, 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  protected void claim_unfinishedPageOfAnEarlierCrawl_isNew(boolean queued) {
    Frontier frontier = open();
    frontier.claim(on(ROOT, ONE), List.of(A), queued ? Set.of(A) : Set.of());
    assertThat(open().claim(again(ROOT, ONE), List.of(A), Set.of(A)))
        .containsExactly(new Task(site, NEWER, A, ONE, 1));
  }

  /** The answer of unclaimed may be stale, so claim is asked without it. */
  @Test
  protected void claim_knownPage_changesNothing() {
    Frontier frontier = open();
    known(frontier, A);
    Page before = stored(frontier, A, site);
    for (Frontier any : List.of(frontier, frontier, open())) {
      assertThat(any.claim(again(ROOT, ONE), List.of(A), Set.of(A))).isEmpty();
      assertThat(any.claim(again(ROOT, TWO), List.of(A), Set.of())).isEmpty();
    }
    assertThat(stored(frontier, A, site)).isEqualTo(before);
  }

  @Test
  protected void claim_knownPageWantedAgainAfterItWasSeenKnown_isClaimed() {
    Frontier frontier = open();
    known(frontier, A, B);
    frontier.unclaimed(again(ROOT, TWO), List.of(A, B));
    assertThat(frontier.claim(again(ROOT, TWO).withAgain(A::equals), List.of(A, B)))
        .containsExactly(new Task(site, NEWER, A, TWO, 1));
  }

  @Test
  protected void claim_knownPage_makesTasksOfTheWalkStale() {
    Frontier frontier = open();
    known(frontier, A);
    Task claimed =
        frontier.claim(again(ROOT, TWO).withAgain(Discovery.Again.ALL), List.of(A)).getFirst();
    Page page = page(frontier, walked(A));
    assertThat(page.makesStale(walked(A))).isTrue();
    assertThat(page.makesStale(claimed)).isFalse();
    assertThat(page.remembered()).isEqualTo(READ);
  }

  @Test
  protected void refuse_knownPage_isSkippedAndKeepsWhatItShowed() {
    Frontier frontier = open();
    known(frontier, A);
    frontier.unclaimed(again(ROOT, TWO), List.of(A));
    frontier.refuse(again(ROOT, TWO), Map.of(A, "exclude: /a"), NOW);
    assertThat(stored(frontier, A, site))
        .returns(NEWER, Page::crawl)
        .returns(PageState.SKIPPED, Page::state)
        .returns(READ, Page::remembered);
  }

  // read

  @Test
  protected void read_pageOfAnEarlierCrawl_isRecalled() {
    Frontier frontier = open();
    frontier.countFailure(claimed(frontier, A), "timeout", token(), NOW);
    frontier.settle(task(A), DONE, token(), NOW);
    Page stored = stored(frontier, A, site);
    assertThat(page(open(), walked(A)))
        .isEqualTo(stored.recalled(NEWER))
        .returns(PageState.QUEUED, Page::state)
        .returns(0, Page::attempts);
    assertThat(page(open(), task(A))).isEqualTo(stored);
    Task older = new Task(site, OLDER, A, ONE, 0);
    assertThat(page(open(), older)).isEqualTo(stored);
  }

  // adoption

  @ParameterizedTest
  @EnumSource(names = {"DONE", "FAILED", "GONE", "SKIPPED"})
  protected void settle_pageOfAnEarlierCrawl_adoptsIt(PageState state) {
    Frontier frontier = open();
    frontier.countFailure(claimed(frontier, A), "timeout", token(), NOW.minusSeconds(9));
    frontier.settle(task(A), DONE, token(), NOW.minusSeconds(9));
    Settlement end = new Settlement(state, "why", Optional.of(READ), Optional.empty());

    assertThat(open().settle(walked(A), end, token(), NOW)).isTrue();

    assertThat(stored(frontier, A, site))
        .returns(NEWER, Page::crawl)
        .returns(state, Page::state)
        .returns("why", Page::reason)
        .returns(ONE, Page::depth)
        .returns(ROOT, Page::parent)
        .returns(0, Page::attempts)
        .returns(READ, Page::remembered)
        .returns(DONE.fetch(), Page::lastFetch)
        .returns(Optional.of(NOW), Page::settledAt);
    assertThat(page(frontier, walked(A)).makesStale(walked(A))).isTrue();
    assertThat(open().unclaimed(again(OTHER_PAGE, CrawlDepth.ROOT), List.of(A))).isEmpty();
  }

  @Test
  protected void settle_shelvedPageOfAnEarlierCrawl_leavesThatShelf() {
    Frontier frontier = open();
    shelved(frontier, ONE, List.of(A));
    assertThat(frontier.settle(walked(A), DONE, token(), NOW)).isTrue();
    assertThat(onShelf(open(), CRAWL)).isEmpty();
  }

  @Test
  protected void settle_sameAdoptionAgain_isTrueOnlyWithItsToken() {
    Frontier frontier = open();
    known(frontier, A);
    AttemptToken token = token();
    Settlement gone = Settlement.of(PageState.GONE, "404", Optional.empty());
    frontier.settle(walked(A), gone, token, NOW);
    assertThat(frontier.settle(walked(A), gone, token, NOW)).isTrue();
    assertThat(frontier.settle(walked(A), DONE, token(), NOW)).isFalse();
    assertThat(frontier.settle(task(A), DONE, token, NOW)).isFalse();
    assertThat(stored(frontier, A, site).gone()).isEqualTo(1);
  }

  @Test
  protected void settle_unadoptedPageByManyAtOnce_oneIsTrue() {
    Frontier here = open();
    Frontier there = open();
    known(here, A);
    List<Boolean> settled =
        Race.of(
            10,
            i ->
                (i % 2 == 0 ? here : there)
                    .settle(walked(A), Settlement.skipped("by " + i), token(), NOW));
    assertThat(settled).containsOnlyOnce(true);
    assertThat(stored(here, A, site).reason()).isEqualTo("by " + settled.indexOf(true));
  }

  @Test
  protected void settle_goneInSeveralCrawls_countsThemUntilThePageIsRead() {
    Frontier frontier = open();
    Settlement gone = Settlement.of(PageState.GONE, "404", Optional.empty());
    Settlement failed = Settlement.of(PageState.FAILED, "502", Optional.empty());
    List<Settlement> ends = List.of(gone, gone, failed, gone, DONE, gone);
    List<Integer> counts = new ArrayList<>();
    claimed(frontier, A);
    for (int day = 10; day < 16; day++) {
      Task task = new Task(site, new CrawlId("202612" + day + "T120000.000Z"), A, ONE, 0);
      frontier.settle(task, ends.get(day - 10), token(), NOW);
      counts.add(page(frontier, task).gone());
    }
    assertThat(counts).containsExactly(1, 2, 2, 3, 0, 1);
  }

  @Test
  protected void settle_withoutAnythingToRemember_forgetsOnlyValidatorsLinksAndRules() {
    Frontier frontier = open();
    known(frontier, A);
    frontier.settle(
        walked(A), Settlement.of(PageState.FAILED, "502", Optional.empty()), token(), NOW);
    assertThat(stored(frontier, A, site).remembered()).isEqualTo(READ.withoutValidators());
  }

  @Test
  protected void settle_withNothingRemembered_forgetsAll() {
    Frontier frontier = open();
    known(frontier, A);
    frontier.settle(
        walked(A),
        new Settlement(PageState.DONE, "", Optional.of(Remembered.NOTHING), Optional.empty()),
        token(),
        NOW);
    assertThat(stored(frontier, A, site).remembered()).isEqualTo(Remembered.NOTHING);
  }

  @Test
  protected void countFailure_pageOfAnEarlierCrawl_beginsAnew() {
    Frontier frontier = open();
    claimed(frontier, A);
    Task second = claimed(frontier, A);
    frontier.countFailure(second, "timeout", token(), NOW);
    frontier.countFailure(second, "timeout", token(), NOW);
    frontier.settle(second, DONE, token(), NOW);
    AttemptToken token = token();

    assertThat(open().countFailure(walked(A), "502", token, NOW)).isEqualTo(1);
    assertThat(open().countFailure(walked(A), "502", token, NOW)).isEqualTo(1);
    assertThat(page(frontier, walked(A)))
        .returns(1, Page::attempts)
        .returns("502", Page::reason)
        .returns(PageState.QUEUED, Page::state)
        .satisfies(page -> assertThat(page.makesStale(walked(A))).isFalse());
    assertThat(open().countFailure(walked(A), "503", token(), NOW)).isEqualTo(2);
    assertThat(frontier.settle(walked(A), DONE, token(), NOW)).isTrue();
    assertThat(stored(frontier, A, site).attempts()).isEqualTo(2);
  }

  @Test
  protected void countFailure_unadoptedPageByManyAtOnce_countsEach() {
    Frontier here = open();
    Frontier there = open();
    known(here, A);
    assertThat(
            Race.of(6, i -> (i % 2 == 0 ? here : there).countFailure(walked(A), "x", token(), NOW)))
        .containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
  }

  @Test
  protected void note_pageOfAnEarlierCrawl_adoptsItUnfinished() {
    Frontier frontier = open();
    known(frontier, A);
    assertThat(frontier.note(walked(A), "robots: unreachable")).isTrue();
    Page page = stored(open(), A, site);
    assertThat(page)
        .returns(NEWER, Page::crawl)
        .returns(PageState.QUEUED, Page::state)
        .returns("robots: unreachable", Page::reason)
        .returns(0, Page::attempts)
        .returns(READ, Page::remembered);
    assertThat(page.makesStale(walked(A))).isFalse();
    assertThat(frontier.note(task(A), "late")).isFalse();
  }

  @Test
  protected void shelve_pageOfAnEarlierCrawl_goesToTheShelfOfTheNewer() {
    Frontier frontier = open();
    known(frontier, A);
    assertThat(frontier.shelve(walked(A))).isTrue();
    assertThat(open().shelve(walked(A))).isTrue();
    assertThat(onShelf(frontier, NEWER)).containsExactly(A);
    assertThat(stored(frontier, A, site).makesStale(walked(A))).isTrue();
    assertThat(frontier.unshelve(frontier.shelf(site, NEWER, 1)))
        .containsExactly(new Task(site, NEWER, A, ONE, 1));
  }

  @Test
  protected void renew_recalledPage_adoptsItAndMakesTasksOfTheWalkStale() {
    Frontier frontier = open();
    known(frontier, A);
    Task renewed = frontier.renew(page(frontier, walked(A))).orElseThrow();
    assertThat(renewed).isEqualTo(new Task(site, NEWER, A, ONE, 1));
    assertThat(stored(open(), A, site))
        .returns(NEWER, Page::crawl)
        .returns("", Page::reason)
        .satisfies(page -> assertThat(page.makesStale(walked(A))).isTrue())
        .satisfies(page -> assertThat(page.makesStale(renewed)).isFalse());
  }

  @Test
  protected void everything_pageThatNoCrawlKnows_createsNothing() {
    Frontier frontier = open();
    assertThat(frontier.settle(walked(A), DONE, token(), NOW)).isFalse();
    assertThat(frontier.countFailure(walked(A), "x", token(), NOW)).isZero();
    assertThat(frontier.note(walked(A), "x")).isFalse();
    assertThat(frontier.shelve(walked(A))).isFalse();
    assertThat(pages(frontier, site)).isEmpty();
  }

  // walk

  private List<Page> walk(Frontier frontier, int most) {
    List<Page> pages = new ArrayList<>();
    String from = "";
    int steps = 0;
    do {
      Walk step = frontier.walk(site, NEWER, from, most);
      assertThat(step.pages()).hasSizeLessThanOrEqualTo(most);
      pages.addAll(step.pages());
      from = step.next();
      steps++;
      assertThat(steps).isLessThan(500);
    } while (!from.isEmpty());
    return pages;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1_000})
  protected void walk_pagesOfEarlierCrawls_returnsEachOnceInOneOrder(int most) {
    Frontier frontier = open();
    List<CrawlUrl> links = links(40);
    frontier.claim(on(ROOT, TWO), links);
    known(frontier, A);
    frontier.claim(again(ROOT, ONE), List.of(B, links.getFirst()));
    frontier.settle(walked(links.get(1)), DONE, token(), NOW);

    List<Page> pages = walk(open(), most);

    Set<CrawlUrl> expected = new HashSet<>(links.subList(2, 40));
    expected.add(A);
    assertThat(pages).extracting(Page::url).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(pages).allMatch(page -> page.equals(page(frontier, page.task())));
    assertThat(walk(frontier, 3)).isEqualTo(pages);
  }

  @Test
  protected void walk_noPages_endsAtOnce() {
    Walk walk = open().walk(site, NEWER, "", 10);
    assertThat(walk).isEqualTo(new Walk(List.of(), ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"?", "16/", "99/AAAAAAAAAAAAAAAAAAAAAA", "1/short", "-1/"})
  protected void walk_fromAnUnreadablePosition_beginsAnew(String from) {
    Frontier frontier = open();
    known(frontier, A, B);
    assertThat(frontier.walk(site, NEWER, from, 10))
        .isEqualTo(frontier.walk(site, NEWER, "", 10))
        .satisfies(walk -> assertThat(walk.pages()).hasSize(2));
  }

  @Test
  protected void walk_sameCrawlOrOlder_returnsNothing() {
    Frontier frontier = open();
    known(frontier, A);
    assertThat(frontier.walk(site, CRAWL, "", 10).pages()).isEmpty();
    assertThat(frontier.walk(site, OLDER, "", 10).pages()).isEmpty();
  }

  // forget

  @Test
  protected void forget_someOfWhatWasLost_keepsTheRest() {
    Frontier frontier = open();
    known(frontier, A);
    Page page = stored(frontier, A, site);
    frontier.forget(page, Set.of(LOST));
    frontier.forget(page, Set.of(LOST));
    Remembered left =
        new Remembered(
            READ.validators(),
            READ.contentHash(),
            READ.outlinks(),
            READ.rules(),
            READ.record(),
            Set.of(OLD_LOSS));
    assertThat(stored(open(), A, site).remembered()).isEqualTo(left);
  }

  @Test
  protected void forget_whatThePageShows_isFetchedWholeTheNextTime() {
    Frontier frontier = open();
    known(frontier, A);
    frontier.forget(stored(frontier, A, site), Set.of(READ.record().orElseThrow(), LOST, OLD_LOSS));
    assertThat(stored(open(), A, site).remembered())
        .returns(Set.of(), Remembered::lost)
        .returns(Validators.NONE, Remembered::validators)
        .returns(Optional.empty(), Remembered::record);
  }

  @Test
  protected void forget_nothingOfThePage_changesNothing() {
    Frontier frontier = open();
    known(frontier, A);
    frontier.forget(stored(frontier, A, site), Set.of(RecordId.of(site, "another")));
    assertThat(stored(open(), A, site).remembered()).isEqualTo(READ);
  }

  @Test
  protected void forget_pageSettledOrClaimedSince_changesNothing() {
    Frontier frontier = open();
    known(frontier, A, B);
    Page a = stored(frontier, A, site);
    Page b = stored(frontier, B, site);
    frontier.settle(walked(A), DONE, token(), NOW.plusSeconds(1));
    frontier.claim(again(ROOT, ONE).withAgain(Discovery.Again.ALL), List.of(B));
    frontier.forget(a, Set.of(LOST));
    frontier.forget(b, Set.of(LOST));
    assertThat(stored(frontier, A, site).remembered()).isEqualTo(READ);
    assertThat(stored(frontier, B, site).remembered()).isEqualTo(READ);
  }

  // removeAll

  @Test
  protected void removeAll_site_removesItsPagesOnly() {
    Frontier frontier = open();
    SiteId neighbour = new SiteId(site + "0");
    frontier.claim(Discovery.ofLinks(neighbour, CRAWL, ROOT, ONE), List.of(A));
    frontier.claim(on(ROOT, ONE), links(150), Set.of());
    known(frontier, A);

    frontier.removeAll(site);
    frontier.removeAll(site);

    assertThat(pages(open(), site)).isEmpty();
    assertThat(onShelf(open(), CRAWL)).isEmpty();
    assertThat(pages(open(), neighbour)).hasSize(1);
    assertThat(frontier.claim(again(ROOT, ONE), List.of(A))).containsExactly(walked(A));
  }
}
