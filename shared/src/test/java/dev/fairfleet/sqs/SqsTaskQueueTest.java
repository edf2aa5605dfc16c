package dev.fairfleet.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.memory.SettableClock;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.MessageGroup;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.Received;
import dev.fairfleet.queue.SendException;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.wire.TaskCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

class SqsTaskQueueTest {
  private static final Queues QUEUES =
      new Queues(new Queues.Urls("high", "high-dead"), new Queues.Urls("low", "low-dead"));

  private final FakeSqs sqs = new FakeSqs();
  private final SettableClock clock = new SettableClock(Instant.parse("2026-11-30T12:00:00Z"));
  private final SqsTaskQueue queue = open();

  private SqsTaskQueue open() {
    return new SqsTaskQueue(
        sqs,
        QUEUES,
        new LeasePolicy(Duration.ofMinutes(2), 100),
        new SqsTaskQueue.Lingering(Duration.ofMillis(1), Duration.ofMillis(1)),
        clock,
        new Random(1));
  }

  private static Task task(int number) {
    return new Task(
        new SiteId("a"),
        CrawlId.scheduledFor(Instant.EPOCH),
        CrawlUrl.of("http://a.test/" + number),
        CrawlDepth.ROOT,
        0);
  }

  private static List<Dispatch> dispatches(int count) {
    List<Dispatch> dispatches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      dispatches.add(new Dispatch(task(i), Priority.HIGH, Duration.ZERO));
    }
    return dispatches;
  }

  private static Message.Builder message(String body) {
    return Message.builder()
        .messageId("id")
        .receiptHandle("handle")
        .body(body)
        .attributes(
            Map.of(
                MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                "1",
                MessageSystemAttributeName.SENT_TIMESTAMP,
                "1000000",
                MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP,
                "1090500"));
  }

  private static Message.Builder message(int number) {
    return message(new TaskCodec().encode(task(number)));
  }

  private Delivery receiveOne() {
    sqs.messages.add(message(1).build());
    return queue.receive(Priority.HIGH, 1, Duration.ZERO).deliveries().getFirst();
  }

  @Test
  void send_delayedTask_hasGroupDelayAndTheDelayAsAttribute() {
    queue.send(List.of(new Dispatch(task(1), Priority.LOW, Duration.ofMinutes(15))));

    assertThat(sqs.sendBatches).hasSize(1);
    assertThat(sqs.sendBatches.getFirst().queueUrl()).isEqualTo("low");
    SendMessageBatchRequestEntry entry = sqs.sendBatches.getFirst().entries().getFirst();
    assertThat(entry.delaySeconds()).isEqualTo(900);
    assertThat(entry.messageGroupId()).isEqualTo(MessageGroup.of(new SiteId("a")).value());
    assertThat(entry.messageAttributes())
        .isEqualTo(
            Map.of(
                "delay",
                MessageAttributeValue.builder().dataType("Number").stringValue("900").build()));
  }

  @Test
  void send_undelayedTask_carriesNothingBesideItsGroup() {
    queue.send(dispatches(1));

    SendMessageBatchRequestEntry entry = sqs.sendBatches.getFirst().entries().getFirst();
    assertThat(entry.delaySeconds()).isNull();
    assertThat(entry.messageAttributes()).isEmpty();
  }

  @Test
  void send_aPagesLinks_goesInTens() {
    queue.send(dispatches(25));

    assertThat(sqs.sendBatches)
        .extracting(batch -> batch.entries().size())
        .containsExactlyInAnyOrder(10, 10, 5);
  }

  /** P78: entry 3 fails once, entry 7 for good, and entry 9 is left out of the first answer. */
  @Test
  void send_someEntriesFail_retriesOrNamesThem() {
    sqs.sendAnswer =
        request -> {
          sqs.sendAnswer = FakeSqs::allSent;
          return SendMessageBatchResponse.builder()
              .successful(
                  request.entries().stream()
                      .filter(entry -> !List.of("3", "7", "9").contains(entry.id()))
                      .map(entry -> SendMessageBatchResultEntry.builder().id(entry.id()).build())
                      .toList())
              .failed(failure("3", false), failure("7", true))
              .build();
        };

    assertThatThrownBy(() -> queue.send(dispatches(10)))
        .isInstanceOf(SendException.class)
        .hasMessage(
            "1 of 10 tasks were not sent, the first being task http://a.test/7 to high: Broken: it"
                + " is; the page that holds their links is not done");
    assertThat(bodies(1)).containsExactly(body(3), body(9));
    assertThat(sqs.sendBatches).hasSize(2);
  }

  private List<String> bodies(int batch) {
    return sqs.sendBatches.get(batch).entries().stream()
        .map(SendMessageBatchRequestEntry::messageBody)
        .toList();
  }

  private static String body(int number) {
    return new TaskCodec().encode(task(number));
  }

  private static BatchResultErrorEntry failure(String id, boolean senderFault) {
    return BatchResultErrorEntry.builder()
        .id(id)
        .code("Broken")
        .message("it is")
        .senderFault(senderFault)
        .build();
  }

  @Test
  void receive_asked_passesNumberAndWaitOn() {
    queue.receive(Priority.LOW, 7, Duration.ofSeconds(20));

    assertThat(sqs.receives.getFirst().queueUrl()).isEqualTo("low");
    assertThat(sqs.receives.getFirst().maxNumberOfMessages()).isEqualTo(7);
    assertThat(sqs.receives.getFirst().waitTimeSeconds()).isEqualTo(20);
  }

  @Test
  void receive_delayedTask_dwellsFromTheEndOfItsDelay() {
    sqs.messages.add(
        message(1)
            .messageAttributes(
                Map.of(
                    "delay",
                    MessageAttributeValue.builder().dataType("Number").stringValue("60").build()))
            .build());
    sqs.messages.add(message(2).build());

    assertThat(queue.receive(Priority.HIGH, 10, Duration.ZERO).deliveries())
        .extracting(Delivery::dwell)
        .containsExactly(Duration.ofMillis(30_500), Duration.ofMillis(90_500));
  }

  @Test
  void receive_deliveredBefore_doesNotDwell() {
    sqs.messages.add(
        message(1)
            .attributes(
                Map.of(
                    MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                    "2",
                    MessageSystemAttributeName.SENT_TIMESTAMP,
                    "1",
                    MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP,
                    "1000"))
            .build());

    Delivery delivery = queue.receive(Priority.HIGH, 10, Duration.ZERO).deliveries().getFirst();

    assertThat(delivery.dwell()).isZero();
    assertThat(delivery.lease().receiveCount()).isEqualTo(2);
  }

  /**
   * P89: each bad message goes to the dead-letter queue with a reason; the good one is delivered.
   */
  @Test
  void receive_poison_isBuriedAndTheRestDelivered() {
    List<String> poison =
        List.of(
            "not JSON",
            "{\"v\":1}",
            body(0).replace("/0", "/" + "x".repeat(100_000)),
            body(0).replace("\"v\":1", "\"v\":99"),
            body(0).replace("\"depth\":0", "\"depth\":-1"),
            body(0).replace("\"depth\":0", "\"depth\":1000000000"),
            body(0).replace("/0", "/\0"));
    for (int i = 0; i < poison.size(); i++) {
      sqs.messages.add(message(poison.get(i)).receiptHandle("poison" + i).build());
    }
    sqs.messages.add(message(1).build());

    Received received = queue.receive(Priority.HIGH, 10, Duration.ZERO);
    queue.close();

    assertThat(received.unreadable()).isEqualTo(poison.size());
    assertThat(received.deliveries()).extracting(Delivery::task).containsExactly(task(1));
    assertThat(sqs.sends)
        .hasSize(poison.size())
        .allSatisfy(
            send -> {
              assertThat(send.queueUrl()).isEqualTo("high-dead");
              assertThat(send.messageBody().length()).isLessThan(Batcher.MAX_BYTES / 3);
              assertThat(send.messageBody()).doesNotContain("\0");
              assertThat(send.messageAttributes())
                  .hasEntrySatisfying(
                      "reason", reason -> assertThat(reason.stringValue()).isNotBlank());
            });
    assertThat(deletedHandles())
        .containsExactlyInAnyOrder(
            "poison0", "poison1", "poison2", "poison3", "poison4", "poison5", "poison6");
  }

  @Test
  void receive_poisonThatCannotBeBuried_isKept() {
    sqs.messages.add(message("not JSON").build());
    sqs.singleAnswer =
        request -> {
          throw SdkClientException.create("away");
        };

    Received received = queue.receive(Priority.HIGH, 10, Duration.ZERO);
    queue.close();

    assertThat(received.unreadable()).isEqualTo(1);
    assertThat(sqs.sends).extracting(SendMessageRequest::queueUrl).containsExactly("high-dead");
    assertThat(sqs.deleteBatches).isEmpty();
  }

  private List<String> deletedHandles() {
    return sqs.deleteBatches.stream()
        .flatMap(batch -> batch.entries().stream())
        .map(DeleteMessageBatchRequestEntry::receiptHandle)
        .toList();
  }

  /** P79: one message delivered twice is two entries of one batch, with ids of their own. */
  @Test
  void delete_sameMessageDeliveredTwice_hasDistinctEntries() {
    sqs.messages.add(message(1).build());
    sqs.messages.add(message(1).build());
    List<Delivery> twice = queue.receive(Priority.HIGH, 10, Duration.ZERO).deliveries();

    twice.forEach(delivery -> queue.delete(delivery.lease()));
    queue.close();

    assertThat(sqs.deleteBatches)
        .allSatisfy(
            batch ->
                assertThat(batch.entries())
                    .extracting(DeleteMessageBatchRequestEntry::id)
                    .doesNotHaveDuplicates());
    assertThat(deletedHandles()).containsExactly("handle", "handle");
  }

  @Test
  void delete_sameLeaseTwice_isSentOnce() {
    Delivery delivery = receiveOne();

    queue.delete(delivery.lease());
    queue.delete(delivery.lease());
    queue.close();

    assertThat(deletedHandles()).containsExactly("handle");
  }

  /** P79: a failed entry is sent again. */
  @Test
  void delete_entryFails_isSentAgain() {
    sqs.deleteAnswer =
        request -> {
          sqs.deleteAnswer = FakeSqs::allDeleted;
          return DeleteMessageBatchResponse.builder().failed(failure("0", false)).build();
        };

    queue.delete(receiveOne().lease());
    queue.close();

    assertThat(deletedHandles()).containsExactly("handle", "handle");
  }

  /** P84: what SQS no longer takes for leased is not asked for again, and disturbs nobody. */
  @Test
  void delete_leaseRanOut_isNotSentAgain() {
    sqs.deleteAnswer =
        request -> DeleteMessageBatchResponse.builder().failed(failure("0", true)).build();

    queue.delete(receiveOne().lease());
    queue.close();

    assertThat(deletedHandles()).containsExactly("handle");
  }

  /** P75: however often and long a task is put off, SQS is never asked for more than 12 hours. */
  @ParameterizedTest
  @CsvSource({
    "0, 43200, 43170",
    "1, 43200, 43169",
    "43100, 60, 60",
    "43100, 900, 70",
    "43170, 60, 0",
    "90000, 60, 0"
  })
  void release_late_isClampedToTwelveHoursFromTheReceive(long elapsed, long asked, int sent) {
    Delivery delivery = receiveOne();
    clock.advance(Duration.ofSeconds(elapsed));

    queue.release(delivery.lease(), Duration.ofSeconds(asked));
    queue.close();

    assertThat(visibilities()).containsExactly(sent);
  }

  /** P75: a throttled task is parked in a loop for thirteen hours. */
  @Test
  void release_againAndAgain_neverAsksForMoreThanTwelveHoursFromTheReceive() {
    Delivery delivery = receiveOne();
    for (int elapsed = 0; elapsed <= 13 * 3_600; elapsed += 300) {
      SqsTaskQueue atThatTime = open();
      atThatTime.release(delivery.lease(), Duration.ofMinutes(15));
      atThatTime.close();

      assertThat(visibilities().getLast())
          .as("seconds asked for after %s", elapsed)
          .isEqualTo(Math.clamp(43_170 - elapsed, 0, 900));
      clock.advance(Duration.ofMinutes(5));
    }
    assertThat(visibilities()).hasSize(157);
  }

  private List<Integer> visibilities() {
    return sqs.changeBatches.stream()
        .flatMap(batch -> batch.entries().stream())
        .map(ChangeMessageVisibilityBatchRequestEntry::visibilityTimeout)
        .toList();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "1000, 1", "1001, 2", "8999, 9"})
  void release_partOfASecond_isRoundedUp(long millis, int seconds) {
    queue.release(receiveOne().lease(), Duration.ofMillis(millis));
    queue.close();

    assertThat(visibilities()).containsExactly(seconds);
  }

  @Test
  void release_severalTimes_endsWithTheLast() {
    Delivery delivery = receiveOne();

    for (int seconds = 1; seconds <= 50; seconds++) {
      queue.release(delivery.lease(), Duration.ofSeconds(seconds));
    }
    queue.close();

    assertThat(visibilities()).contains(50);
  }

  @Test
  void release_deleted_isNotSent() {
    Delivery delivery = receiveOne();
    queue.delete(delivery.lease());

    queue.release(delivery.lease(), Duration.ZERO);
    queue.close();

    assertThat(sqs.changeBatches).isEmpty();
  }
}
