package dev.fairfleet.frontier;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Several callers who begin at the same moment. */
public final class Race {
  private Race() {}

  /** Returns what each of {@code runners} callers got; {@code run} is given 0, 1, 2, … */
  public static <T> List<T> of(int runners, IntFunction<T> run) {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < runners; i++) {
        int runner = i;
        running.add(
            threads.submit(
                () -> {
                  start.await();
                  return run.apply(runner);
                }));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> result : running) {
        results.add(result.get());
      }
      return results;
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError("A runner failed", e);
    }
  }
}
