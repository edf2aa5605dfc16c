package dev.fairfleet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.queue.TaskQueueContract;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryTaskQueueTest extends TaskQueueContract {
  private static final Duration NANO = Duration.ofNanos(1);
  private static final Task TASK =
      new Task(
          new SiteId("a"),
          CrawlId.scheduledFor(Instant.EPOCH),
          CrawlUrl.of("http://a.test/"),
          CrawlDepth.ROOT,
          0);

  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
  private final InMemoryTaskQueue virtual =
      new InMemoryTaskQueue(clock, new LeasePolicy(Duration.ofSeconds(30), 6));

  @Override
  protected TaskQueue empty(LeasePolicy leases) {
    return new InMemoryTaskQueue(InstantSource.system(), leases);
  }

  private void send(Duration delay) {
    virtual.send(List.of(new Dispatch(TASK, Priority.HIGH, delay)));
  }

  private List<Delivery> receive() {
    return virtual.receive(Priority.HIGH, 10, Duration.ZERO).deliveries();
  }

  @Test
  void receive_delayed_turnsWithinOneNano() {
    send(Duration.ofMinutes(15));
    clock.advance(Duration.ofMinutes(15).minus(NANO));
    assertThat(receive()).isEmpty();

    clock.advance(NANO);
    assertThat(receive()).hasSize(1).first().extracting(Delivery::dwell).isEqualTo(Duration.ZERO);
  }

  @Test
  void receive_leased_turnsWithinOneNano() {
    send(Duration.ZERO);
    receive();
    clock.advance(Duration.ofSeconds(30).minus(NANO));
    assertThat(receive()).isEmpty();

    clock.advance(NANO);
    assertThat(receive()).hasSize(1);
  }

  @Test
  void release_beyondTwelveHours_isClamped() {
    send(Duration.ZERO);
    virtual.release(receive().getFirst().lease(), Duration.ofHours(13));
    clock.advance(LeasePolicy.MAX_INVISIBLE);

    assertThat(receive()).hasSize(1);
  }

  /**
   * P75: parked again and again for more than twelve hours, a task is back before they are over.
   */
  @Test
  void release_againAndAgain_neverLastsBeyondTwelveHoursFromTheReceive() {
    send(Duration.ZERO);
    Instant received = clock.instant();
    Delivery parked = receive().getFirst();
    List<Delivery> again = List.of();
    while (again.isEmpty() && clock.instant().isBefore(received.plus(Duration.ofHours(13)))) {
      virtual.release(parked.lease(), Duration.ofMinutes(15));
      clock.advance(Duration.ofSeconds(10));
      again = receive();
    }

    assertThat(again).hasSize(1);
    assertThat(clock.instant())
        .isBetween(
            received.plus(LeasePolicy.MAX_INVISIBLE).minusSeconds(40),
            received.plus(LeasePolicy.MAX_INVISIBLE));
  }

  @Test
  void delete_leaseThatRanOut_doesNotTouchTheNextDelivery() {
    send(Duration.ZERO);
    Delivery late = receive().getFirst();
    clock.advance(Duration.ofSeconds(30));
    receive();

    virtual.delete(late.lease());
    virtual.release(late.lease(), Duration.ZERO);

    assertThat(virtual.depth().inFlight()).isEqualTo(1);
  }

  @Test
  void receive_tooOften_isADeadLetter() {
    send(Duration.ZERO);
    for (int i = 0; i < 7; i++) {
      receive();
      clock.advance(Duration.ofSeconds(30));
    }

    assertThat(virtual.deadLetters()).containsExactly(TASK);
    assertThat(virtual.depth().total()).isZero();
  }

  @Test
  void dwell_waitedBeyondItsDelay_isTheRest() {
    send(Duration.ofMinutes(1));
    clock.advance(Duration.ofSeconds(75));

    assertThat(receive().getFirst().dwell()).isEqualTo(Duration.ofSeconds(15));
  }
}
