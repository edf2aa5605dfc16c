package dev.fairfleet.dynamodb;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.AbortedException;

/** Makes blocking calls side by side on virtual threads, a bounded number at a time. */
final class SideBySide {
  private SideBySide() {}

  /**
   * Returns what {@code call} returns for each input, in the order of the inputs. The first failure
   * interrupts the other calls and is thrown.
   *
   * @param atOnce most calls at a time
   * @throws AbortedException if the caller is interrupted
   */
  static <T, R> List<R> map(List<T> inputs, int atOnce, Function<T, R> call) {
    if (inputs.size() <= 1) {
      return inputs.stream().map(call).toList();
    }
    Semaphore turns = new Semaphore(atOnce);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<R>> calls = new ArrayList<>(inputs.size());
      for (T input : inputs) {
        calls.add(
            threads.submit(
                () -> {
                  turns.acquire();
                  try {
                    return call.apply(input);
                  } finally {
                    turns.release();
                  }
                }));
      }
      try {
        List<R> results = new ArrayList<>(inputs.size());
        for (Future<R> result : calls) {
          results.add(result.get());
        }
        return results;
      } catch (ExecutionException e) {
        threads.shutdownNow();
        throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
      } catch (InterruptedException e) {
        threads.shutdownNow();
        Thread.currentThread().interrupt();
        throw AbortedException.create("Interrupted while waiting for calls to DynamoDB", e);
      }
    }
  }
}
