package dev.fairfleet.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.site.EndPolicy.Tally;
import dev.fairfleet.site.EndPolicy.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class EndPolicyTest {
  private static final SiteLimits LIMITED = new SiteLimits(3_600, Duration.ofSeconds(1), 10, 100);
  private static final Tally ALL_DONE = new Tally(100, 0, 0, 0, 0, 100);

  private static CrawlRun run(CrawlMode mode, boolean interrupted) {
    return new CrawlRun(
        CrawlId.scheduledFor(Instant.EPOCH),
        mode,
        true,
        Optional.empty(),
        interrupted,
        Optional.empty());
  }

  private static Verdict judge(SiteLimits limits, Tally tally) {
    return EndPolicy.DEFAULT.judge(run(CrawlMode.FULL, false), limits, tally);
  }

  @Test
  void judge_fullCrawlOfWhichEverythingAnswered_isComplete() {
    assertThat(judge(SiteLimits.POLITE, ALL_DONE)).isEqualTo(new Verdict(true, true, ""));
  }

  @Test
  void judge_incrementalCrawl_onlyWhatIsGoneTwice() {
    assertThat(
            EndPolicy.DEFAULT.judge(run(CrawlMode.INCREMENTAL, false), SiteLimits.POLITE, ALL_DONE))
        .isEqualTo(new Verdict(true, false, "an incremental crawl does not ask for everything"));
  }

  @ParameterizedTest
  @EnumSource(CrawlMode.class)
  void judge_siteWasStoppedMeanwhile_nothing(CrawlMode mode) {
    assertThat(EndPolicy.DEFAULT.judge(run(mode, true), SiteLimits.POLITE, ALL_DONE))
        .isEqualTo(new Verdict(false, false, "the site was stopped while it was crawled"));
  }

  @ParameterizedTest
  @CsvSource({"99, true", "100, false", "101, false"})
  void judge_pagesReachTheLimit_nothingBecauseItMayBeCut(long counted, boolean complete) {
    assertThat(judge(LIMITED, new Tally(counted, 0, 0, 0, 0, counted)))
        .isEqualTo(new Verdict(complete, complete, complete ? "" : "cut at the page limit of 100"));
  }

  /** Sitemaps and what redirects lead to are pages, but the limit does not count them. */
  @Test
  void judge_morePagesThanTheLimitOfWhichItCountsFewer_isComplete() {
    assertThat(judge(LIMITED, new Tally(150, 0, 0, 0, 0, 99)).complete()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"10, 0, true", "11, 0, false", "0, 10, true", "0, 11, false", "6, 5, false"})
  void judge_aTenthFailedOrIsBarred_isTheMost(long failed, long barred, boolean trusted) {
    Tally tally = new Tally(100 - failed - barred, 0, failed, barred, barred, 100);
    assertThat(judge(SiteLimits.POLITE, tally))
        .returns(trusted, Verdict::trusted)
        .returns(trusted, Verdict::complete);
  }

  @Test
  void judge_incrementalCrawlOfWhichMostFailed_nothing() {
    assertThat(
            EndPolicy.DEFAULT.judge(
                run(CrawlMode.INCREMENTAL, false), SiteLimits.POLITE, new Tally(1, 0, 2, 0, 0, 3)))
        .isEqualTo(
            new Verdict(false, false, "2 of 3 pages failed or are barred by robots.txt now"));
  }

  @ParameterizedTest
  @CsvSource({"50, true", "51, false"})
  void judge_halfIsGone_isTheMostThatNeedsNoConfirmation(long gone, boolean complete) {
    Tally tally = new Tally(100 - gone, gone, 0, 0, 0, 100);
    assertThat(judge(SiteLimits.POLITE, tally))
        .returns(true, Verdict::trusted)
        .returns(complete, Verdict::complete);
  }

  @Test
  void judge_nothingWasRead_nothing() {
    assertThat(judge(SiteLimits.POLITE, new Tally(0, 0, 0, 3, 0, 3)))
        .isEqualTo(new Verdict(false, false, "no page could be read"));
  }

  @ParameterizedTest
  @CsvSource({"-0.1, 0.5", "1.1, 0.5", "0.1, -0.1", "0.1, 1.1", "NaN, 0.5"})
  void new_shareOutOfRange_refused(double unseen, double gone) {
    assertThatThrownBy(() -> new EndPolicy(unseen, gone))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is a share from 0 to 1");
  }
}
