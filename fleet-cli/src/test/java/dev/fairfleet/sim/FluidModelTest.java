package dev.fairfleet.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.fairfleet.sim.FluidModel.Flow;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FluidModelTest {
  @Test
  void finishTimes_siteAlone_isBoundByItsLimit() {
    assertThat(new FluidModel(100).finishTimes(List.of(new Flow(50, 5)))).containsExactly(10.0);
  }

  @Test
  void finishTimes_siteAloneOnSmallFleet_isBoundByTheFleet() {
    assertThat(new FluidModel(2).finishTimes(List.of(new Flow(50, 5)))).containsExactly(25.0);
  }

  @Test
  void finishTimes_equalSites_finishTogether() {
    assertThat(new FluidModel(10).finishTimes(List.of(new Flow(50, 100), new Flow(50, 100))))
        .containsExactly(10.0, 10.0);
  }

  @Test
  void finishTimes_smallBesideLarge_ignoresHowLargeTheOtherIs() {
    List<Double> times =
        new FluidModel(10).finishTimes(List.of(new Flow(5, 100), new Flow(1_000_000, 100)));
    assertThat(times.get(0)).isCloseTo(1.0, within(1e-9));
    assertThat(times.get(1)).isCloseTo(100_000.5, within(1e-3));
  }

  @Test
  void finishTimes_limitedSite_leavesItsShareToOthers() {
    assertThat(new FluidModel(10).finishTimes(List.of(new Flow(10, 1), new Flow(90, 100))))
        .satisfiesExactly(
            limited -> assertThat(limited).isCloseTo(10.0, within(1e-9)),
            other -> assertThat(other).isCloseTo(10.0, within(1e-9)));
  }

  @Test
  void finishTimes_emptySite_isFinishedAtOnce() {
    assertThat(new FluidModel(10).finishTimes(List.of(new Flow(0, 1)))).containsExactly(0.0);
  }

  @Test
  void new_withoutCapacity_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new FluidModel(0));
  }
}
