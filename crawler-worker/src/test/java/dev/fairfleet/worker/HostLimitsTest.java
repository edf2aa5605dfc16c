package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.fairness.DelayPolicy;
import dev.fairfleet.fairness.DelayTable;
import dev.fairfleet.fairness.SlotGrid;
import dev.fairfleet.fairness.WindowPolicy;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.memory.InMemoryGate;
import dev.fairfleet.memory.InMemoryServedCounts;
import dev.fairfleet.memory.InMemorySiteWindow;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.politeness.GateLimits;
import dev.fairfleet.robots.RobotsRules;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.robots.Robots;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostLimitsTest {
  private static final CrawlUrl A = CrawlUrl.of("http://a.test/");
  private static final CrawlUrl B = CrawlUrl.of("http://b.test/");
  private static final Site SITE =
      new Site(
          new SiteId("a"),
          List.of(A),
          new Scope(Set.of(A.hostKey(), B.hostKey())),
          new SiteLimits(3_600, Duration.ofSeconds(2), 10, SiteLimits.UNLIMITED),
          ExtractionRules.DEFAULT);
  private static final GateLimits OWN = GateLimits.of(SITE.limits());

  private static Robots asking(String delay) {
    RobotsRules rules =
        RobotsRules.parse(
            ("User-agent: *\nCrawl-delay: " + delay).getBytes(StandardCharsets.UTF_8),
            "ourbot",
            Duration.ofHours(1));
    return url -> url.hostKey().equals(A.hostKey()) ? rules : RobotsRules.allowAll();
  }

  /** Field report P12: with a floor of two seconds. To either 50 ms are added. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "0.2, PT2.05S",
        "2, PT2.05S",
        "2.001, PT2.051S",
        "7, PT7.05S",
        "abc, PT2.05S",
        "-1, PT2.05S",
        "``, PT2.05S",
        "3600, PT1H0.05S",
      })
  void of_floorAndCrawlDelay_isTheLonger_p12(String delay, Duration expected) {
    GateLimits limits = new HostLimits(asking(delay)).of(SITE, A);

    assertThat(limits.minDelay()).isEqualTo(expected);
    assertThat(limits.requestsPerHour()).isEqualTo(OWN.requestsPerHour());
    assertThat(new HostLimits(asking(delay)).of(SITE)).isEqualTo(limits);
  }

  @Test
  void of_otherHost_hasNoDelayOfThisOne() {
    assertThat(new HostLimits(asking("7")).of(SITE, B)).isEqualTo(OWN);
  }

  @Test
  void of_crawlDelay_isKeptAtTheGate_p12() {
    SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
    InMemoryGate gate = new InMemoryGate(clock, new Random(1));
    HostLimits limits = new HostLimits(asking("7"));
    assertThat(gate.admit(SITE.id(), A.hostKey(), limits.of(SITE, A)))
        .isEqualTo(new Admission.Granted());

    clock.advance(Duration.ofMillis(7_049));
    assertThat(gate.look(SITE.id(), A.hostKey(), limits.of(SITE, A)))
        .isInstanceOf(Admission.Deferred.class);
    clock.advance(Duration.ofMillis(1));
    assertThat(gate.look(SITE.id(), A.hostKey(), limits.of(SITE, A)))
        .isEqualTo(new Admission.Granted());
  }

  @Test
  void reserve_crawlDelay_keepsSlotsThatFarApart_p12() {
    SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
    SlotSending sending =
        new SlotSending(
            new InMemoryTaskQueue(clock, new LeasePolicy(Duration.ofMinutes(2), 1_000)),
            new InMemoryGate(clock, new Random(1)),
            new HostLimits(asking("17")),
            new InMemorySiteWindow(clock),
            new InMemoryServedCounts(clock),
            new PressureGauge(clock),
            new SlotSending.Policies(
                WindowPolicy.DEFAULT, SlotGrid.DEFAULT, new DelayPolicy(DelayTable.DEFAULT, 0), 1),
            clock,
            new Random(1));
    CrawlUrl other = CrawlUrl.of("http://a.test/other");

    Map<CrawlUrl, Duration> slots = sending.reserve(SITE, List.of(A, other));
    Duration apart = Duration.ofMillis(17_050);

    assertThat(slots).containsOnlyKeys(A, other).containsEntry(A, Duration.ZERO);
    assertThat(slots).containsEntry(other, apart);
    assertThat(sending.reserveAnother(SITE, A)).contains(apart.multipliedBy(2));
  }
}
