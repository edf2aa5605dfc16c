package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class FetchSlotsTest {
  private List<Runnable> later = new ArrayList<>();
  private final FetchSlots slots = new FetchSlots(1, task -> later.add(task));

  private void aWhilePasses() {
    List<Runnable> due = later;
    later = new ArrayList<>();
    due.forEach(Runnable::run);
  }

  /** Returns whether a slot is free, and takes it. */
  private boolean takes() throws InterruptedException {
    CountDownLatch taken = new CountDownLatch(1);
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    slots.acquire();
                    taken.countDown();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    boolean free = taken.await(200, TimeUnit.MILLISECONDS);
    thread.interrupt();
    thread.join();
    return free;
  }

  @Test
  void acquire_pageIsQuick_nextWaitsForItsEnd() throws InterruptedException {
    FetchSlots.Slot first = slots.acquire();
    assertThat(takes()).isFalse();
    first.close();
    assertThat(takes()).isTrue();
  }

  @Test
  void acquire_pageHasBecomeSlow_nextNeedNotWait() throws InterruptedException {
    FetchSlots.Slot first = slots.acquire();
    aWhilePasses();
    assertThat(slots.slow()).isEqualTo(1);
    FetchSlots.Slot second = slots.acquire();
    first.close();
    assertThat(slots.slow()).isZero();
    assertThat(takes()).as("the end of a slow page frees no quick slot").isFalse();
    second.close();
    assertThat(takes()).isTrue();
  }

  @Test
  void acquire_tooManyAreSlow_nextWaitsUntilOneOfThemEnds() throws InterruptedException {
    List<FetchSlots.Slot> slow = new ArrayList<>();
    for (int i = 0; i < FetchSlots.SLOW_PER_SLOT; i++) {
      slow.add(slots.acquire());
      aWhilePasses();
    }
    FetchSlots.Slot last = slots.acquire();
    aWhilePasses();
    assertThat(takes()).isFalse();
    slow.getFirst().close();
    aWhilePasses();
    assertThat(takes()).isTrue();
    last.close();
  }

  @Test
  void close_twice_givesBackOne() throws InterruptedException {
    FetchSlots.Slot slot = slots.acquire();
    slot.close();
    slot.close();
    aWhilePasses();
    assertThat(slots.slow()).isZero();
    assertThat(takes()).isTrue();
    assertThat(takes()).isFalse();
  }
}
