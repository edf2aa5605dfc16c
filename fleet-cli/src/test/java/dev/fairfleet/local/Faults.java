package dev.fairfleet.local;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughputExceededException;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** A network and a server that fail on demand, between the SDK and DynamoDB. */
final class Faults implements ExecutionInterceptor {
  private static final ExecutionAttribute<Map<String, List<WriteRequest>>> LEFT_OUT =
      new ExecutionAttribute<>("left out by the test");

  private final Queue<SdkRequest> requests = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicInteger> lostReplies = new ConcurrentHashMap<>();
  private final AtomicInteger partialReads = new AtomicInteger();
  private final AtomicInteger partialWrites = new AtomicInteger();
  private final AtomicInteger attempts = new AtomicInteger();
  private final Map<String, Runnable> meanwhile = new ConcurrentHashMap<>();
  private volatile int throttleEach;

  /** Loses the reply to the next {@code times} successful requests of a type. */
  void loseReplies(Class<? extends SdkRequest> type, int times) {
    lostReplies.put(type.getSimpleName(), new AtomicInteger(times));
  }

  /** Makes the next {@code times} batch reads process one key and leave the others out. */
  void readPartially(int times) {
    partialReads.set(times);
  }

  /** Lets something else happen before the next request of a type is made. */
  void before(Class<? extends SdkRequest> type, Runnable other) {
    meanwhile.put(type.getSimpleName(), other);
  }

  /** Makes the next {@code times} batch writes leave their last item. */
  void writePartially(int times) {
    partialWrites.set(times);
  }

  /** Throttles every {@code n}th request. */
  void throttleEach(int n) {
    throttleEach = n;
  }

  /** Returns the calls made since the last time, retries not counted. */
  List<SdkRequest> takeRequests() {
    List<SdkRequest> taken = new ArrayList<>();
    for (SdkRequest next = requests.poll(); next != null; next = requests.poll()) {
      taken.add(next);
    }
    return taken;
  }

  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    requests.add(context.request());
    @Nullable Runnable other = meanwhile.remove(context.request().getClass().getSimpleName());
    if (other != null) {
      other.run();
    }
  }

  @Override
  public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes attributes) {
    if (!(context.request() instanceof BatchWriteItemRequest request)
        || partialWrites.getAndDecrement() <= 0) {
      return context.request();
    }
    Map<String, List<WriteRequest>> done = new HashMap<>();
    Map<String, List<WriteRequest>> left = new HashMap<>();
    request
        .requestItems()
        .forEach(
            (table, writes) -> {
              left.put(table, List.of(writes.getLast()));
              // A request must not be empty, so a single item is written although it is left.
              done.put(table, writes.subList(0, Math.max(1, writes.size() - 1)));
            });
    attributes.putAttribute(LEFT_OUT, left);
    return request.toBuilder().requestItems(done).build();
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes attributes) {
    if (throttleEach > 0 && attempts.incrementAndGet() % throttleEach == 0) {
      throw ProvisionedThroughputExceededException.builder()
          .awsErrorDetails(
              AwsErrorDetails.builder()
                  .errorCode("ProvisionedThroughputExceededException")
                  .errorMessage("throttled by the test")
                  .build())
          .statusCode(400)
          .build();
    }
  }

  @Override
  public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
    AtomicInteger left =
        lostReplies.getOrDefault(context.request().getClass().getSimpleName(), new AtomicInteger());
    if (context.httpResponse().isSuccessful() && left.getAndDecrement() > 0) {
      throw RetryableException.create("reply lost by the test");
    }
  }

  @Override
  public SdkResponse modifyResponse(
      Context.ModifyResponse context, ExecutionAttributes attributes) {
    if (context.response() instanceof BatchWriteItemResponse response) {
      @Nullable Map<String, List<WriteRequest>> leftOut = attributes.getAttribute(LEFT_OUT);
      return leftOut == null ? response : response.toBuilder().unprocessedItems(leftOut).build();
    }
    if (!(context.response() instanceof BatchGetItemResponse response)
        || partialReads.getAndDecrement() <= 0) {
      return context.response();
    }
    Map<String, List<Map<String, AttributeValue>>> processed = new HashMap<>();
    Map<String, KeysAndAttributes> unprocessed = new HashMap<>();
    ((BatchGetItemRequest) context.request())
        .requestItems()
        .forEach(
            (table, keys) -> {
              Map<String, AttributeValue> first = keys.keys().getFirst();
              processed.put(
                  table,
                  response.responses().getOrDefault(table, List.of()).stream()
                      .filter(item -> item.entrySet().containsAll(first.entrySet()))
                      .toList());
              List<Map<String, AttributeValue>> others = keys.keys().subList(1, keys.keys().size());
              if (!others.isEmpty()) {
                unprocessed.put(table, keys.toBuilder().keys(others).build());
              }
            });
    return response.toBuilder().responses(processed).unprocessedKeys(unprocessed).build();
  }
}
