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

/** What all served counts must do. */
public abstract class ServedCountsContract {
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
    counts.add(Map.of(A, 1, B, 2));

    assertThat(counts.percentile(C)).isEqualTo(Percentile.LOWEST);
  }

  @Test
  void percentile_fourSites_isTheShareServedLess() {
    counts.add(Map.of(A, 1, B, 20, C, 300, D, 4_000));

    assertThat(percentile(A)).isEqualTo(0);
    assertThat(percentile(B)).isEqualTo(0.25);
    assertThat(percentile(C)).isEqualTo(0.5);
    assertThat(percentile(D)).isEqualTo(0.75);
  }

  @Test
  void percentile_servedAlike_countsNobodyAsLess() {
    counts.add(Map.of(A, 7, B, 7));

    assertThat(percentile(A)).isEqualTo(0);
    assertThat(percentile(B)).isEqualTo(0);
  }

  @Test
  void add_again_addsUp() {
    counts.add(Map.of(A, 3, B, 4));
    counts.add(Map.of(A, 2));

    assertThat(percentile(A)).isEqualTo(0.5);
    assertThat(percentile(B)).isEqualTo(0);
  }

  @Test
  void add_nothing_changesNothing() {
    counts.add(Map.of());

    assertThat(counts.percentile(A)).isEqualTo(Percentile.LOWEST);
  }

  @Test
  void percentile_oneHalfLifeLater_countsHalf() {
    counts.add(Map.of(A, 100, B, 100));
    clock.advance(ServedCounts.HALF_LIFE);
    counts.add(Map.of(C, 51, D, 49));

    assertThat(percentile(C)).isEqualTo(0.75);
    assertThat(percentile(A)).isEqualTo(0.25);
    assertThat(percentile(D)).isEqualTo(0);
  }

  @Test
  void add_sitesNotServedForLong_areNoLongerActive() {
    counts.add(Map.of(A, 1, B, 64));
    clock.advance(ServedCounts.HALF_LIFE.multipliedBy(6).plusSeconds(1));
    counts.add(Map.of(C, 5));

    assertThat(percentile(C)).isEqualTo(0.5);
    clock.advance(ServedCounts.HALF_LIFE.multipliedBy(6).plusSeconds(1));
    counts.add(Map.of(D, 5));
    assertThat(percentile(D)).isEqualTo(0.5);
  }

  /** Served once an hour for 90 days, more than twice as long as a double's exponent lasts. */
  @Test
  void add_forMonths_keepsRanks() {
    for (int hour = 0; hour < 90 * 24; hour++) {
      counts.add(Map.of(A, 10, B, 11, C, 12));
      clock.advance(Duration.ofHours(1));
      if (hour % 50 == 0) {
        assertThat(percentile(A)).isEqualTo(0);
        assertThat(percentile(B)).isCloseTo(1 / 3.0, offset(1e-9));
        assertThat(percentile(C)).isCloseTo(2 / 3.0, offset(1e-9));
      }
    }
  }

  @Test
  void add_thousandsOfSites_ranksThem() {
    Map<SiteId, Integer> served = new HashMap<>();
    for (int i = 0; i < 2_500; i++) {
      served.put(new SiteId("site" + i), i + 1);
    }
    counts.add(served);

    assertThat(percentile(new SiteId("site2000"))).isEqualTo(0.8);
  }
}
