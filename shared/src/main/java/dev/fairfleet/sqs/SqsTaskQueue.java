package dev.fairfleet.sqs;

import dev.fairfleet.lease.Lease;
import dev.fairfleet.lease.LeasePolicy;
import dev.fairfleet.queue.Delivery;
import dev.fairfleet.queue.Dispatch;
import dev.fairfleet.queue.MessageGroup;
import dev.fairfleet.queue.Priority;
import dev.fairfleet.queue.QueueDepth;
import dev.fairfleet.queue.Received;
import dev.fairfleet.queue.SendException;
import dev.fairfleet.queue.TaskQueue;
import dev.fairfleet.retry.RetryPolicy;
import dev.fairfleet.wire.Decoded;
import dev.fairfleet.wire.TaskCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * The two queues on Amazon SQS.
 *
 * <p>A task is one message: {@link TaskCodec}'s JSON as its body, its site's {@link MessageGroup},
 * its delay as {@code DelaySeconds} and, so that its dwell time can be told later, as the attribute
 * {@code delay}; the time from then until its slot, in milliseconds, as {@code hold}. Dwell time is
 * counted from SQS's own timestamps, and so is how much of the hold is left: the clocks of two
 * workers are never compared.
 *
 * <p>A message that cannot be read goes to the dead-letter queue with the attribute {@code reason}.
 */
public final class SqsTaskQueue implements TaskQueue {
  private static final Logger log = LoggerFactory.getLogger(SqsTaskQueue.class);

  /**
   * How long entries wait for company in a batch.
   *
   * @param send tasks; somebody waits for them
   * @param settle deletes and changes of visibility; must be far below a lease
   */
  public record Lingering(Duration send, Duration settle) {
    /** 10 ms and 200 ms. */
    public static final Lingering DEFAULT =
        new Lingering(Duration.ofMillis(10), Duration.ofMillis(200));
  }

  private static final RetryPolicy RETRIES =
      new RetryPolicy(4, Duration.ofMillis(200), Duration.ofSeconds(2));

  private static final String DELAY = "delay";
  private static final String HOLD = "hold";
  private static final String REASON = "reason";
  private static final String NUMBER = "Number";
  private static final String STRING = "String";
  // No grid is wider; a longer hold was not written by us, and must not outlast a lease.
  private static final long LONGEST_HOLD_MILLIS = 60_000;
  private static final Duration MAX_WAIT = Duration.ofSeconds(20);
  // Group, delay, attribute and their names.
  private static final int BYTES_BESIDE_BODY = 256;
  private static final int BYTES_OF_HANDLE = 2_048;
  private static final int MOST_DEAD_CHARACTERS = 64_000;
  private static final List<MessageSystemAttributeName> SYSTEM_ATTRIBUTES =
      List.of(
          MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
          MessageSystemAttributeName.SENT_TIMESTAMP,
          MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP);
  private final TaskCodec codec = new TaskCodec();
  private final SqsClient client;
  private final Queues queues;
  private final LeasePolicy leases;
  private final InstantSource clock;
  private final List<AwsRequestOverrideConfiguration> patience = patience();
  private final Map<Priority, Batcher<Outgoing>> sends = new EnumMap<>(Priority.class);
  private final Map<Priority, Batcher<SqsLease>> deletes = new EnumMap<>(Priority.class);
  private final Map<Priority, Batcher<SqsLease>> changes = new EnumMap<>(Priority.class);
  private final Batcher.Outcome<SqsLease> deleted = new Deleted();
  private final Batcher.Outcome<SqsLease> changed = new Changed();

  private record Outgoing(Dispatch dispatch, String body) {}

