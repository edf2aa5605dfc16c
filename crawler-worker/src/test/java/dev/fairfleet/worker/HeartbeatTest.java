package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.Lease;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Field report P88: whether a lease was renewed shows at the queue, not in the call. */
final class HeartbeatTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration THIRD = LEASE.dividedBy(3);
  private static final Duration MILLI = Duration.ofMillis(1);

  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private final LeasePolicy policy = new LeasePolicy(LEASE, 1_000);
  private final InMemoryTaskQueue queue = new InMemoryTaskQueue(clock, policy);
  private final Heartbeat heartbeat = new Heartbeat(policy, queue, clock);

  private List<Lease> receive() {
    return queue.receive(Priority.HIGH, 10, Duration.ZERO).deliveries().stream()
        .map(Delivery::lease)
        .toList();
  }

  private Lease received(String path) {
    Task task =
        new Task(
            new SiteId("a"),
            CrawlId.scheduledFor(Instant.EPOCH),
            CrawlUrl.of("http://a.test" + path),
            CrawlDepth.ROOT,
            0);
    queue.send(List.of(new Dispatch(task, Priority.HIGH, Duration.ZERO)));
    return receive().getFirst();
  }

  @Test
  void beat_oneMilliBeforeAThirdOfTheLease_renewsNothing() {
    heartbeat.add(received("/"));
    clock.advance(THIRD.minus(MILLI));
    heartbeat.beat();
    clock.advance(LEASE.minus(THIRD).plus(MILLI));
    assertThat(receive()).hasSize(1);
  }

  @Test
  void beat_atAThirdOfTheLease_renewsIt() {
    heartbeat.add(received("/"));
    clock.advance(THIRD);
    heartbeat.beat();
    clock.advance(LEASE.minus(MILLI));
    assertThat(receive()).isEmpty();
    clock.advance(MILLI);
    assertThat(receive()).hasSize(1);
  }

  @Test
  void beat_workOfManyLeases_keepsTheTaskToItself() {
    heartbeat.add(received("/"));
    for (Duration worked = Duration.ZERO;
        worked.compareTo(LEASE.multipliedBy(20)) < 0;
        worked = worked.plusMillis(500)) {
      clock.advance(Duration.ofMillis(500));
      heartbeat.beat();
      assertThat(receive()).as("after %s", worked).isEmpty();
    }
  }

  @Test
  void beat_removedLease_isNotRenewedAndOthersAre() {
    Lease removed = received("/removed");
    Lease kept = received("/kept");
    heartbeat.add(removed);
    heartbeat.add(kept);
    assertThat(heartbeat.remove(removed)).isTrue();
    clock.advance(THIRD);
    heartbeat.beat();
    clock.advance(LEASE.minus(THIRD));
    assertThat(receive()).hasSize(1);
    assertThat(heartbeat.inHand()).containsExactly(kept);
  }

  @Test
  void remove_twice_isOwnedOnlyTheFirstTime() {
    Lease lease = received("/");
    heartbeat.add(lease);
    assertThat(heartbeat.remove(lease)).isTrue();
    assertThat(heartbeat.remove(lease)).isFalse();
    assertThat(heartbeat.inHand()).isEmpty();
  }
}
