package dev.fairfleet.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.fairfleet.retry.RetryPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

class BatcherTest {
  private static final Duration FOREVER = Duration.ofDays(1);
  private static final Duration AT_ONCE = Duration.ofMillis(1);
  private static final RetryPolicy THREE_TIMES = new RetryPolicy(3, Duration.ZERO, Duration.ZERO);

  /** A server that answers as told, and by saying yes when nothing is told. */
  private static final class Server implements Batcher.Request<String> {
    final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
    final Queue<Function<List<String>, Batcher.Reply>> answers = new ArrayDeque<>();

    @Override
    public synchronized Batcher.Reply send(List<String> batch) {
      batches.add(List.copyOf(batch));
      return answers.isEmpty() ? yes(batch) : answers.remove().apply(batch);
    }

    static Batcher.Reply yes(List<String> batch) {
      return new Batcher.Reply(ids(batch.size()), List.of());
    }

    static Set<String> ids(int count) {
      return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.toSet());
    }
  }

  private static final class Outcomes implements Batcher.Outcome<String> {
    final Queue<String> done = new ConcurrentLinkedQueue<>();
    final Map<String, String> failed = new ConcurrentHashMap<>();
    final CountDownLatch left;

    Outcomes(int count) {
      left = new CountDownLatch(count);
    }

    @Override
    public void done(String entry) {
      done.add(entry);
      left.countDown();
    }

    @Override
    public void failed(String entry, String reason) {
      failed.put(entry, reason);
      left.countDown();
    }

    void await() throws InterruptedException {
      assertThat(left.await(30, TimeUnit.SECONDS)).as("every entry has an outcome").isTrue();
    }
  }

  private final Server server = new Server();

  private Batcher<String> batcher(Duration linger) {
    return new Batcher<>(server, String::length, linger, THREE_TIMES, new Random(1));
  }

  private static List<String> entries(int count) {
    return IntStream.range(0, count).mapToObj(i -> "e" + i).toList();
  }

  private static BatchResultErrorEntry failure(int id, boolean senderFault) {
    return BatchResultErrorEntry.builder()
        .id(Integer.toString(id))
        .code("Broken")
        .message("it is")
        .senderFault(senderFault)
        .build();
  }

  @Test
  void add_tenEntries_leaveWithoutLingering() throws Exception {
    Outcomes outcomes = new Outcomes(10);

    batcher(FOREVER).add(entries(10), outcomes);

    outcomes.await();
    assertThat(server.batches).containsExactly(entries(10));
  }

  @Test
  void add_twentyThreeEntries_twentyLeaveAtOnceAndTheRestWithClose() throws Exception {
    Outcomes outcomes = new Outcomes(23);
    Batcher<String> batcher = batcher(FOREVER);

    batcher.add(entries(23), outcomes);
    batcher.close();

    outcomes.await();
    assertThat(server.batches).extracting(List::size).containsExactlyInAnyOrder(10, 10, 3);
    assertThat(outcomes.done).containsExactlyInAnyOrderElementsOf(entries(23));
  }

  @Test
  void add_fewEntries_leaveAfterLingering() throws Exception {
    Outcomes outcomes = new Outcomes(1);

    batcher(AT_ONCE).add(entries(1), outcomes);

    outcomes.await();
    assertThat(outcomes.done).containsExactly("e0");
  }

  @Test
  void add_byManyThreads_sharesBatches() throws Exception {
    Outcomes outcomes = new Outcomes(100);
    Batcher<String> batcher = batcher(FOREVER);
    List<Thread> threads = new ArrayList<>();
    for (String entry : entries(100)) {
      threads.add(Thread.startVirtualThread(() -> batcher.add(List.of(entry), outcomes)));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    outcomes.await();
    assertThat(server.batches).hasSize(10).allMatch(batch -> batch.size() == 10);
  }

  /** P83: ten small entries can be too large together. */
  @Test
  void add_largeEntries_splitsByBytes() throws Exception {
    Outcomes outcomes = new Outcomes(10);
    List<String> large = Collections.nCopies(10, "x".repeat(120_000));
    Batcher<String> batcher = batcher(FOREVER);

    batcher.add(large, outcomes);
    batcher.close();

    assertThat(server.batches).hasSize(5).allMatch(batch -> batch.size() == 2);
  }

  @ParameterizedTest
  @CsvSource({"131072, 1", "131073, 2"})
  void add_twoEntriesAroundTheByteLimit_shareABatchIfTheyFitExactly(int bytes, int batches) {
    Batcher<String> batcher = batcher(FOREVER);

    batcher.add(Collections.nCopies(2, "x".repeat(bytes)), new Outcomes(2));
    batcher.close();

    assertThat(server.batches).hasSize(batches);
  }

  @Test
  void add_entryAboveTheByteLimit_failsAloneAndIsNotSent() throws Exception {
    Outcomes outcomes = new Outcomes(2);
    String oversize = "x".repeat(Batcher.MAX_BYTES + 1);

    batcher(AT_ONCE).add(List.of(oversize, "ordinary"), outcomes);

    outcomes.await();
    assertThat(outcomes.done).containsExactly("ordinary");
    assertThat(outcomes.failed).containsOnlyKeys(oversize);
    assertThat(outcomes.failed.get(oversize)).isEqualTo("it has 262145 bytes, more than 262144");
  }

  /** P78: one entry failed by the server's fault, one by ours, and one is not mentioned. */
  @Test
  void add_someEntriesFail_retriesThoseThatMaySucceed() throws Exception {
    server.answers.add(
        batch -> {
          Set<String> done = Server.ids(10);
          done.removeAll(Set.of("3", "7", "9"));
          return new Batcher.Reply(done, List.of(failure(3, false), failure(7, true)));
        });
    Outcomes outcomes = new Outcomes(10);

    batcher(FOREVER).add(entries(10), outcomes);

    outcomes.await();
    assertThat(server.batches).containsExactly(entries(10), List.of("e3", "e9"));
    assertThat(outcomes.failed).containsExactly(Map.entry("e7", "Broken: it is"));
    assertThat(outcomes.done).hasSize(9).doesNotHaveDuplicates();
  }

  /** P79: entries may be equal; their ids are not, and each has its own fate. */
  @Test
  void add_equalEntries_areSentAndRetriedEachForItself() throws Exception {
    server.answers.add(batch -> new Batcher.Reply(Set.of("0"), List.of(failure(1, false))));
    Outcomes outcomes = new Outcomes(2);
    Batcher<String> batcher = batcher(FOREVER);

    batcher.add(List.of("same", "same"), outcomes);
    batcher.close();

    outcomes.await();
    assertThat(server.batches).containsExactly(List.of("same", "same"), List.of("same"));
    assertThat(outcomes.done).containsExactly("same", "same");
  }

  @Test
  void add_neverMentioned_failsAfterTheLastAttempt() throws Exception {
    for (int i = 0; i < 3; i++) {
      server.answers.add(batch -> new Batcher.Reply(Set.of(), List.of()));
    }
    Outcomes outcomes = new Outcomes(1);

    batcher(AT_ONCE).add(entries(1), outcomes);

    outcomes.await();
    assertThat(server.batches).hasSize(3);
    assertThat(outcomes.failed).containsExactly(Map.entry("e0", "the answer does not mention it"));
  }

  @Test
  void add_requestFailsOnce_isSentAgain() throws Exception {
    server.answers.add(
        batch -> {
          throw SdkClientException.create("connection reset");
        });
    Outcomes outcomes = new Outcomes(2);

    batcher(AT_ONCE).add(entries(2), outcomes);

    outcomes.await();
    assertThat(server.batches).containsExactly(entries(2), entries(2));
    assertThat(outcomes.done).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"400, 1", "404, 1", "500, 3", "503, 3"})
  void add_serverRefusesTheRequest_isSentAgainUnlessItIsOurFault(int status, int requests)
      throws Exception {
    for (int i = 0; i < 3; i++) {
      server.answers.add(
          batch -> {
            throw SqsException.builder().message("no").statusCode(status).build();
          });
    }
    Outcomes outcomes = new Outcomes(1);

    batcher(AT_ONCE).add(entries(1), outcomes);

    outcomes.await();
    assertThat(server.batches).hasSize(requests);
    assertThat(outcomes.failed).containsOnlyKeys("e0");
  }

  @Test
  void add_closed_isRefused() {
    Batcher<String> batcher = batcher(FOREVER);
    batcher.close();

    assertThatIllegalStateException().isThrownBy(() -> batcher.add(entries(1), new Outcomes(1)));
  }
}
