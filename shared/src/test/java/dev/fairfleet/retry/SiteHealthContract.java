package dev.fairfleet.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.UrlHash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What all must do that count the failures of sites. */
public abstract class SiteHealthContract {
  private static final Duration MICRO = Duration.ofNanos(1_000);
  private static final Instant NEVER_STOPPED = Instant.EPOCH;

  /** The clock that {@link #health} must use. */
  protected final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));

  private final SiteId site = new SiteId("site-" + UUID.randomUUID());

  /** Returns the health under test; it may hold other sites. */
  protected abstract SiteHealth health();

  private static Optional<UrlHash> page(int number) {
    return Optional.of(CrawlUrl.of("http://a.test/" + number).hash());
  }

  private int failed(int page) {
    return health().failed(site, NEVER_STOPPED, page(page));
  }

  private int failedWithoutPage() {
    return health().failed(site, NEVER_STOPPED, Optional.empty());
  }

  private void answered() {
    health().answered(site, NEVER_STOPPED);
  }

  @Test
  void failed_neverAnswered_countsEachFailure() {
    assertThat(failed(1)).isEqualTo(1);
    assertThat(failed(1)).isEqualTo(2);
    assertThat(failed(2)).isEqualTo(3);
    assertThat(failed(1)).isEqualTo(4);
  }

  @Test
  void failed_answered_countsEachPageOnce() {
    answered();

    assertThat(failed(1)).isEqualTo(1);
    assertThat(failed(1)).isEqualTo(1);
    assertThat(failed(2)).isEqualTo(2);
    assertThat(failed(1)).isEqualTo(2);
    assertThat(failed(3)).isEqualTo(3);
  }

  @Test
  void failed_noPage_countsEachTime() {
    answered();

    assertThat(failedWithoutPage()).isEqualTo(1);
    assertThat(failedWithoutPage()).isEqualTo(2);
    assertThat(failed(1)).isEqualTo(3);
    assertThat(failedWithoutPage()).isEqualTo(4);
  }

  @Test
  void answered_inBetween_endsTheRow() {
    failed(1);
    failed(2);
    answered();

    assertThat(failed(3)).isEqualTo(1);
  }

  @Test
  void answered_inBetween_letsThePagesCountAgain() {
    answered();
    failed(1);
    answered();

    assertThat(failed(1)).isEqualTo(1);
    assertThat(failed(2)).isEqualTo(2);
  }

  @Test
  void answered_aDayAgo_isForgotten() {
    answered();
    clock.advance(SiteHealth.REMEMBERED.minus(MICRO));
    assertThat(failed(1)).isEqualTo(1);
    assertThat(failed(1)).isEqualTo(1);
    clock.advance(MICRO);

    assertThat(failed(1)).isEqualTo(2);
    assertThat(failed(1)).isEqualTo(3);
  }

  @Test
  void failed_aDayAgo_isForgotten() {
    failed(1);
    failed(2);
    clock.advance(SiteHealth.REMEMBERED.minus(MICRO));
    assertThat(failed(3)).isEqualTo(3);
    clock.advance(SiteHealth.REMEMBERED);

    assertThat(failed(3)).isEqualTo(1);
  }

  @Test
  void failed_answeredAndThenAgainADayLater_countsThePagesOfTheNewRow() {
    answered();
    failed(1);
    clock.advance(Duration.ofHours(13));
    answered();
    clock.advance(Duration.ofHours(13));

    assertThat(failed(1)).isEqualTo(1);
    assertThat(failed(1)).isEqualTo(1);
  }

  @Test
  void failed_pageThatDidNotCount_isNoFailureToRemember() {
    answered();
    failed(1);
    clock.advance(Duration.ofHours(20));
    assertThat(failed(1)).isEqualTo(1);
    clock.advance(Duration.ofHours(4));

    assertThat(failed(2)).isEqualTo(1);
  }

  @Test
  void failed_resumedSince_countsAnew() {
    answered();
    failed(1);
    failed(2);
    clock.advance(Duration.ofHours(1));
    Instant resumed = clock.instant();

    assertThat(health().failed(site, resumed, page(1))).isEqualTo(1);
    assertThat(health().failed(site, resumed, page(1))).isEqualTo(2);
  }

  @Test
  void answered_resumedSince_isRemembered() {
    failed(1);
    Instant resumed = clock.instant();
    health().answered(site, resumed);

    assertThat(health().failed(site, resumed, page(1))).isEqualTo(1);
    assertThat(health().failed(site, resumed, page(1))).isEqualTo(1);
  }

  /** A worker may not have heard yet that the site was resumed. */
  @Test
  void failed_beforeALaterResume_changesNothing() {
    Instant resumed = clock.instant();
    health().answered(site, resumed);
    health().failed(site, resumed, page(1));

    assertThat(failed(2)).isEqualTo(1);
    assertThat(failedWithoutPage()).isEqualTo(1);
    assertThat(health().failed(site, resumed, page(2))).isEqualTo(2);
  }

  @Test
  void answered_beforeALaterResume_changesNothing() {
    Instant resumed = clock.instant();
    health().failed(site, resumed, page(1));
    answered();

    assertThat(health().failed(site, resumed, page(1))).isEqualTo(2);
  }

  @Test
  void failed_resumedOneMicrosecondLater_countsAnew() {
    Instant resumed = clock.instant();
    health().failed(site, resumed, page(1));

    assertThat(health().failed(site, resumed, page(2))).isEqualTo(2);
    assertThat(health().failed(site, resumed.plus(MICRO), page(3))).isEqualTo(1);
  }

  @Test
  void failed_otherSite_hasItsOwnRow() {
    failed(1);
    SiteId other = new SiteId(site + ".2");

    assertThat(health().failed(other, NEVER_STOPPED, page(1))).isEqualTo(1);
    health().answered(other, NEVER_STOPPED);
    assertThat(failed(2)).isEqualTo(2);
  }

  @Test
  void failed_manyThreadsAtOnce_countsAll() throws Exception {
    List<Integer> counts = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> told = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        int number = i;
        told.add(threads.submit(() -> failed(number)));
      }
      for (Future<Integer> one : told) {
        counts.add(one.get());
      }
    }
    assertThat(counts)
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 40).boxed().toList());
  }
}
