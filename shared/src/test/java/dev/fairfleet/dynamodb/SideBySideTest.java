package dev.fairfleet.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SideBySideTest {
  @Test
  void map_manyInputs_keepsTheirOrder() {
    List<Integer> inputs = IntStream.range(0, 100).boxed().toList();
    assertThat(SideBySide.map(inputs, 4, i -> i * 2))
        .isEqualTo(inputs.stream().map(i -> i * 2).toList());
  }

  @Test
  @Timeout(10)
  void map_asManyCallsAsAllowed_runAtOnceAndNoMore() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CyclicBarrier allFour = new CyclicBarrier(4);
    SideBySide.map(
        IntStream.range(0, 40).boxed().toList(),
        4,
        i -> {
          most.accumulateAndGet(running.incrementAndGet(), Math::max);
          try {
            allFour.await();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
          running.decrementAndGet();
          return i;
        });
    assertThat(most).hasValue(4);
  }

  @Test
  @Timeout(10)
  void map_oneCallFails_interruptsTheOthersAndThrows() {
    CountDownLatch never = new CountDownLatch(1);
    IllegalStateException failure = new IllegalStateException("first");
    assertThatThrownBy(
            () ->
                SideBySide.map(
                    List.of(0, 1, 2),
                    2,
                    i -> {
                      if (i == 0) {
                        throw failure;
                      }
                      try {
                        never.await();
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                      return i;
                    }))
        .isSameAs(failure);
  }
}
