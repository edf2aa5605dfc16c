package dev.fairfleet.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecrawlPolicyTest {
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final CrawlId LAST = CrawlId.scheduledFor(NOON);
  private static final RecrawlPolicy POLICY =
      new RecrawlPolicy(
          CrawlMode.INCREMENTAL, Duration.ofHours(6), Duration.ofDays(7), Duration.ofHours(2));
  private static final CrawlEnd END = new CrawlEnd(NOON.plusSeconds(60), 1, 0, 0, 0, 0, true, "");

  private static SiteStatus site(
      SiteState state, Optional<CrawlRun> run, Optional<CrawlId> lastFull) {
    CrawlUrl root = CrawlUrl.of("http://a.test/");
    Site site =
        new Site(
            new SiteId("a"),
            List.of(root),
            new Scope(Set.of(root.hostKey())),
            SiteLimits.POLITE,
            ExtractionRules.DEFAULT);
    return new SiteStatus(site, state, "", Optional.empty(), run, Optional.empty(), lastFull);
  }

  private static Optional<CrawlRun> run(boolean started, boolean ended) {
    return Optional.of(
        new CrawlRun(
            LAST,
            CrawlMode.FULL,
            started,
            Optional.empty(),
            false,
            ended ? Optional.of(END) : Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    // state, started, ended, scheduled relative to the last crawl, due
    "ACTIVE, true, true, PT5H59M59.999S, false",
    "ACTIVE, true, true, PT6H, true",
    "ACTIVE, true, true, PT6H0.001S, true",
    "ACTIVE, true, false, PT6H, false",
    "ACTIVE, true, false, PT1000H, false",
    "STOPPED, true, true, PT6H, false",
    "ACTIVE, false, false, PT-0.001S, false",
    "ACTIVE, false, false, PT0S, true",
    "ACTIVE, false, false, PT0.001S, true",
    "STOPPED, false, false, PT6H, false",
  })
  void isDue_siteWithACrawl_dependsOnItsEndAndAge(
      SiteState state, boolean started, boolean ended, Duration after, boolean due) {
    SiteStatus site = site(state, run(started, ended), Optional.empty());
    assertThat(POLICY.isDue(site, NOON.plus(after))).isEqualTo(due);
  }

  @Test
  void isDue_siteWithoutACrawl_isDueIfActive() {
    assertThat(
            POLICY.isDue(site(SiteState.ACTIVE, Optional.empty(), Optional.empty()), Instant.EPOCH))
        .isTrue();
    assertThat(POLICY.isDue(site(SiteState.STOPPED, Optional.empty(), Optional.empty()), NOON))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({"P6DT23H59M59.999S, INCREMENTAL", "P7D, FULL", "P7DT0.001S, FULL"})
  void modeAt_incrementalSite_isFullWhenTheLastFullOneIsOldEnough(Duration after, CrawlMode mode) {
    SiteStatus site = site(SiteState.ACTIVE, run(true, true), Optional.of(LAST));
    assertThat(POLICY.modeAt(site, NOON.plus(after))).isEqualTo(mode);
  }

  @Test
  void modeAt_noFullCrawlYet_isFull() {
    SiteStatus site = site(SiteState.ACTIVE, run(true, true), Optional.empty());
    assertThat(POLICY.modeAt(site, NOON)).isEqualTo(CrawlMode.FULL);
  }

  @Test
  void modeAt_siteOfFullCrawls_isFull() {
    SiteStatus site = site(SiteState.ACTIVE, run(true, true), Optional.of(LAST));
    assertThat(RecrawlPolicy.DEFAULT.modeAt(site, NOON)).isEqualTo(CrawlMode.FULL);
  }

  @Test
  void changedSince_lastCrawl_isItsScheduledTimeLessTheLateness() {
    assertThat(POLICY.changedSince(LAST)).isEqualTo(NOON.minus(Duration.ofHours(2)));
  }

  @Test
  void recrawlPolicy_timesOutOfRange_nameTheSetting() {
    Duration day = Duration.ofDays(1);
    assertThatThrownBy(() -> new RecrawlPolicy(CrawlMode.FULL, Duration.ZERO, day, day))
        .hasMessage("recrawl every must be positive, not PT0S");
    assertThatThrownBy(() -> new RecrawlPolicy(CrawlMode.FULL, day, Duration.ZERO, day))
        .hasMessage("recrawl fullEvery must be positive, not PT0S");
    assertThatThrownBy(() -> new RecrawlPolicy(CrawlMode.FULL, day, day, Duration.ofNanos(-1)))
        .hasMessage("recrawl lateness must be not negative, not PT-0.000000001S");
    assertThat(new RecrawlPolicy(CrawlMode.FULL, day, day, Duration.ZERO).lateness()).isZero();
  }
}
