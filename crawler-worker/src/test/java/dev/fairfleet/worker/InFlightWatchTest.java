package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.lease.Lease;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.queue.Received;
import dev.fairfleet.queue.TaskQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Field report P77. */
@Timeout(60)
final class InFlightWatchTest {
  private static final Duration MILLI = Duration.ofMillis(1);

  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private final Depth queue = new Depth();
  private final InFlightWatch watch = new InFlightWatch(queue, 100, clock);

  /** A queue that knows only how deep it is. */
  private static final class Depth implements TaskQueue {
    volatile long inFlight;
    volatile int asked;
    volatile boolean broken;
    volatile CountDownLatch answer = new CountDownLatch(0);

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // asked by one thread at a time
    public QueueDepth depth() {
      asked++;
      try {
        answer.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (broken) {
        throw new IllegalStateException("no answer");
      }
      return new QueueDepth(1_000, inFlight, 1_000);
    }

    @Override
    public Received receive(Priority priority, int max, Duration wait) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void send(Collection<Dispatch> dispatches) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void delete(Lease lease) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void release(Lease lease, Duration after) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @CsvSource({"0, false", "79, false", "80, true", "100, true"})
  void nearsQuota_tasksInFlight_isTrueFromFourFifthsOn(long inFlight, boolean near) {
    queue.inFlight = inFlight;
    assertThat(watch.nearsQuota()).isEqualTo(near);
  }

  @Test
  void nearsQuota_askedAgainAndAgain_asksTheQueuesEveryHalfMinute() {
    queue.inFlight = 80;
    assertThat(watch.nearsQuota()).isTrue();
    queue.inFlight = 0;
    clock.advance(Duration.ofSeconds(30).minus(MILLI));
    assertThat(watch.nearsQuota()).isTrue();
    assertThat(queue.asked).isEqualTo(1);
    clock.advance(MILLI);
    assertThat(watch.nearsQuota()).isFalse();
    assertThat(queue.asked).isEqualTo(2);
  }

  @Test
  void nearsQuota_queuesCannotSay_isFalse() {
    queue.inFlight = 80;
    assertThat(watch.nearsQuota()).isTrue();
    queue.broken = true;
    clock.advance(Duration.ofSeconds(30));
    assertThat(watch.nearsQuota()).isFalse();
  }

  @Test
  void nearsQuota_queuesAreSlow_nobodyElseWaits() throws InterruptedException {
    queue.inFlight = 80;
    queue.answer = new CountDownLatch(1);
    Thread asking = Thread.startVirtualThread(watch::nearsQuota);
    while (queue.asked == 0) {
      Thread.onSpinWait();
    }
    clock.advance(Duration.ofMinutes(5));
    assertThat(watch.nearsQuota()).isFalse();
    queue.answer.countDown();
    asking.join();
    assertThat(queue.asked).isEqualTo(1);
  }
}
