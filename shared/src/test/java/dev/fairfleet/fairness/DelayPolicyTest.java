package dev.fairfleet.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairfleet.frontier.CrawlDepth;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DelayPolicyTest {
  /** A generator whose every draw is the same. */
  private record Fixed(double draw) implements RandomGenerator {
    @Override
    public double nextDouble() {
      return draw;
    }

    @Override
    public long nextLong() {
      throw new UnsupportedOperationException();
    }
  }

  private static final DelayPolicy AS_WRITTEN = new DelayPolicy(DelayTable.DEFAULT, 1);

  @ParameterizedTest
  @CsvSource({
    "1, 0.5, 0, 60",
    "1, 0.5, 0.5, 90",
    "1, 0.5, 0.9999999, 120",
    "2, 0.8, 0, 600",
    "2, 0.8, 0.5, 750",
    "2, 0.8, 0.9999999, 900",
    "0, 1, 0.9999999, 0",
  })
  void forNewTask_lowMiddleAndHighDraw_liesWithinTheTablesRange(
      int depth, double percentile, double draw, int seconds) {
    assertThat(
            AS_WRITTEN.forNewTask(
                new CrawlDepth(depth), new Percentile(percentile), Pressure.FULL, new Fixed(draw)))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.001, 0", "0.006, 1", "0.1, 9", "0.5, 45", "1, 90"})
  void forNewTask_underPressure_isThatMuchOfTheTablesDelay(double pressure, int seconds) {
    assertThat(
            AS_WRITTEN.forNewTask(
                new CrawlDepth(1), new Percentile(0.5), new Pressure(pressure), new Fixed(0.5)))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 0.5", "2, 0.8", "4, 1", "1000, 1"})
  void forNewTask_idleFleet_neverWaits(int depth, double percentile) {
    assertThat(
            AS_WRITTEN.forNewTask(
                new CrawlDepth(depth),
                new Percentile(percentile),
                Pressure.NONE,
                new Fixed(0.9999999)))
        .isEqualTo(Duration.ZERO);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 4, 1000})
  void forNewTask_nobodyServedLess_neverWaits(int depth) {
    assertThat(
            AS_WRITTEN.forNewTask(
                new CrawlDepth(depth), Percentile.LOWEST, Pressure.FULL, new Fixed(0.9999999)))
        .isEqualTo(Duration.ZERO);
  }

  /** P76: nothing that a table, a scale, a pressure or a draw can be makes SQS refuse the delay. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 0",
    "1, 1, 0.5",
    "1, 1, 0.9999999",
    "1, 0.3333, 0.9999999",
    "10, 1, 0",
    "10, 1, 0.9999999",
    "0.001, 1, 0.5",
    "0, 1, 0.9999999",
    "1e300, 1, 0.9999999",
    "1e300, 0, 0.9999999",
    "1e300, 1e-300, 0.9999999",
    "1e-300, 1e-300, 0.9999999"
  })
  void forNewTask_anyScalePressureAndDraw_isWholeSecondsUpTo900(
      double scale, double pressure, double draw) {
    DelayPolicy policy = new DelayPolicy(DelayTable.parse("0 = 0:0-2000000000"), scale);

    Duration delay =
        policy.forNewTask(
            CrawlDepth.ROOT, Percentile.LOWEST, new Pressure(pressure), new Fixed(draw));

    assertThat(delay).isBetween(Duration.ZERO, Duration.ofMinutes(15));
    assertThat(delay.toNanosPart()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0.1, 9", "0.5, 45", "1, 90", "2, 180"})
  void forNewTask_scaled_isThatMuchOfTheTablesDelay(double scale, int seconds) {
    assertThat(
            new DelayPolicy(DelayTable.DEFAULT, scale)
                .forNewTask(new CrawlDepth(1), new Percentile(0.5), Pressure.FULL, new Fixed(0.5)))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.001, Double.NaN, Double.POSITIVE_INFINITY})
  void new_scaleThatIsNoFactor_isRefused(double scale) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new DelayPolicy(DelayTable.DEFAULT, scale));
  }
}
