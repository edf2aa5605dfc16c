package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.frontier.Task;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.sqs.DeadLetters;
import dev.fairfleet.sqs.DeadLetters.DeadLetter;
import dev.fairfleet.sqs.DeadLetters.Fate;
import dev.fairfleet.sqs.Queues;
import dev.fairfleet.sqs.SqsClients;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.wire.TaskCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

class DeadLettersIT {
  private static final String POISON = "no JSON";

  @SuppressWarnings("NullAway.Init")
  private static SqsClient client;

  private final Queues queues =
      Queues.createMissing(
          client, "test-" + UUID.randomUUID(), new LeasePolicy(Duration.ofMinutes(2), 100));
  private final DeadLetters letters = new DeadLetters(client, queues);

  @BeforeAll
  static void connect() {
    client = SqsClients.local(TestServices.sqs(), List.of());
  }

  @AfterAll
  static void disconnect() {
    client.close();
  }

  private static String task(int number) {
    return new TaskCodec()
        .encode(
            new Task(
                new SiteId("a"),
                CrawlId.scheduledFor(Instant.EPOCH),
                CrawlUrl.of("http://a.test/" + number),
                CrawlDepth.ROOT,
                0));
  }

  private void bury(Priority priority, String body, Map<String, MessageAttributeValue> attributes) {
    client.sendMessage(
        request ->
            request
                .queueUrl(queues.of(priority).deadLetters())
                .messageBody(body)
                .messageAttributes(attributes));
  }

  private void bury(Priority priority, String body) {
    bury(priority, body, Map.of());
  }

  private List<DeadLetter> look(Function<DeadLetter, Fate> decide) {
    List<DeadLetter> seen = new ArrayList<>();
    letters.forEach(
        letter -> {
          seen.add(letter);
          return decide.apply(letter);
        },
        () -> false);
    return seen;
  }

  private List<Message> received(String url) {
    return client
        .receiveMessage(request -> request.queueUrl(url).maxNumberOfMessages(10).waitTimeSeconds(1))
        .messages();
  }

  @Test
  void forEach_keptLetters_areShownOnceAndStay() {
    IntStream.range(0, 25).forEach(i -> bury(Priority.LOW, task(i)));

    List<DeadLetter> first = look(letter -> Fate.KEEP);
    List<DeadLetter> second = look(letter -> Fate.KEEP);

    assertThat(first).extracting(DeadLetter::id).hasSize(25).doesNotHaveDuplicates();
    assertThat(second).containsExactlyInAnyOrderElementsOf(first);
    assertThat(letters.depth().visible()).isEqualTo(25);
  }

  @Test
  void forEach_letter_saysWhereItWasAndWhy() {
    bury(Priority.HIGH, task(1));
    bury(
        Priority.LOW,
        POISON,
        Map.of(
            "reason",
            MessageAttributeValue.builder()
                .dataType("String")
                .stringValue("message is not JSON")
                .build()));

    List<DeadLetter> seen = look(letter -> Fate.KEEP);

    assertThat(seen)
        .extracting(DeadLetter::queue, DeadLetter::reason, DeadLetter::body, DeadLetter::isReadable)
        .containsExactlyInAnyOrder(
            tuple(Priority.HIGH, "delivered too often", task(1), true),
            tuple(Priority.LOW, "message is not JSON", POISON, false));
  }

  @Test
  void forEach_redriven_isInItsOwnQueueAgainAndNoLongerDead() {
    bury(Priority.HIGH, task(1));
    bury(Priority.LOW, task(2));
    bury(Priority.LOW, POISON);

    look(letter -> letter.isReadable() ? Fate.REDRIVE : Fate.KEEP);

    assertThat(received(queues.high().queue())).extracting(Message::body).containsExactly(task(1));
    assertThat(received(queues.low().queue())).extracting(Message::body).containsExactly(task(2));
    assertThat(look(letter -> Fate.KEEP)).extracting(DeadLetter::body).containsExactly(POISON);
  }

  @Test
  void forEach_dropped_isNowhere() {
    bury(Priority.HIGH, task(1));
    bury(Priority.HIGH, POISON);

    look(letter -> letter.isReadable() ? Fate.KEEP : Fate.DROP);

    assertThat(look(letter -> Fate.KEEP)).extracting(DeadLetter::body).containsExactly(task(1));
    assertThat(received(queues.high().queue())).isEmpty();
  }

  @Test
  void forEach_lookEndsWithAnException_givesBackWhatItSaw() {
    bury(Priority.HIGH, task(1));

    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                look(
                    letter -> {
                      throw new IllegalStateException("reader gone");
                    }));

    assertThat(look(letter -> Fate.KEEP)).hasSize(1);
  }
}
