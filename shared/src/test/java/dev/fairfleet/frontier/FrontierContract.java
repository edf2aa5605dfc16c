package dev.fairfleet.frontier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every {@link Frontier} promises. Tests share the storage; each has a site of its own. */
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
  protected static final Settlement DONE =
      new Settlement(
          PageState.DONE,
          "",
          new Validators("\"v1\"", "Mon, 30 Nov 2026 11:00:00 GMT"),
          "0123456789abcdef",
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

  private Task task(CrawlUrl url) {
    return new Task(site, CRAWL, url, ONE, 0);
  }

  protected Page page(Frontier frontier, CrawlUrl url) {
    return page(frontier, task(url));
  }

  private static Page page(Frontier frontier, Task task) {
    return Objects.requireNonNull(frontier.read(List.of(task)).get(task), () -> "page of " + task);
  }

  private List<Page> pages(Frontier frontier, SiteId of) {
    List<Page> pages = new ArrayList<>();
    frontier.forEachPage(of, pages::add);
    return pages;
  }

  private Task claimed(Frontier frontier, CrawlUrl url) {
    return frontier.claim(site, CRAWL, ROOT, ONE, List.of(url)).getFirst();
  }

  // claim

  @Test
  protected void claim_unknownLinks_returnsTaskForEachInOrder() {
    assertThat(open().claim(site, CRAWL, ROOT, ONE, List.of(B, A, OTHER_PAGE)))
        .containsExactly(task(B), task(A), task(OTHER_PAGE));
  }

  @Test
  protected void claim_knownAndUnknownLinks_returnsUnknownInOrder() {
    Frontier frontier = open();
    frontier.claim(site, CRAWL, OTHER_PAGE, ONE, List.of(A));
    assertThat(open().claim(site, CRAWL, ROOT, ONE, List.of(B, A, url("/c"))))
        .containsExactly(task(B), task(url("/c")));
  }

  @Test
  protected void claim_noLinks_returnsNothing() {
    assertThat(open().claim(site, CRAWL, ROOT, ONE, List.of())).isEmpty();
  }

  @Test
  protected void claim_linkTwice_returnsOneTask() {
    assertThat(open().claim(site, CRAWL, ROOT, ONE, List.of(A, B, A)))
        .containsExactly(task(A), task(B));
  }

  @Test
  protected void claim_newLink_keepsWhereItWasFound() {
    Frontier frontier = open();
    frontier.claim(site, CRAWL, ROOT, TWO, List.of(A));
    assertThat(page(open(), A))
        .isEqualTo(
            new Page(
                site,
                CRAWL,
                A,
                ROOT,
                TWO,
                PageState.QUEUED,
                0,
                0,
                "",
                Validators.NONE,
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  protected void claim_linkOfAnotherPage_returnsNothingAndChangesNothing() {
    Frontier frontier = open();
    frontier.claim(site, CRAWL, ROOT, ONE, List.of(A));
    Page before = page(frontier, A);

    assertThat(frontier.claim(site, CRAWL, OTHER_PAGE, TWO, List.of(A))).isEmpty();
    assertThat(open().claim(site, CRAWL, OTHER_PAGE, TWO, List.of(A))).isEmpty();
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
    assertThat(frontier.claim(site, CRAWL, OTHER_PAGE, TWO, List.of(A))).isEmpty();

    assertThat(frontier.claim(site, CRAWL, ROOT, ONE, List.of(A)))
        .containsExactly(new Task(site, CRAWL, A, ONE, 1));
  }

  @Test
  protected void claim_sameParentAfterLinkWasSettled_returnsNothing() {
    Frontier frontier = open();
    frontier.settle(claimed(frontier, A), DONE, token(), NOW);

    assertThat(frontier.claim(site, CRAWL, ROOT, ONE, List.of(A))).isEmpty();
    assertThat(open().claim(site, CRAWL, ROOT, ONE, List.of(A))).isEmpty();
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
    assertThat(frontier.claim(site, CRAWL, ROOT, CrawlDepth.ROOT, List.of(ROOT)))
        .containsExactly(new Task(site, CRAWL, ROOT, CrawlDepth.ROOT, 0));
    assertThat(page(frontier, ROOT).parent()).isEqualTo(ROOT);
  }

  @Test
  protected void claim_rootAgain_returnsNextGeneration() {
    open().claim(site, CRAWL, ROOT, CrawlDepth.ROOT, List.of(ROOT));
    assertThat(open().claim(site, CRAWL, ROOT, CrawlDepth.ROOT, List.of(ROOT)))
        .containsExactly(new Task(site, CRAWL, ROOT, CrawlDepth.ROOT, 1));
  }

  @Test
  protected void claim_pageThatLinksToItself_returnsOnlyOthers() {
    Frontier frontier = open();
    frontier.claim(site, CRAWL, ROOT, CrawlDepth.ROOT, List.of(ROOT));

    assertThat(frontier.claim(site, CRAWL, ROOT, ONE, List.of(ROOT, A))).containsExactly(task(A));
    assertThat(page(frontier, ROOT).generation()).isZero();
  }

  @Test
  protected void claim_newerCrawl_takesUnfinishedPageAfresh() {
    Frontier frontier = open();
    claimed(frontier, A);
    claimed(frontier, A);
    frontier.countFailure(task(A), "timeout", token(), NOW);

    assertThat(frontier.claim(site, NEWER, OTHER_PAGE, TWO, List.of(A)))
        .containsExactly(new Task(site, NEWER, A, TWO, 0));
    assertThat(page(frontier, A))
        .isEqualTo(
            new Page(
                site,
                NEWER,
                A,
                OTHER_PAGE,
                TWO,
                PageState.QUEUED,
                0,
                0,
                "",
                Validators.NONE,
                Optional.empty(),
                Optional.empty()));
  }

  @Test
  protected void claim_newerCrawl_keepsWhatIsKnownOfSettledPage() {
    Frontier frontier = open();
    frontier.settle(claimed(frontier, A), DONE, token(), NOW);

    assertThat(open().claim(site, NEWER, ROOT, ONE, List.of(A)))
        .containsExactly(new Task(site, NEWER, A, ONE, 0));
    Page page = page(frontier, A);
    assertThat(page.state()).isEqualTo(PageState.QUEUED);
    assertThat(page.validators()).isEqualTo(DONE.validators());
    assertThat(page.lastFetch()).isEqualTo(DONE.fetch());
    assertThat(page.settledAt()).contains(NOW);
  }

  @Test
  protected void claim_olderCrawl_returnsNothingAndChangesNothing() {
    Frontier frontier = open();
    claimed(frontier, A);
    Page before = page(frontier, A);

    assertThat(frontier.claim(site, OLDER, ROOT, ONE, List.of(A))).isEmpty();
    assertThat(open().claim(site, OLDER, OTHER_PAGE, ONE, List.of(A))).isEmpty();
    assertThat(page(frontier, A)).isEqualTo(before);
  }

  @Test
  protected void claim_urlOfAnotherSite_isNew() {
    Frontier frontier = open();
    SiteId neighbour = new SiteId(site + "-neighbour");
    frontier.claim(neighbour, CRAWL, OTHER_PAGE, ONE, List.of(A));

    assertThat(frontier.claim(site, CRAWL, ROOT, ONE, List.of(A))).containsExactly(task(A));
    assertThat(frontier.claim(neighbour, CRAWL, ROOT, ONE, List.of(A))).isEmpty();
  }

  /** Field report P94: a key made of the URL refuses long ones. */
  @Test
  protected void claim_urlsOfGreatestLength_areKept() {
    Frontier frontier = open();
    String prefix = "http://a.test/";
    CrawlUrl longest = CrawlUrl.of(prefix + "x".repeat(CrawlUrl.MAX_LENGTH - prefix.length()));
    CrawlUrl alike = CrawlUrl.of(longest.toString().substring(0, CrawlUrl.MAX_LENGTH - 1) + "y");

    assertThat(frontier.claim(site, CRAWL, longest, ONE, List.of(alike))).hasSize(1);
    assertThat(frontier.claim(site, CRAWL, alike, ONE, List.of(longest))).hasSize(1);
    assertThat(page(frontier, alike).url()).isEqualTo(alike);
    assertThat(page(frontier, alike).parent()).isEqualTo(longest);
  }

  @Test
  protected void claim_thousandLinks_returnsAllInOrder() {
    Frontier frontier = open();
    List<CrawlUrl> links = links(1_000);

    List<Task> tasks = frontier.claim(site, CRAWL, ROOT, ONE, links);

    assertThat(tasks).extracting(Task::url).isEqualTo(links);
    assertThat(frontier.read(tasks)).hasSize(1_000);
    assertThat(open().claim(site, CRAWL, OTHER_PAGE, ONE, links)).isEmpty();
  }

  @Test
  protected void claim_manyParentsAtOnce_eachLinkHasOneWinner() {
    Frontier here = open();
    Frontier there = open();
    List<CrawlUrl> links = links(40);

    List<List<Task>> won =
        Race.of(
            8, i -> (i % 2 == 0 ? here : there).claim(site, CRAWL, url("/parent" + i), ONE, links));

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
        Race.of(6, i -> (i % 2 == 0 ? here : there).claim(site, CRAWL, ROOT, ONE, links)).stream()
            .flatMap(List::stream)
            .toList();

    assertThat(new HashSet<>(all)).hasSameSizeAs(all);
    assertThat(all.stream().filter(task -> !page(here, task.url()).makesStale(task)))
        .extracting(Task::url)
        .containsExactlyInAnyOrderElementsOf(links);
  }

  private static List<CrawlUrl> links(int count) {
    return IntStream.range(0, count).mapToObj(i -> url("/page/" + i)).toList();
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
    Task theirs = frontier.claim(neighbour, CRAWL, OTHER_PAGE, TWO, List.of(A)).getFirst();

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
    Task task = frontier.claim(site, CRAWL, ROOT, TWO, List.of(A)).getFirst();

    assertThat(frontier.settle(task, DONE, token(), NOW)).isTrue();
    assertThat(page(open(), A))
        .isEqualTo(
            new Page(
                site,
                CRAWL,
                A,
                ROOT,
                TWO,
                PageState.DONE,
                0,
                0,
                "",
                DONE.validators(),
                DONE.fetch(),
                Optional.of(NOW)));
  }

  @ParameterizedTest
  @EnumSource(names = {"DONE", "FAILED", "GONE", "SKIPPED"})
  protected void settle_anyFinalState_isKeptWithReasonAndMakesTaskStale(PageState state) {
    Frontier frontier = open();
    Task task = claimed(frontier, A);
    Settlement settlement =
        new Settlement(state, "rule 7: /b*", Validators.NONE, "", Optional.empty());

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
    frontier.claim(site, NEWER, ROOT, ONE, List.of(A));
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
    Task again = frontier.claim(site, NEWER, ROOT, ONE, List.of(A)).getFirst();

    frontier.settle(again, Settlement.skipped("robots"), token(), NOW.plusSeconds(9));

    Page page = page(frontier, A);
    assertThat(page.lastFetch()).isEqualTo(DONE.fetch());
    assertThat(page.settledAt()).contains(NOW.plusSeconds(9));
    assertThat(page.validators()).isEqualTo(Validators.NONE);
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
    Task newer = frontier.claim(site, NEWER, ROOT, ONE, List.of(A)).getFirst();
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
    Task task = frontier.claim(site, CRAWL, ROOT, TWO, List.of(A)).getFirst();
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
    frontier.claim(site, NEWER, ROOT, ONE, List.of(A));
    assertThat(frontier.renew(page)).isEmpty();
    assertThat(page(frontier, A).generation()).isZero();
  }

  // forEachPage

  @Test
  protected void forEachPage_site_handsEachOfItsPagesOnce() {
    Frontier frontier = open();
    SiteId neighbour = new SiteId(site + "0");
    frontier.claim(neighbour, CRAWL, ROOT, ONE, List.of(A, B));
    List<CrawlUrl> links = links(150);
    frontier.claim(site, CRAWL, ROOT, ONE, links);
    frontier.settle(task(links.getFirst()), DONE, token(), NOW);
    frontier.claim(site, NEWER, ROOT, ONE, links.subList(1, 3));

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
}
