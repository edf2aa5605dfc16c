package dev.fairfleet.sqs;

import dev.fairfleet.queue.MessageGroup;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.wire.Decoded;
import dev.fairfleet.wire.TaskCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;

/**
 * The dead-letter queues of a fleet, and the way out of them: back to the queue that a message came
 * from, or away.
 *
 * <p>SQS has no way to look at a message without receiving it. So whoever looks hides what is there
 * from everybody else, for {@link #HIDDEN} at most; what is kept is given back when the look ends.
 * Should it never end, SQS gives it back. Each call makes its requests one after another and may be
 * repeated; any thread may make it.
 */
public final class DeadLetters {
  /** How long a message stays hidden from others if whoever looks at it dies. */
  public static final Duration HIDDEN = Duration.ofMinutes(5);

  private static final String REASON = "reason";
  private static final String TOO_OFTEN = "delivered too often";
  private static final int MOST_AT_ONCE = 10;
  // A long poll asks all of a queue's servers, so that no message is overlooked (SQS Developer
  // Guide, "Amazon SQS short and long polling").
  private static final int WAIT_SECONDS = 1;

  private final TaskCodec codec = new TaskCodec();
  private final SqsClient client;
  private final Queues queues;

  /**
   * A message in a dead-letter queue.
   *
   * @param queue in whose dead-letter queue it is
   * @param id by which SQS names it
   * @param sent when it was first sent, by the clock of SQS
   * @param reason why it is there: what could not be read, or that it was delivered too often
   * @param body as it was sent
   * @param content what a worker of this version would read in it
   */
  public record DeadLetter(
      Priority queue, String id, Instant sent, String reason, String body, Decoded content) {
    /** Tells whether a worker of this version can read it. */
    public boolean isReadable() {
      return content instanceof Decoded.Valid;
    }
  }

  /** What becomes of a dead letter that somebody looked at. */
  public enum Fate {
    /** It stays where it is. */
    KEEP,
    /** It goes back to the queue that it came from. */
    REDRIVE,
    /** It is deleted for good. */
    DROP
  }

  /** Does not close the client. */
  public DeadLetters(SqsClient client, Queues queues) {
    this.client = client;
    this.queues = queues;
  }

  /** Tells how many there are, approximately. */
  public QueueDepth depth() {
    QueueDepth depth = new QueueDepth(0, 0, 0);
    for (Priority priority : Priority.values()) {
      depth = depth.plus(QueueDepths.of(client, queues.of(priority).deadLetters()));
    }
    return depth;
  }

  /**
   * Shows every dead letter once, and does with each as told at once: it is sent before it is
   * deleted, so whoever dies in between leaves it in both queues, and its task is worked on once.
   *
   * @param decide called once for each
   * @param enough asked between requests; the look ends when it says so
   */
  public void forEach(Function<DeadLetter, Fate> decide, BooleanSupplier enough) {
    for (Priority priority : Priority.values()) {
      look(priority, decide, enough);
    }
  }

  private void look(Priority priority, Function<DeadLetter, Fate> decide, BooleanSupplier enough) {
    Set<String> seen = new HashSet<>();
    List<String> kept = new ArrayList<>();
    try {
      while (!enough.getAsBoolean()) {
        List<Message> messages = receive(priority);
        // What is there again has been hidden for its time: everything has been shown.
        if (messages.stream().allMatch(message -> seen.contains(message.messageId()))) {
          messages.forEach(message -> kept.add(message.receiptHandle()));
          return;
        }
        for (Message message : messages) {
          kept.add(message.receiptHandle());
          if (seen.add(message.messageId()) && carryOut(priority, message, decide)) {
            kept.removeLast();
          }
        }
      }
    } finally {
      giveBack(priority, kept);
    }
  }

  private List<Message> receive(Priority priority) {
    return client
        .receiveMessage(
            request ->
                request
                    .queueUrl(queues.of(priority).deadLetters())
                    .maxNumberOfMessages(MOST_AT_ONCE)
                    .waitTimeSeconds(WAIT_SECONDS)
                    .visibilityTimeout(Math.toIntExact(HIDDEN.toSeconds()))
                    .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP)
                    .messageAttributeNames(REASON))
        .messages();
  }

  /** Returns whether the message has left the queue. */
  private boolean carryOut(Priority priority, Message message, Function<DeadLetter, Fate> decide) {
    DeadLetter letter = letter(priority, message);
    Fate fate = decide.apply(letter);
    if (fate == Fate.KEEP) {
      return false;
    }
    if (fate == Fate.REDRIVE) {
      send(letter);
    }
    client.deleteMessage(
        request ->
            request
                .queueUrl(queues.of(priority).deadLetters())
                .receiptHandle(message.receiptHandle()));
    return true;
  }

  private DeadLetter letter(Priority priority, Message message) {
    Decoded content = codec.decode(message.body());
    @Nullable MessageAttributeValue reason = message.messageAttributes().get(REASON);
    @Nullable String sent = message.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP);
    return new DeadLetter(
        priority,
        message.messageId(),
        Instant.ofEpochMilli(sent == null ? 0 : Long.parseLong(sent)),
        reason == null ? TOO_OFTEN : reason.stringValue(),
        message.body(),
        content);
  }

  private void send(DeadLetter letter) {
    SendMessageRequest.Builder request =
        SendMessageRequest.builder()
            .queueUrl(queues.of(letter.queue()).queue())
            .messageBody(letter.body());
    if (letter.content() instanceof Decoded.Valid valid) {
      request.messageGroupId(MessageGroup.of(valid.task().site()).value());
    }
    client.sendMessage(request.build());
  }

  private void giveBack(Priority priority, List<String> handles) {
    for (int from = 0; from < handles.size(); from += MOST_AT_ONCE) {
      List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>();
      for (String handle : handles.subList(from, Math.min(from + MOST_AT_ONCE, handles.size()))) {
        entries.add(
            ChangeMessageVisibilityBatchRequestEntry.builder()
                .id(Integer.toString(entries.size()))
                .receiptHandle(handle)
                .visibilityTimeout(0)
                .build());
      }
      // What fails here is given back by SQS when its time is over.
      var unused =
          client.changeMessageVisibilityBatch(
              request -> request.queueUrl(queues.of(priority).deadLetters()).entries(entries));
    }
  }
}
