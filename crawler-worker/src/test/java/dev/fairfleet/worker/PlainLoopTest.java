package dev.fairfleet.worker;

import static dev.fairfleet.worker.TestFleet.SITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.frontier.PageState;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.politeness.Admission;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.worker.config.SchedulingPolicy;
import dev.fairfleet.worker.metrics.Meter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds of the plain form alone. */
final class PlainLoopTest {
  private final TestFleet fleet = new TestFleet();

  @BeforeEach
  void choosePolicy() {
    fleet.policy = SchedulingPolicy.CLASSIC;
  }

  @AfterEach
  void stop() {
    fleet.stop();
  }

  @Test
  void run_gateDefers_parksForFiveToTenSecondsAndCountsNoFailure() {
    fleet.parking = new ParkingPolicy(Duration.ofSeconds(5), Duration.ofSeconds(10));
    AtomicBoolean open = new AtomicBoolean();
    fleet.gateAnswers(
        (site, host, limits) ->
            open.get()
                ? new Admission.Granted()
                : new Admission.Deferred(Duration.ofSeconds(1), Admission.Limit.DELAY));
    fleet.seed("http://a.test/1", "http://a.test/2", "http://a.test/3");
    fleet.start();
    await().until(() -> fleet.queue.releases.size() == 3);

    assertThat(fleet.queue.releases)
        .allSatisfy(
            parked -> assertThat(parked).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(10)));
    assertThat(fleet.fetched).isEmpty();
    assertThat(fleet.page("http://a.test/1").attempts()).isZero();
    assertThat(fleet.count(Meter.TASK_THROTTLED)).isEqualTo(3);

    open.set(true);
    fleet.ahead = Duration.ofSeconds(11);
    fleet.awaitEmptyQueues();
    assertThat(fleet.page("http://a.test/1").state()).isEqualTo(PageState.DONE);
    assertThat(fleet.page("http://a.test/1").attempts()).isZero();
  }

  /** Field report P86: high goes first, and low has its share. */
  @Test
  void run_highIsBusy_lowGetsOnePollInFive() {
    fleet.slots = 1;
    fleet.seed(
        IntStream.range(0, 40).mapToObj(i -> "http://a.test/high" + i).toArray(String[]::new));
    fleet.send(
        Priority.LOW,
        IntStream.range(0, 6)
            .mapToObj(i -> fleet.claimed(SITE, "http://a.test/low" + i))
            .toArray(Task[]::new));
    fleet.start();
    fleet.awaitEmptyQueues();
    List<Integer> low =
        IntStream.range(0, 30)
            .filter(i -> fleet.fetched.get(i).toString().contains("low"))
            .boxed()
            .toList();
    assertThat(low).containsExactly(4, 9, 14, 19, 24, 29);
  }
}