  /**
   * Creates a task queue; the client is not closed with it.
   *
   * @param clock this worker's wall clock, by which leases are counted
   * @param random for back-off; safe for use by many threads
   */
  public SqsTaskQueue(
      SqsClient client,
      Queues queues,
      LeasePolicy leases,
      Lingering lingering,
      InstantSource clock,
      RandomGenerator random) {
    this.client = client;
    this.queues = queues;
    this.leases = leases;
    this.clock = clock;
    for (Priority priority : Priority.values()) {
      String url = queues.of(priority).queue();
      sends.put(
          priority,
          new Batcher<>(
              batch -> sendBatch(url, batch),
              task -> BYTES_BESIDE_BODY + task.body().getBytes(StandardCharsets.UTF_8).length,
              lingering.send(),
              RETRIES,
              random));
      deletes.put(
          priority,
          new Batcher<>(
              batch -> deleteBatch(url, batch),
              lease -> BYTES_OF_HANDLE,
              lingering.settle(),
              RETRIES,
              random));
      changes.put(
          priority,
          new Batcher<>(
              batch -> changeBatch(url, batch),
              lease -> BYTES_OF_HANDLE,
              lingering.settle(),
              RETRIES,
              random));
    }
  }

  private static List<AwsRequestOverrideConfiguration> patience() {
    List<AwsRequestOverrideConfiguration> bySeconds = new ArrayList<>();
    for (int seconds = 0; seconds <= MAX_WAIT.toSeconds(); seconds++) {
      Duration attempt = Duration.ofSeconds(seconds).plus(SqsClients.BEYOND_WAIT);
      bySeconds.add(
          AwsRequestOverrideConfiguration.builder()
              .apiCallAttemptTimeout(attempt)
              .apiCallTimeout(attempt.plus(SqsClients.CALL))
              .build());
    }
    return bySeconds;
  }

  @Override
  public Received receive(Priority priority, int max, Duration wait) {
    int seconds = Math.toIntExact(wait.toSeconds());
    List<Message> messages =
        client
            .receiveMessage(
                ReceiveMessageRequest.builder()
                    .queueUrl(queues.of(priority).queue())
                    .maxNumberOfMessages(max)
                    .waitTimeSeconds(seconds)
                    .messageSystemAttributeNames(SYSTEM_ATTRIBUTES)
                    .messageAttributeNames(DELAY, HOLD)
                    .overrideConfiguration(patience.get(seconds))
                    .build())
            .messages();
    if (messages.isEmpty()) {
      return new Received(List.of(), 0);
    }
    Instant now = clock.instant();
    List<Delivery> deliveries = new ArrayList<>(messages.size());
    int unreadable = 0;
    for (Message message : messages) {
      int receives = (int) number(message, MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, 1);
      switch (codec.decode(message.body())) {
        case Decoded.Valid valid -> {
          Duration dwell = receives == 1 ? dwell(message) : Duration.ZERO;
          deliveries.add(
              new Delivery(
                  valid.task(),
                  priority,
                  new SqsLease(
                      priority,
                      valid.task().url().toString(),
                      message.receiptHandle(),
                      now,
                      receives),
                  dwell,
                  receives == 1 ? left(hold(message), dwell) : Duration.ZERO));
        }
        case Decoded.Unreadable poison -> {
          unreadable++;
          bury(
              message,
              poison.reason(),
              new SqsLease(
                  priority,
                  "message " + message.messageId(),
                  message.receiptHandle(),
                  now,
                  receives));
        }
      }
    }
    return new Received(deliveries, unreadable);
  }

  private static Duration dwell(Message message) {
    long sent = number(message, MessageSystemAttributeName.SENT_TIMESTAMP, 0);
    long received =
        number(message, MessageSystemAttributeName.APPROXIMATE_FIRST_RECEIVE_TIMESTAMP, sent);
    return Duration.ofMillis(Math.max(0, received - sent - 1_000 * attribute(message, DELAY)));
  }

  private static Duration left(Duration hold, Duration dwell) {
    return hold.compareTo(dwell) > 0 ? hold.minus(dwell) : Duration.ZERO;
  }

  private static Duration hold(Message message) {
    return Duration.ofMillis(Math.clamp(attribute(message, HOLD), 0, LONGEST_HOLD_MILLIS));
  }

  private static long attribute(Message message, String name) {
    MessageAttributeValue value = message.messageAttributes().get(name);
    return value == null ? 0 : number(value.stringValue(), 0);
  }

