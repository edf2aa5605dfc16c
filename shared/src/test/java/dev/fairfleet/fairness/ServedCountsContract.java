package dev.fairfleet.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.site.SiteId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What all served counts must do. */
public abstract class ServedCountsContract {
  private static final Duration MICRO = Duration.ofNanos(1_000);
  private static final SiteId A = new SiteId("a");
  private static final SiteId B = new SiteId("b");
  private static final SiteId C = new SiteId("c");
  private static final SiteId D = new SiteId("d");

  /** The clock that {@link #empty} must use. */
  protected final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));

  private ServedCounts counts;

  /** Returns counts without any site, on {@link #clock}, that remember no percentile. */
  protected abstract ServedCounts empty();

  @BeforeEach
  void begin() {
    counts = empty();
  }

  private double percentile(SiteId site) {
    return counts.percentile(site).value();
  }

  @Test
  void percentile_nobodyServed_isLowest() {
    assertThat(counts.percentile(A)).isEqualTo(Percentile.LOWEST);
  }

  @Test
  void percentile_alone_isLowest() {
    counts.add(Map.of(A, 1_000));

    assertThat(counts.percentile(A)).isEqualTo(Percentile.LOWEST);
  }

  @Test
  void percentile_neverServed_isLowest() {
    counts.add(Map.of(A, 100, B, 200));

    assertThat(counts.percentile(C)).isEqualTo(Percentile.LOWEST);
  }

  @Test
  void percentile_fourSites_isTheShareServedClearlyLess() {
    counts.add(Map.of(A, 100, B, 200, C, 400, D, 4_000));

    assertThat(percentile(A)).isEqualTo(0);
    assertThat(percentile(B)).isEqualTo(0.25);
    assertThat(percentile(C)).isEqualTo(0.5);
    assertThat(percentile(D)).isEqualTo(0.75);
  }

  /** Less than four fifths of its count, less 30. */
  @ParameterizedTest
  @CsvSource({
    "1000, 769, 0.5",
    "1000, 770, 0",
    "1000, 1000, 0",
    "100, 49, 0.5",
    "100, 50, 0",
    "39, 1, 0.5",
    "38, 1, 0",
    "2, 1, 0",
    "7, 7, 0"
  })
  void percentile_otherServedLess_countsItIfClearlyLess(int own, int other, double value) {
    counts.add(Map.of(A, own, B, other));

    assertThat(percentile(A)).isEqualTo(value);
    assertThat(percentile(B)).isEqualTo(0);
  }

  @Test
  void add_again_addsUp() {
    counts.add(Map.of(A, 300, B, 400));
    counts.add(Map.of(A, 400));

    assertThat(percentile(A)).isEqualTo(0.5);
    assertThat(percentile(B)).isEqualTo(0);
  }

  @Test
  void add_nothing_changesNothing() {
    counts.add(Map.of());

    assertThat(counts.percentile(A)).isEqualTo(Percentile.LOWEST);
  }

  /** By then 1,000 pages count 943.9, of which four fifths less 30 are 725.1. */
  @Test
  void percentile_fiveMinutesLater_comparesDecayedCountsWithFreshSlack() {
    counts.add(Map.of(A, 1_000));
    clock.advance(ServedCounts.ACTIVE_FOR);
    counts.add(Map.of(B, 725, C, 726));

    assertThat(percentile(A)).isCloseTo(1 / 3.0, offset(1e-9));
  }

  /**
   * By then 1,000 pages count 500, and one every five minutes 8.9; of both, four fifths less 30 are
   * 377.1.
   */
  @Test
  void percentile_oneHalfLifeLater_countsHalf() {
    counts.add(Map.of(A, 1_000));
    for (int i = 0; i < 12; i++) {
      clock.advance(Duration.ofMinutes(5));
      counts.add(Map.of(A, 1));
    }
    counts.add(Map.of(B, 377, C, 378));

    assertThat(percentile(A)).isCloseTo(1 / 3.0, offset(1e-9));
  }

  @Test
  void percentile_otherNotServedForLong_isNotCompared() {
    counts.add(Map.of(B, 100));
    clock.advance(ServedCounts.ACTIVE_FOR);
    counts.add(Map.of(A, 1_000));

    assertThat(percentile(A)).isEqualTo(0.5);
    clock.advance(MICRO);
    counts.add(Map.of(C, 999));
    assertThat(percentile(A)).isEqualTo(0);
  }

  /** Nothing is added meanwhile: who is no longer active is seen when asking. */
  @Test
  void percentile_notServedForLong_isLowest() {
    counts.add(Map.of(A, 1_000, C, 1_000));
    clock.advance(ServedCounts.ACTIVE_FOR.minus(MICRO));
    counts.add(Map.of(B, 100, C, 1));
    clock.advance(MICRO);

    assertThat(percentile(A)).isCloseTo(1 / 3.0, offset(1e-9));
    assertThat(percentile(C)).isCloseTo(1 / 3.0, offset(1e-9));
    clock.advance(MICRO);
    assertThat(counts.percentile(A)).isEqualTo(Percentile.LOWEST);
    assertThat(percentile(C)).isEqualTo(0.5);
  }

  @Test
  void add_servedBeforeLong_staysActive() {
    for (int i = 0; i < 5; i++) {
      counts.add(Map.of(A, 100, B, 10));
      clock.advance(ServedCounts.ACTIVE_FOR);
    }

    assertThat(percentile(A)).isEqualTo(0.5);
  }

  @Test
  void add_forgotten_beginsAnew() {
    counts.add(Map.of(A, 1_000));
    clock.advance(ServedCounts.ACTIVE_FOR.plus(MICRO));
    counts.add(Map.of(A, 1, B, 100));

    assertThat(percentile(A)).isEqualTo(0);
    assertThat(percentile(B)).isEqualTo(0.5);
  }

  /** P103: who was served in what is now the future is forgotten no later than anybody. */
  @Test
  void percentile_clockSteppedBack_forgetsAllTheSame() {
    counts.add(Map.of(A, 100));
    clock.advance(Duration.ofHours(-1));
    counts.add(Map.of(B, 1_000));
    assertThat(percentile(B)).isEqualTo(0.5);
    clock.advance(ServedCounts.ACTIVE_FOR.plus(MICRO));
    counts.add(Map.of(B, 1_000));

    assertThat(percentile(B)).isEqualTo(0);
  }

  /**
   * Served every hour and four minutes later, for 90 days: more than twice as long as a double's
   * exponent lasts. What was served first must still be comparable with what was served last.
   */
  @Test
  void add_forMonths_keepsRanks() {
    for (int hour = 0; hour < 90 * 24; hour++) {
      counts.add(Map.of(A, 100, B, 200, C, 400));
      clock.advance(Duration.ofMinutes(4));
      counts.add(Map.of(D, 1_000));
      if (hour % 50 == 0) {
        assertThat(percentile(A)).as("A in hour %s", hour).isEqualTo(0);
        assertThat(percentile(B)).as("B in hour %s", hour).isEqualTo(0.25);
        assertThat(percentile(C)).as("C in hour %s", hour).isEqualTo(0.5);
        assertThat(percentile(D)).as("D in hour %s", hour).isEqualTo(0.75);
      }
      clock.advance(Duration.ofMinutes(56));
    }
  }

  @Test
  void add_thousandsOfSites_ranksThem() {
    Map<SiteId, Integer> served = new HashMap<>();
    for (int i = 0; i < 2_500; i++) {
      served.put(new SiteId("site" + i), i + 1);
    }
    counts.add(served);

    // Of 2,001 pages, four fifths less 30 are 1,570.8.
    assertThat(percentile(new SiteId("site2000"))).isEqualTo(0.628);
  }
}
