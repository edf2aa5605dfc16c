package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PlacesTest {
  private static final Duration NEVER = Duration.ofDays(1);
  private static final Duration AT_ONCE = Duration.ZERO;

  private final Places places = new Places(3);

  /** Something that waits on a thread of its own. */
  private interface Waiting<T> {
    T get() throws InterruptedException;
  }

  private static <T> CompletableFuture<T> started(Waiting<T> waiting) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              try {
                result.complete(waiting.get());
              } catch (InterruptedException e) {
                result.completeExceptionally(e);
              }
            });
    await().until(() -> result.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
    return result;
  }

  @Test
  void take_asManyAsAreFree_takesThem() {
    assertThat(places.take(3)).isTrue();
    assertThat(places.free()).isZero();
    assertThat(places.all()).isEqualTo(3);
  }

  @Test
  void take_oneMoreThanIsFree_takesNone() {
    assertThat(places.take(4)).isFalse();
    assertThat(places.free()).isEqualTo(3);
  }

  @Test
  void gather_enoughAreFree_takesThemAtOnce() throws InterruptedException {
    assertThat(places.gather(2, NEVER)).isEqualTo(2);
    assertThat(places.free()).isEqualTo(1);
  }

  @Test
  void gather_tooFewInTime_takesWhatThereIs() throws InterruptedException {
    assertThat(places.take(2)).isTrue();
    assertThat(places.gather(2, AT_ONCE)).isEqualTo(1);
    assertThat(places.gather(2, AT_ONCE)).isZero();
  }

  @Test
  void gather_placesComeBack_takesThem() throws Exception {
    assertThat(places.take(3)).isTrue();
    CompletableFuture<Integer> gathered = started(() -> places.gather(2, NEVER));
    places.give(1);
    assertThat(gathered).isNotDone();
    places.give(1);
    assertThat(gathered.get()).isEqualTo(2);
    assertThat(places.free()).isZero();
  }

  @Test
  void awaitChange_changedSinceSeen_returnsAtOnce() throws InterruptedException {
    long seen = places.changes();
    places.give(0);
    places.awaitChange(seen, NEVER);
    assertThat(places.changes()).isEqualTo(seen + 1);
  }

  @Test
  void awaitChange_nothingFreeButAChange_returns() throws Exception {
    assertThat(places.take(3)).isTrue();
    long seen = places.changes();
    CompletableFuture<Boolean> changed =
        started(
            () -> {
              places.awaitChange(seen, NEVER);
              return true;
            });
    assertThat(changed).isNotDone();
    places.give(0);
    assertThat(changed.get()).isTrue();
  }

  @Test
  void awaitChange_noChange_returnsWhenTheTimeHasPassed() throws InterruptedException {
    places.awaitChange(places.changes(), Duration.ofMillis(1));
    assertThat(places.changes()).isZero();
  }

  @Test
  void awaitAll_oneIsTaken_isFalseInTimeAndTrueOnceItIsBack() throws Exception {
    assertThat(places.take(1)).isTrue();
    assertThat(places.awaitAll(AT_ONCE)).isFalse();
    CompletableFuture<Boolean> all = started(() -> places.awaitAll(NEVER));
    places.give(1);
    assertThat(all.get()).isTrue();
  }
}
