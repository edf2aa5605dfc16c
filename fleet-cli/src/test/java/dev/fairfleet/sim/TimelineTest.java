package dev.fairfleet.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TimelineTest {
  private final Timeline timeline = new Timeline();
  private final List<String> seen = new ArrayList<>();

  private void plan(long delay, String what) {
    timeline.in(delay, () -> seen.add(what + " at " + timeline.now()));
  }

  private void runToTheEnd() {
    while (timeline.step()) {}
  }

  @Test
  void step_plannedOutOfOrder_happensByTime() {
    plan(20, "second");
    plan(10, "first");
    runToTheEnd();
    assertThat(seen).containsExactly("first at 10", "second at 20");
    assertThat(timeline.happened()).isEqualTo(2);
  }

  @Test
  void step_sameTime_happensAsPlanned() {
    for (int i = 0; i < 5; i++) {
      plan(10, "" + i);
    }
    runToTheEnd();
    assertThat(seen).containsExactly("0 at 10", "1 at 10", "2 at 10", "3 at 10", "4 at 10");
  }

  @Test
  void in_duringAnEvent_countsFromThen() {
    timeline.in(10, () -> plan(5, "child"));
    runToTheEnd();
    assertThat(seen).containsExactly("child at 15");
  }

  @Test
  void in_negativeDelay_isNow() {
    timeline.in(10, () -> plan(-5, "late"));
    runToTheEnd();
    assertThat(seen).containsExactly("late at 10");
  }

  @Test
  void step_nothingPlanned_isFalse() {
    assertThat(timeline.step()).isFalse();
    assertThat(timeline.happened()).isZero();
  }
}
