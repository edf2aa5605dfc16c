package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.Received;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.queue.TaskQueueContract;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.sqs.Queues;
import dev.fairfleet.sqs.SqsClients;
import dev.fairfleet.sqs.SqsTaskQueue;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.wire.TaskCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

class SqsTaskQueueIT extends TaskQueueContract {
  private static final LeasePolicy LEASES = new LeasePolicy(Duration.ofMinutes(2), 100);
  private static final Task TASK =
      new Task(
          new SiteId("a"),
          CrawlId.scheduledFor(Instant.EPOCH),
          CrawlUrl.of("http://a.test/0"),
          CrawlDepth.ROOT,
          0);

  @SuppressWarnings("NullAway.Init")
  private static SqsClient client;

  private final String prefix = "test-" + UUID.randomUUID();

  @BeforeAll
  static void connect() {
    client = SqsClients.local(TestServices.sqs(), List.of());
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  @Override
  protected TaskQueue empty(LeasePolicy leases) {
    return open(Queues.createMissing(client, prefix, leases), leases);
  }

  private static TaskQueue open(Queues queues, LeasePolicy leases) {
    return new SqsTaskQueue(
        client,
        queues,
        leases,
        SqsTaskQueue.Lingering.DEFAULT,
        InstantSource.system(),
        new Random());
  }

  @Test
  void createMissing_twice_findsTheSameQueues() {
    Queues created = Queues.createMissing(client, prefix, LEASES);

    assertThat(Queues.createMissing(client, prefix, LEASES)).isEqualTo(created);
    assertThat(Queues.find(client, prefix)).isEqualTo(created);
    assertThat(created.high().queue()).endsWith(prefix + "high");
    assertThat(created.low().deadLetters()).endsWith(prefix + "low-dead");
  }

  @Test
  void createMissing_queue_hasTheStatedAttributes() {
    Queues queues = Queues.createMissing(client, prefix, LEASES);

    Map<QueueAttributeName, String> attributes = attributes(queues.low().queue());

    assertThat(attributes)
        .containsEntry(QueueAttributeName.VISIBILITY_TIMEOUT, "120")
        .containsEntry(QueueAttributeName.RECEIVE_MESSAGE_WAIT_TIME_SECONDS, "20");
    assertThat(attributes.get(QueueAttributeName.REDRIVE_POLICY))
        .contains(prefix + "low-dead")
        .contains("100");
  }

  private static Map<QueueAttributeName, String> attributes(String url) {
    return client
        .getQueueAttributes(request -> request.queueUrl(url).attributeNames(QueueAttributeName.ALL))
        .attributes();
  }

  @Test
  void find_noSuchQueues_saysWhich() {
    assertThatIllegalStateException()
        .isThrownBy(() -> Queues.find(client, prefix))
        .withMessageContaining(prefix + "high");
  }

  /** P89: the bad end in the dead-letter queue with a reason, and the good one is done once. */
  @Test
  void receive_poisonAmongGood_isMovedToTheDeadLetterQueue() {
    Queues queues = Queues.createMissing(client, prefix, LEASES);
    String good = new TaskCodec().encode(TASK);
    List<String> poison =
        List.of(
            "not JSON",
            "{\"v\":1}",
            good.replace("/0", "/" + "x".repeat(100_000)),
            good.replace("\"v\":1", "\"v\":2"),
            good.replace("\"depth\":0", "\"depth\":-1"),
            good.replace("\"depth\":0", "\"depth\":1000000000"),
            good.replace("\"a\"", "\"a\\u0000\""));
    poison.forEach(body -> send(queues, body));
    send(queues, good);
    List<Delivery> delivered = new ArrayList<>();
    try (TaskQueue queue = open(queues, LEASES)) {
      int unreadable = 0;
      while (unreadable + delivered.size() < poison.size() + 1) {
        Received received = queue.receive(Priority.LOW, 10, Duration.ofSeconds(1));
        unreadable += received.unreadable();
        delivered.addAll(received.deliveries());
      }
      delivered.forEach(delivery -> queue.delete(delivery.lease()));
    }

    assertThat(delivered).extracting(Delivery::task).containsExactly(TASK);
    assertThat(reasons(queues.low().deadLetters(), poison.size()))
        .hasSize(poison.size())
        .allSatisfy(reason -> assertThat(reason).isNotBlank().hasSizeLessThan(400));
    assertThat(open(queues, LEASES).depth().total()).isZero();
  }

  private static void send(Queues queues, String body) {
    client.sendMessage(request -> request.queueUrl(queues.low().queue()).messageBody(body));
  }

  private static List<String> reasons(String deadLetters, int count) {
    List<Message> dead = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              dead.addAll(
                  client
                      .receiveMessage(
                          request ->
                              request
                                  .queueUrl(deadLetters)
                                  .maxNumberOfMessages(10)
                                  .waitTimeSeconds(0)
                                  .messageAttributeNames("reason"))
                      .messages());
              return dead.size() >= count;
            });
    return dead.stream()
        .flatMap(message -> message.messageAttributes().values().stream())
        .map(MessageAttributeValue::stringValue)
        .toList();
  }

  /** P83: whole pages of the longest URLs fit, because batches are split by bytes too. */
  @Test
  void send_longestUrls_areAllReceived() {
    List<Dispatch> dispatches = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      String start = "http://a.test/" + i + "/";
      CrawlUrl url = CrawlUrl.of(start + "x".repeat(CrawlUrl.MAX_LENGTH - start.length()));
      dispatches.add(
          new Dispatch(
              new Task(TASK.site(), TASK.crawl(), url, TASK.depth(), 0),
              Priority.HIGH,
              Duration.ZERO));
    }
    try (TaskQueue queue = empty(LEASES)) {
      queue.send(dispatches);

      assertThat(queue.depth().visible()).isEqualTo(30);
    }
  }
}
