package dev.fairfleet.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.frontier.TaskKind;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every task queue must do, in real time. */
public abstract class TaskQueueContract {
  private static final Duration NOW = Duration.ZERO;
  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration NEVER = Duration.ofMinutes(15);
  private static final int PATIENCE = 30;
  private static final LeasePolicy LONG = new LeasePolicy(Duration.ofMinutes(10), 100);
  private static final LeasePolicy SHORT = new LeasePolicy(Duration.ofSeconds(1), 100);

  private @Nullable TaskQueue opened;

  /** Returns a task queue with nothing in it. */
  protected abstract TaskQueue empty(LeasePolicy leases);

  private TaskQueue open(LeasePolicy leases) {
    TaskQueue queue = empty(leases);
    opened = queue;
    return queue;
  }

  @AfterEach
  void close() {
    if (opened != null) {
      opened.close();
    }
  }

  private static Task task(int number) {
    return new Task(
        new SiteId("site" + number % 3),
        CrawlId.scheduledFor(Instant.EPOCH),
        CrawlUrl.of("http://a.test/" + number),
        new CrawlDepth(number),
        number);
  }

  private static Dispatch high(int number) {
    return new Dispatch(task(number), Priority.HIGH, NOW);
  }

  private static List<Task> tasks(List<Delivery> deliveries) {
    return deliveries.stream().map(Delivery::task).toList();
  }

  /** Receives until {@code count} tasks are there, or patience with an empty queue ends. */
  private static List<Delivery> receive(TaskQueue queue, Priority priority, int count) {
    List<Delivery> all = new ArrayList<>();
    for (int empty = 0; empty < PATIENCE && all.size() < count; ) {
      Received some =
          queue.receive(priority, Math.min(count - all.size(), TaskQueue.MAX_BATCH), SOON);
      all.addAll(some.deliveries());
      empty += some.deliveries().isEmpty() ? 1 : 0;
    }
    return all;
  }

  private static List<Delivery> receiveNow(TaskQueue queue, Priority priority) {
    return queue.receive(priority, TaskQueue.MAX_BATCH, NOW).deliveries();
  }

  @Test
  void receive_nothingSent_isEmpty() {
    TaskQueue queue = open(LONG);

    assertThat(queue.receive(Priority.HIGH, 10, NOW)).isEqualTo(new Received(List.of(), 0));
    assertThat(queue.depth()).isEqualTo(new QueueDepth(0, 0, 0));
  }

