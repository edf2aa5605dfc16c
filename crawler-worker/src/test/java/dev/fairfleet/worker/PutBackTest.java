package dev.fairfleet.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Discovery;
import dev.fairfleet.frontier.Frontier;
import dev.fairfleet.frontier.Page;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.lease.ParkingPolicy;
import dev.fairfleet.memory.InMemoryFrontier;
import dev.fairfleet.memory.InMemoryTaskQueue;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.metrics.Meters;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PutBackTest {
  private static final SiteId SITE = new SiteId("a");
  private static final CrawlId CRAWL = CrawlId.scheduledFor(Instant.EPOCH);
  private static final CrawlUrl URL = CrawlUrl.of("http://a.test/");
  private static final Duration PARKED = Duration.ofMinutes(10);

  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  // Sent afresh from the first delivery on.
  private final LeasePolicy eager = new LeasePolicy(Duration.ofMinutes(2), 6);
  private final LeasePolicy patient = new LeasePolicy(Duration.ofMinutes(2), 1_000);
  private final InMemoryTaskQueue queue = new InMemoryTaskQueue(clock, patient);
  private final ObservedQueue observed = new ObservedQueue(() -> queue);
  private final InMemoryFrontier frontier = new InMemoryFrontier();
  private final Heartbeat heartbeat = new Heartbeat(patient, queue, clock);

  private PutBack putBack(Frontier frontier, LeasePolicy leases) {
    return new PutBack(
        observed,
        frontier,
        heartbeat,
        new ParkingPolicy(Duration.ZERO, Duration.ZERO),
        leases,
        new Meters(),
        new Random(1));
  }

  private Delivery received() {
    Task task =
        frontier
            .claim(Discovery.ofLinks(SITE, CRAWL, URL, CrawlDepth.ROOT), List.of(URL))
            .getFirst();
    queue.send(List.of(new Dispatch(task, Priority.LOW, Duration.ZERO)));
    Delivery delivery = queue.receive(Priority.LOW, 1, Duration.ZERO).deliveries().getFirst();
    heartbeat.add(delivery.lease());
    return delivery;
  }

  private Page page() {
    return frontier.find(SITE, List.of(URL.hash())).getFirst();
  }

  private List<Task> visibleAfter(Duration passed) {
    clock.advance(passed);
    return queue.receive(Priority.LOW, 10, Duration.ZERO).deliveries().stream()
        .map(Delivery::task)
        .toList();
  }

  @Test
  void after_someTime_isInvisibleUntilThenWhateverTheHeartbeatDoes() {
    putBack(frontier, patient).after(received(), PARKED);
    clock.advance(PARKED.minusSeconds(1));
    heartbeat.beat();

    assertThat(visibleAfter(Duration.ZERO)).isEmpty();
    assertThat(visibleAfter(Duration.ofSeconds(1))).hasSize(1);
  }

  /** Whatever the work on a task still does when stopping has given it back. */
  @Test
  void after_taskWasGivenBack_leavesItVisible() {
    PutBack putBack = putBack(frontier, patient);
    Delivery delivery = received();
    assertThat(putBack.atOnce(delivery.lease())).isTrue();
    putBack.after(delivery, PARKED);

    assertThat(putBack.atOnce(delivery.lease())).isFalse();
    assertThat(putBack.later(delivery)).isFalse();
    assertThat(queue.depth()).isEqualTo(new QueueDepth(1, 0, 0));
    // SQS changes are batched, and of several the last one counts.
    assertThat(observed.releases).containsExactly(Duration.ZERO);
  }

  @Test
  void after_nearTheRedriveLimit_isOneFreshTaskOfTheNextGeneration() {
    putBack(frontier, eager).after(received(), PARKED);

    assertThat(queue.depth()).isEqualTo(new QueueDepth(0, 0, 1));
    assertThat(visibleAfter(PARKED)).extracting(Task::generation).containsExactly(1);
    assertThat(page().generation()).isEqualTo(1);
  }

  @Test
  void after_longerThanSqsCanDelay_isSentForAsLongAsItCan() {
    putBack(frontier, eager).after(received(), Duration.ofHours(2));

    assertThat(visibleAfter(Duration.ofSeconds(899))).isEmpty();
    assertThat(visibleAfter(Duration.ofSeconds(1))).hasSize(1);
  }

  /** Field report P81: an earlier life sent it, and died before the delete. */
  @Test
  void after_staleTaskNearTheRedriveLimit_isDeletedAndNotSentAgain() {
    Delivery delivery = received();
    assertThat(frontier.renew(page())).isPresent();
    putBack(frontier, eager).after(delivery, PARKED);

    assertThat(queue.depth().total()).isZero();
    assertThat(page().generation()).isEqualTo(1);
  }

  /** Two workers hold copies of one task; the last word is one that is not stale. */
  @Test
  void after_pageIsRenewedByAnotherMeanwhile_newestGenerationIsInTheQueue() {
    Delivery delivery = received();
    Frontier slow =
        (Frontier)
            Proxy.newProxyInstance(
                Frontier.class.getClassLoader(),
                new Class<?>[] {Frontier.class},
                (proxy, method, arguments) -> {
                  Object result = method.invoke(frontier, arguments);
                  if (method.getName().equals("read")) {
                    assertThat(frontier.renew(page())).isPresent();
                  }
                  return result;
                });
    putBack(slow, eager).after(delivery, Duration.ZERO);

    assertThat(visibleAfter(Duration.ZERO)).extracting(Task::generation).containsExactly(1, 2);
    assertThat(page().generation()).isEqualTo(2);
  }
}