  private static long number(Message message, MessageSystemAttributeName name, long otherwise) {
    return number(message.attributes().get(name), otherwise);
  }

  private static long number(@Nullable String text, long otherwise) {
    try {
      return text == null ? otherwise : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  private void bury(Message message, String reason, SqsLease lease) {
    Queues.Urls urls = queues.of(lease.priority());
    try {
      client.sendMessage(
          request ->
              request
                  .queueUrl(urls.deadLetters())
                  .messageBody(sendable(message.body()))
                  .messageAttributes(Map.of(REASON, attribute(STRING, sendable(reason)))));
    } catch (SdkException e) {
      log.warn(
          "Unreadable {} in {} ({}) could not be moved to {}: {}; it will be delivered again",
          lease,
          urls.queue(),
          reason,
          urls.deadLetters(),
          e.getMessage());
      return;
    }
    log.warn(
        "Unreadable {} in {} was moved to {}: {}", lease, urls.queue(), urls.deadLetters(), reason);
    delete(lease);
  }

  /** Returns the text without the characters that SQS refuses, cut at a stated length. */
  private static String sendable(String text) {
    StringBuilder clean = new StringBuilder();
    text.codePoints()
        .limit(MOST_DEAD_CHARACTERS)
        .map(c -> isAccepted(c) ? c : '\uFFFD')
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  // API reference, SendMessage, MessageBody.
  private static boolean isAccepted(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= 0x20 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }

  @Override
  public void send(Collection<Dispatch> dispatches) {
    if (dispatches.isEmpty()) {
      return;
    }
    Sending sending = new Sending(dispatches.size());
    for (Priority priority : Priority.values()) {
      List<Outgoing> some = new ArrayList<>();
      for (Dispatch dispatch : dispatches) {
        if (dispatch.priority() == priority) {
          some.add(new Outgoing(dispatch, codec.encode(dispatch.task())));
        }
      }
      if (!some.isEmpty()) {
        batcher(sends, priority).add(some, sending);
      }
    }
    sending.await();
  }

  private Batcher.Reply sendBatch(String url, List<Outgoing> batch) {
    List<SendMessageBatchRequestEntry> entries = new ArrayList<>(batch.size());
    for (Outgoing task : batch) {
      SendMessageBatchRequestEntry.Builder entry =
          SendMessageBatchRequestEntry.builder()
              .id(Integer.toString(entries.size()))
              .messageBody(task.body())
              .messageGroupId(MessageGroup.of(task.dispatch().task().site()).value());
      int delay = Math.toIntExact(task.dispatch().delay().toSeconds());
      long hold = task.dispatch().hold().toMillis();
      Map<String, MessageAttributeValue> attributes = new HashMap<>();
      if (delay > 0) {
        entry.delaySeconds(delay);
        attributes.put(DELAY, attribute(NUMBER, Integer.toString(delay)));
      }
      if (hold > 0) {
        attributes.put(HOLD, attribute(NUMBER, Long.toString(hold)));
      }
      entry.messageAttributes(attributes);
      entries.add(entry.build());
    }
    SendMessageBatchResponse response =
        client.sendMessageBatch(request -> request.queueUrl(url).entries(entries));
    Set<String> done = new HashSet<>();
    response.successful().forEach(entry -> done.add(entry.id()));
    return new Batcher.Reply(done, response.failed());
  }

  private static MessageAttributeValue attribute(String type, String value) {
    return MessageAttributeValue.builder().dataType(type).stringValue(value).build();
  }

  @Override
  public void delete(Lease lease) {
    SqsLease own = own(lease);
    if (own.delete()) {
      batcher(deletes, own.priority()).add(List.of(own), deleted);
    }
  }

  private Batcher.Reply deleteBatch(String url, List<SqsLease> batch) {
    List<DeleteMessageBatchRequestEntry> entries = new ArrayList<>(batch.size());
    for (SqsLease lease : batch) {
      entries.add(
          DeleteMessageBatchRequestEntry.builder()
              .id(Integer.toString(entries.size()))
              .receiptHandle(lease.receiptHandle())
              .build());
    }
    DeleteMessageBatchResponse response =
        client.deleteMessageBatch(request -> request.queueUrl(url).entries(entries));
    Set<String> done = new HashSet<>();
    response.successful().forEach(entry -> done.add(entry.id()));
    return new Batcher.Reply(done, response.failed());
  }

  @Override
  public void release(Lease lease, Duration after) {
    SqsLease own = own(lease);
    Duration invisible = leases.clamp(after, own.receivedAt(), clock.instant());
    int seconds = Math.toIntExact(invisible.plusNanos(999_999_999).toSeconds());
    if (!own.isDeleted() && own.change(seconds)) {
      batcher(changes, own.priority()).add(List.of(own), changed);
    }
  }

  private Batcher.Reply changeBatch(String url, List<SqsLease> batch) {
    List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>(batch.size());
    for (SqsLease lease : batch) {
      entries.add(
          ChangeMessageVisibilityBatchRequestEntry.builder()
              .id(Integer.toString(entries.size()))
              .receiptHandle(lease.receiptHandle())
              .visibilityTimeout(lease.takeChange())
              .build());
    }
    ChangeMessageVisibilityBatchResponse response =
        client.changeMessageVisibilityBatch(request -> request.queueUrl(url).entries(entries));
    Set<String> done = new HashSet<>();
    response.successful().forEach(entry -> done.add(entry.id()));
    return new Batcher.Reply(done, response.failed());
  }

  private static SqsLease own(Lease lease) {
    if (lease instanceof SqsLease own) {
      return own;
    }
    throw new IllegalArgumentException("A lease of another queue: " + lease);
  }

  private static <E> Batcher<E> batcher(Map<Priority, Batcher<E>> batchers, Priority priority) {
    Batcher<E> batcher = batchers.get(priority);
    if (batcher == null) {
      throw new AssertionError("There is a batcher for every priority");
    }
    return batcher;
  }

  @Override
  public QueueDepth depth() {
    return QueueDepths.of(client, queues.high().queue())
        .plus(QueueDepths.of(client, queues.low().queue()));
  }

  @Override
  public void close() {
    sends.values().forEach(Batcher::close);
    changes.values().forEach(Batcher::close);
    deletes.values().forEach(Batcher::close);
  }

  /** What became of the tasks of one call to {@link #send}. */
  private final class Sending implements Batcher.Outcome<Outgoing> {
    private final int all;
    private final CountDownLatch left;
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    Sending(int all) {
      this.all = all;
      this.left = new CountDownLatch(all);
    }

    @Override
    public void done(Outgoing task) {
      left.countDown();
    }

    @Override
    public void failed(Outgoing task, String reason) {
      failures.add(
          "task "
              + task.dispatch().task().url()
              + " to "
              + queues.of(task.dispatch().priority()).queue()
              + ": "
              + reason);
      left.countDown();
    }

    void await() {
      try {
        left.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SendException(
            "Interrupted while sending "
                + all
                + " tasks; the page that holds their links is not done",
            e);
      }
      if (!failures.isEmpty()) {
        throw new SendException(
            failures.size()
                + " of "
                + all
                + " tasks were not sent, the first being "
                + failures.peek()
                + "; the page that holds their links is not done",
            null);
      }
    }
  }

  private final class Deleted implements Batcher.Outcome<SqsLease> {
    @Override
    public void done(SqsLease lease) {}

    @Override
    public void failed(SqsLease lease, String reason) {
      log.warn(
          "Delete of {} from {} failed: {}; it stays invisible for the rest of its lease and is"
              + " delivered again",
          lease,
          queues.of(lease.priority()).queue(),
          reason);
    }
  }

  private final class Changed implements Batcher.Outcome<SqsLease> {
    @Override
    public void done(SqsLease lease) {}

    @Override
    public void failed(SqsLease lease, String reason) {
      if (!lease.isDeleted()) {
        log.warn(
            "Change of visibility of {} in {} failed: {}; it is delivered again when its lease"
                + " ends",
            lease,
            queues.of(lease.priority()).queue(),
            reason);
      }
    }
  }
}