  @Test
  void send_task_isReceivedAsItWas() {
    TaskQueue queue = open(LONG);

    queue.send(List.of(high(7)));

    List<Delivery> deliveries = receive(queue, Priority.HIGH, 1);
    assertThat(tasks(deliveries)).containsExactly(task(7));
    Delivery delivery = deliveries.getFirst();
    assertThat(delivery.priority()).isEqualTo(Priority.HIGH);
    assertThat(delivery.lease().receiveCount()).isEqualTo(1);
    assertThat(delivery.lease().receivedAt())
        .isBetween(Instant.now().minusSeconds(60), Instant.now());
    assertThat(delivery.dwell()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
  }

  @Test
  void send_pageAndEndOfCrawlWithOneUrl_bothAreReceivedAsTheyWere() {
    TaskQueue queue = open(LONG);
    Task page = task(7);
    Task end =
        new Task(
            page.site(), page.crawl(), page.url(), page.depth(), page.generation(), TaskKind.END);

    queue.send(List.of(high(7), new Dispatch(end, Priority.HIGH, NOW)));

    assertThat(tasks(receive(queue, Priority.HIGH, 2))).containsExactlyInAnyOrder(page, end);
  }

  @Test
  void send_toOneQueue_isNotReceivedFromTheOther() {
    TaskQueue queue = open(LONG);

    queue.send(List.of(high(1), new Dispatch(task(2), Priority.LOW, NOW)));

    assertThat(tasks(receive(queue, Priority.LOW, 1))).containsExactly(task(2));
    assertThat(tasks(receive(queue, Priority.HIGH, 1))).containsExactly(task(1));
    assertThat(receiveNow(queue, Priority.LOW)).isEmpty();
  }

  @Test
  void send_none_doesNothing() {
    TaskQueue queue = open(LONG);

    queue.send(List.of());

    assertThat(queue.depth().total()).isZero();
  }

  @Test
  void send_sameTaskTwiceInOneCall_isThereTwice() {
    TaskQueue queue = open(LONG);

    queue.send(List.of(high(1), high(1)));

    assertThat(tasks(receive(queue, Priority.HIGH, 2))).containsExactly(task(1), task(1));
  }

  @Test
  void receive_fewerThanThereAre_returnsAtMostThatMany() {
    TaskQueue queue = open(LONG);
    queue.send(List.of(high(1), high(2), high(3)));

    assertThat(queue.receive(Priority.HIGH, 2, SOON).deliveries()).hasSizeBetween(1, 2);
  }

  @Test
  void receive_leased_isNotReceivedByAnother() {
    TaskQueue queue = open(LONG);
    queue.send(List.of(high(1)));
    receive(queue, Priority.HIGH, 1);

    assertThat(receiveNow(queue, Priority.HIGH)).isEmpty();
    assertThat(queue.depth()).isEqualTo(new QueueDepth(0, 1, 0));
  }

  @Test
  void send_delayed_isNotReceivedBefore() {
    TaskQueue queue = open(LONG);

    queue.send(List.of(new Dispatch(task(1), Priority.LOW, NEVER)));

    assertThat(receiveNow(queue, Priority.LOW)).isEmpty();
    assertThat(queue.depth()).isEqualTo(new QueueDepth(0, 0, 1));
  }

  @Test
  void send_delayed_isReceivedAfterwardsAndDelayIsNoDwell() {
    TaskQueue queue = open(LONG);
    Instant sent = Instant.now();

    queue.send(List.of(new Dispatch(task(1), Priority.LOW, Duration.ofSeconds(2))));

    List<Delivery> deliveries = receive(queue, Priority.LOW, 1);
    assertThat(tasks(deliveries)).containsExactly(task(1));
    assertThat(deliveries.getFirst().dwell())
        .isLessThanOrEqualTo(Duration.between(sent, Instant.now()).minusSeconds(1));
  }

  @Test
  void lease_ranOut_isDeliveredAgainWithAHigherCount() {
    TaskQueue queue = open(SHORT);
    queue.send(List.of(high(1)));
    receive(queue, Priority.HIGH, 1);

    List<Delivery> again = receive(queue, Priority.HIGH, 1);

    assertThat(tasks(again)).containsExactly(task(1));
    assertThat(again.getFirst().lease().receiveCount()).isEqualTo(2);
    assertThat(again.getFirst().dwell()).isZero();
  }

  @Test
  void release_zero_givesItBackAtOnce() {
    TaskQueue queue = open(LONG);
    queue.send(List.of(high(1)));
    Delivery first = receive(queue, Priority.HIGH, 1).getFirst();

    queue.release(first.lease(), Duration.ZERO);

    assertThat(tasks(receive(queue, Priority.HIGH, 1))).containsExactly(task(1));
  }

  @Test
  void release_later_parksIt() {
    TaskQueue queue = open(LONG);
    queue.send(List.of(high(1)));
    Delivery first = receive(queue, Priority.HIGH, 1).getFirst();

    queue.release(first.lease(), Duration.ofMillis(1_001));

    assertThat(receiveNow(queue, Priority.HIGH)).isEmpty();
    assertThat(tasks(receive(queue, Priority.HIGH, 1))).containsExactly(task(1));
  }

  @Test
  void release_twice_countsTheLast() {
    TaskQueue queue = open(LONG);
    queue.send(List.of(high(1)));
    Delivery first = receive(queue, Priority.HIGH, 1).getFirst();

    queue.release(first.lease(), NEVER);
    queue.release(first.lease(), Duration.ZERO);

    assertThat(tasks(receive(queue, Priority.HIGH, 1))).containsExactly(task(1));
  }

  @Test
  void delete_task_removesIt() {
    TaskQueue queue = open(SHORT);
    queue.send(List.of(high(1)));
    queue.delete(receive(queue, Priority.HIGH, 1).getFirst().lease());
    queue.close();

    assertThat(queue.depth().total()).isZero();
  }

  @Test
  void delete_twiceAndReleasedAfterwards_isHarmless() {
    TaskQueue queue = open(LONG);
    queue.send(List.of(high(1), high(2)));
    List<Delivery> both = receive(queue, Priority.HIGH, 2);

    queue.delete(both.get(0).lease());
    queue.delete(both.get(0).lease());
    queue.release(both.get(0).lease(), Duration.ZERO);
    queue.delete(both.get(1).lease());
    queue.close();

    assertThat(queue.depth().total()).isZero();
  }

  @Test
  void receive_moreThanMaxReceiveCount_isNoLongerDelivered() {
    TaskQueue queue = open(new LeasePolicy(Duration.ofMinutes(10), 6));
    queue.send(List.of(high(1)));
    for (int count = 1; count <= 6; count++) {
      Delivery delivery = receive(queue, Priority.HIGH, 1).getFirst();
      assertThat(delivery.lease().receiveCount()).isEqualTo(count);
      queue.release(delivery.lease(), Duration.ZERO);
    }

    assertThat(queue.receive(Priority.HIGH, 1, Duration.ofSeconds(2)).deliveries()).isEmpty();
    assertThat(queue.depth().total()).isZero();
  }

  @Test
  void send_manyThreadsAtOnce_losesNothing() throws Exception {
    TaskQueue queue = open(LONG);
    int threads = 32;
    int each = 13;
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> sent = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        List<Dispatch> some = new ArrayList<>();
        for (int i = 0; i < each; i++) {
          some.add(high(thread * each + i));
        }
        sent.add(senders.submit(() -> queue.send(some)));
      }
      for (Future<?> done : sent) {
        done.get();
      }
    }

    // Delivery is at least once: an attempt that timed out may have been carried out as well.
    Set<Task> distinct = new HashSet<>();
    for (int empty = 0; empty < PATIENCE && distinct.size() < threads * each; ) {
      List<Delivery> some = queue.receive(Priority.HIGH, TaskQueue.MAX_BATCH, SOON).deliveries();
      some.forEach(delivery -> queue.delete(delivery.lease()));
      distinct.addAll(tasks(some));
      empty += some.isEmpty() ? 1 : 0;
    }

    assertThat(distinct).hasSize(threads * each);
  }
}
