package dev.fairfleet.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.fairness.SiteWindow.Inspection;
import dev.fairfleet.fairness.SiteWindow.View;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What all windows must do. */
public abstract class SiteWindowContract {
  private static final Duration MICRO = Duration.ofNanos(1_000);
  private static final Duration STAY = Duration.ofHours(1);
  private static final Duration EVERY = Duration.ofMinutes(3);
  private static final int MOST = 3;
  private static final CrawlId CRAWL = CrawlId.scheduledFor(Instant.EPOCH);
  private static final CrawlId NEXT_CRAWL = CrawlId.scheduledFor(Instant.EPOCH.plusSeconds(1));

  /** The clock that {@link #window} must use. */
  protected final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));

  private final SiteId site = new SiteId("site-" + UUID.randomUUID());

  /**
   * Returns the windows under test, of a fleet that nobody has swept; they may hold other sites.
   */
  protected abstract SiteWindow window();

  private static UrlHash url(int number) {
    return CrawlUrl.of("http://a.test/" + number).hash();
  }

  private static List<UrlHash> urls(int from, int to) {
    return IntStream.range(from, to).mapToObj(SiteWindowContract::url).toList();
  }

  private List<UrlHash> enter(int from, int to) {
    return enter(from, to, MOST);
  }

  private List<UrlHash> enter(int from, int to, int most) {
    return List.copyOf(window().enter(site, urls(from, to), most, STAY));
  }

  private View view() {
    return window().leave(site, List.of());
  }

  @Test
  void enter_moreThanTheRoom_letsInTheFirst() {
    assertThat(enter(0, MOST + 2)).isEqualTo(urls(0, MOST));
    assertThat(view()).isEqualTo(new View(0, MOST, false));
  }

  @Test
  void enter_exactlyTheRoom_letsAllIn() {
    assertThat(enter(0, MOST)).isEqualTo(urls(0, MOST));
    assertThat(enter(MOST, MOST + 1)).isEmpty();
  }

  @Test
  void enter_otherSizeSet_doesNotCountForIt() {
    window().filled(site, MOST + 2, false);
    assertThat(enter(0, 9)).isEqualTo(urls(0, MOST));
    window().filled(site, 1, false);

    assertThat(enter(0, 3, MOST + 1)).isEmpty();
    assertThat(enter(3, 9, MOST + 1)).isEqualTo(urls(3, 4));
  }

  @Test
  void enter_again_returnsAndChangesNothing() {
    enter(0, 2);

    assertThat(enter(0, 2)).isEmpty();
    assertThat(view().inside()).isEqualTo(2);
    assertThat(enter(0, 4)).isEqualTo(urls(2, 3));
  }

  @Test
  void enter_oneUrlTwice_countsItOnce() {
    List<UrlHash> twice = List.of(url(0), url(0), url(1));

    assertThat(window().enter(site, twice, 2, STAY)).containsExactly(url(0), url(1));
  }

  @Test
  void enter_again_prolongsNoStay() {
    enter(0, 1);
    clock.advance(STAY);
    enter(0, 1);
    clock.advance(MICRO);

    assertThat(window().inspect(site).overdue()).containsExactly(url(0));
  }

  @Test
  void enter_fewerThanAreInside_letsNobodyInUntilThereIsRoom() {
    enter(0, 3);
    assertThat(enter(5, 6, 2)).isEmpty();
    window().leave(site, urls(0, 1));
    assertThat(enter(5, 6, 2)).isEmpty();
    window().leave(site, urls(1, 2));

    assertThat(enter(5, 6, 2)).isEqualTo(urls(5, 6));
  }

  @Test
  void enter_noRoomAtAll_letsNobodyIn() {
    assertThat(enter(0, 1, 0)).isEmpty();
  }

  @Test
  void enter_thousandsOfUrls_letsInAsManyAsFit() {
    assertThat(enter(0, 5_000, 300)).isEqualTo(urls(0, 300));
  }

  @Test
  void enter_manyThreadsAtOnce_letsInExactlyTheRoom() throws Exception {
    int entered = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<UrlHash>>> asked = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        List<UrlHash> some = urls(2 * i, 2 * i + 2);
        asked.add(threads.submit(() -> List.copyOf(window().enter(site, some, 13, STAY))));
      }
      for (Future<List<UrlHash>> some : asked) {
        entered += some.get().size();
      }
    }
    assertThat(entered).isEqualTo(13);
    assertThat(view().inside()).isEqualTo(13);
  }

  @Test
  void enter_otherSite_hasItsOwnWindow() {
    enter(0, 3);

    assertThat(window().enter(new SiteId(site + ".2"), urls(0, 3), MOST, STAY)).hasSize(3);
  }

  @Test
  void stay_noRoom_letsInAllTheSame() {
    enter(0, 3);
    window().stay(site, urls(2, 6), STAY);

    assertThat(view().inside()).isEqualTo(6);
    assertThat(enter(9, 10)).isEmpty();
  }

  @Test
  void stay_inside_countsFromNow() {
    enter(0, 3);
    clock.advance(Duration.ofMinutes(30));
    window().stay(site, urls(1, 2), STAY);
    window().stay(site, urls(2, 3), Duration.ofMinutes(10));

    clock.advance(Duration.ofMinutes(10).plus(MICRO));
    assertThat(window().inspect(site).overdue()).containsExactly(url(2));
    clock.advance(Duration.ofMinutes(20));
    assertThat(window().inspect(site).overdue()).containsExactly(url(2), url(0));
    clock.advance(Duration.ofMinutes(30).minus(MICRO));
    assertThat(window().inspect(site).overdue()).doesNotContain(url(1));
    clock.advance(MICRO);
    assertThat(window().inspect(site).overdue()).containsExactly(url(1));
  }

  @Test
  void stay_longerThanTheLongest_endsWithThat() {
    window().stay(site, urls(0, 1), Duration.ofSeconds(Long.MAX_VALUE));
    clock.advance(SiteWindow.LONGEST_STAY);
    assertThat(window().inspect(site).overdue()).isEmpty();
    clock.advance(MICRO);

    assertThat(window().inspect(site).overdue()).containsExactly(url(0));
  }

  @Test
  void leave_inside_makesRoom() {
    enter(0, 3);

    assertThat(window().leave(site, urls(0, 2))).isEqualTo(new View(0, 1, false));
    assertThat(enter(5, 8)).isEqualTo(urls(5, 7));
  }

  @Test
  void leave_againOrNeverInside_changesNothing() {
    enter(0, 3);
    window().leave(site, urls(0, 1));

    assertThat(window().leave(site, urls(0, 1)).inside()).isEqualTo(2);
    assertThat(window().leave(site, urls(7, 9)).inside()).isEqualTo(2);
    assertThat(window().leave(site, List.of(url(2), url(2))).inside()).isEqualTo(1);
  }

  @Test
  void shelved_inside_makesRoom() {
    enter(0, 3);

    assertThat(window().shelved(site, urls(0, 2))).isEqualTo(new View(0, 1, false));
    assertThat(enter(0, 2)).isEqualTo(urls(0, 2));
  }

  @Test
  void filled_anySize_isToldAgain() {
    enter(0, 3);
    window().filled(site, 20, false);
    assertThat(window().leave(site, urls(2, 3))).isEqualTo(new View(20, 2, false));
    window().filled(site, 7, false);

    assertThat(window().inspect(site).view()).isEqualTo(new View(7, 2, false));
  }

  @Test
  void filled_shelfBare_isBelievedForTenMinutes() {
    window().filled(site, 20, true);
    assertThat(view().bare()).isTrue();
    clock.advance(SiteWindow.BARE_BELIEVED.minus(MICRO));
    assertThat(view().bare()).isTrue();
    clock.advance(MICRO);

    assertThat(view().bare()).isFalse();
  }

  @Test
  void filled_shelfNotBare_isNot() {
    window().filled(site, 20, true);
    window().filled(site, 20, false);

    assertThat(view().bare()).isFalse();
  }

  @Test
  void enter_someDoNotGetIn_shelfIsNoLongerBare() {
    window().filled(site, 3, true);
    enter(0, 3);
    enter(0, 3);
    assertThat(view().bare()).isTrue();

    enter(3, 4);

    assertThat(view().bare()).isFalse();
  }

  @Test
  void shelved_any_shelfIsNoLongerBare() {
    enter(0, 3);
    window().filled(site, 3, true);

    assertThat(window().shelved(site, urls(0, 1)).bare()).isFalse();
  }

  /**
   * The filler may have looked at the shelf before the tasks that did not get in were put there.
   */
  @Test
  void filled_bareSoonAfterSomeDidNotGetIn_isNotBelieved() {
    enter(0, 4);
    clock.advance(SiteWindow.ON_THE_WAY.minus(MICRO));
    window().filled(site, 3, true);
    assertThat(view().bare()).isFalse();
    clock.advance(MICRO);
    window().filled(site, 3, true);

    assertThat(view().bare()).isTrue();
  }

  @Test
  void filled_bareSoonAfterOneWasShelved_isNotBelieved() {
    enter(0, 1);
    window().shelved(site, urls(0, 1));
    window().filled(site, 3, true);

    assertThat(view().bare()).isFalse();
  }

  @Test
  void beginFill_another_isRefusedForHalfAMinute() {
    assertThat(window().beginFill(site)).isTrue();
    assertThat(window().beginFill(site)).isFalse();
    clock.advance(SiteWindow.LONGEST_FILL.minus(MICRO));
    assertThat(window().beginFill(site)).isFalse();
    clock.advance(MICRO);

    assertThat(window().beginFill(site)).isTrue();
    assertThat(window().beginFill(site)).isFalse();
  }

  @Test
  void beginFill_afterFilled_isGranted() {
    window().beginFill(site);
    window().filled(site, 3, false);

    assertThat(window().beginFill(site)).isTrue();
  }

  @Test
  void filled_somebodyWasTurnedAwayMeanwhile_saysSoOnce() {
    window().beginFill(site);
    assertThat(window().filled(site, 3, false)).as("nobody was").isFalse();
    window().beginFill(site);
    window().beginFill(site);
    assertThat(window().filled(site, 3, true)).isTrue();
    window().beginFill(site);
    assertThat(window().filled(site, 3, true)).as("not since this fill began").isFalse();
  }

  @Test
  void beginFill_otherSite_isGranted() {
    window().beginFill(site);

    assertThat(window().beginFill(new SiteId(site + ".2"))).isTrue();
  }

  @Test
  void inspect_unknownSite_isEmptySinceNow() {
    assertThat(window().inspect(site))
        .isEqualTo(new Inspection(new View(0, 0, false), List.of(), Duration.ZERO));
  }

  @Test
  void inspect_aroundTheEndOfTheStay_turnsWithinOneMicrosecond() {
    enter(0, 2);
    clock.advance(STAY);
    assertThat(window().inspect(site).overdue()).isEmpty();
    clock.advance(MICRO);

    assertThat(window().inspect(site).overdue()).containsExactlyInAnyOrder(url(0), url(1));
  }

  @Test
  void inspect_overdue_areInsideForAnotherTwoMinutes() {
    enter(0, 2);
    clock.advance(STAY.plus(MICRO));

    assertThat(window().inspect(site).view().inside()).isEqualTo(2);
    assertThat(window().inspect(site).overdue()).isEmpty();
    clock.advance(SiteWindow.SECOND_STAY);
    assertThat(window().inspect(site).overdue()).isEmpty();
    clock.advance(MICRO);
    assertThat(window().inspect(site).overdue()).hasSize(2);
  }

  @Test
  void inspect_manyOverdue_tellsOfAHundredAtATimeTheLongestFirst() {
    window().stay(site, urls(100, 150), STAY.plus(MICRO));
    window().stay(site, urls(0, 100), STAY);
    clock.advance(STAY.plus(MICRO).plus(MICRO));

    assertThat(window().inspect(site).overdue())
        .containsExactlyInAnyOrderElementsOf(urls(0, SiteWindow.MOST_OVERDUE));
    assertThat(window().inspect(site).overdue())
        .containsExactlyInAnyOrderElementsOf(urls(SiteWindow.MOST_OVERDUE, 150));
    assertThat(window().inspect(site).overdue()).isEmpty();
  }

  @Test
  void inspect_empty_tellsForHowLong() {
    enter(0, 1);
    assertThat(window().inspect(site).emptyFor()).isZero();
    window().leave(site, urls(0, 1));
    clock.advance(Duration.ofMinutes(5));

    assertThat(window().inspect(site).emptyFor()).isZero();
    clock.advance(Duration.ofMinutes(2));
    assertThat(window().inspect(site).emptyFor()).isEqualTo(Duration.ofMinutes(2));
    clock.advance(Duration.ofMinutes(1));
    assertThat(window().inspect(site).emptyFor()).isEqualTo(Duration.ofMinutes(3));
  }

  @Test
  void inspect_somebodyWasInSince_isNotEmptyForLong() {
    window().inspect(site);
    clock.advance(Duration.ofMinutes(2));
    enter(0, 1);
    window().leave(site, urls(0, 1));
    assertThat(window().inspect(site).emptyFor()).isZero();
    clock.advance(Duration.ofMinutes(2));
    window().stay(site, urls(0, 1), STAY);
    window().leave(site, urls(0, 1));

    assertThat(window().inspect(site).emptyFor()).isZero();
  }

  @Test
  void position_nobodyWalked_isEmpty() {
    assertThat(window().position(site, CRAWL)).isEmpty();
  }

  @Test
  void position_walked_isTheLastThatWasTold() {
    window().walkedTo(site, CRAWL, "7:some page");
    assertThat(window().position(site, CRAWL)).isEqualTo("7:some page");
    window().walkedTo(site, CRAWL, "8:");
    assertThat(window().position(site, CRAWL)).isEqualTo("8:");
    window().walkedTo(site, CRAWL, "");

    assertThat(window().position(site, CRAWL)).isEmpty();
  }

  @Test
  void position_ofAnotherCrawlOrSite_isEmpty() {
    window().walkedTo(site, CRAWL, "7:some page");

    assertThat(window().position(site, NEXT_CRAWL)).isEmpty();
    assertThat(window().position(new SiteId(site + ".2"), CRAWL)).isEmpty();
  }

  @Test
  void position_nextCrawlWalked_isForgottenOfTheOneBefore() {
    window().walkedTo(site, CRAWL, "7:some page");
    window().walkedTo(site, NEXT_CRAWL, "2:other page");

    assertThat(window().position(site, CRAWL)).isEmpty();
    assertThat(window().position(site, NEXT_CRAWL)).isEqualTo("2:other page");
  }

  @Test
  void position_windowUsedSince_stays() {
    window().walkedTo(site, CRAWL, "7:some page");
    enter(0, 5);
    window().stay(site, urls(0, 1), STAY);
    window().shelved(site, urls(0, 1));
    window().beginFill(site);
    window().filled(site, 3, true);
    clock.advance(Duration.ofHours(2));
    window().inspect(site);

    assertThat(window().position(site, CRAWL)).isEqualTo("7:some page");
  }

  @Test
  void walkedTo_windowInUse_changesNothingElse() {
    enter(0, 2);
    window().filled(site, 20, true);
    window().walkedTo(site, CRAWL, "7:some page");

    assertThat(view()).isEqualTo(new View(20, 2, true));
  }

  @Test
  void beginSweep_another_isRefusedUntilSoMuchTimeHasPassed() {
    assertThat(window().beginSweep(EVERY)).isTrue();
    assertThat(window().beginSweep(EVERY)).isFalse();
    clock.advance(EVERY.minus(MICRO));
    assertThat(window().beginSweep(EVERY)).isFalse();
    clock.advance(MICRO);

    assertThat(window().beginSweep(EVERY)).isTrue();
    assertThat(window().beginSweep(EVERY)).isFalse();
  }

  @Test
  void beginSweep_moreOftenThanTheLastOne_goesByTheNewTime() {
    window().beginSweep(EVERY);
    clock.advance(Duration.ofSeconds(10));
    assertThat(window().beginSweep(EVERY)).isFalse();
    assertThat(window().beginSweep(Duration.ofSeconds(10).plus(MICRO))).isFalse();

    assertThat(window().beginSweep(Duration.ofSeconds(10))).isTrue();
  }

  @Test
  void beginSweep_manyThreadsAtOnce_grantsOne() throws Exception {
    int granted = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> asked = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        asked.add(threads.submit(() -> window().beginSweep(EVERY)));
      }
      for (Future<Boolean> one : asked) {
        granted += one.get() ? 1 : 0;
      }
    }
    assertThat(granted).isEqualTo(1);
  }
}
