package dev.fairfleet.sqs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequest;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResponse;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

/** An SQS that delivers given messages, keeps every request, and fails as told. */
final class FakeSqs implements SqsClient {
  final Queue<Message> messages = new ArrayDeque<>();
  final List<ReceiveMessageRequest> receives = Collections.synchronizedList(new ArrayList<>());
  final List<SendMessageRequest> sends = Collections.synchronizedList(new ArrayList<>());
  final List<SendMessageBatchRequest> sendBatches = Collections.synchronizedList(new ArrayList<>());
  final List<DeleteMessageBatchRequest> deleteBatches =
      Collections.synchronizedList(new ArrayList<>());
  final List<ChangeMessageVisibilityBatchRequest> changeBatches =
      Collections.synchronizedList(new ArrayList<>());

  /** The answer to every batch of sends. */
  volatile Function<SendMessageBatchRequest, SendMessageBatchResponse> sendAnswer =
      FakeSqs::allSent;

  /** The answer to every single send. */
  volatile Function<SendMessageRequest, SendMessageResponse> singleAnswer =
      request -> SendMessageResponse.builder().build();

  /** The answer to every batch of deletes. */
  volatile Function<DeleteMessageBatchRequest, DeleteMessageBatchResponse> deleteAnswer =
      FakeSqs::allDeleted;

  static SendMessageBatchResponse allSent(SendMessageBatchRequest request) {
    return SendMessageBatchResponse.builder()
        .successful(
            request.entries().stream()
                .map(entry -> SendMessageBatchResultEntry.builder().id(entry.id()).build())
                .toList())
        .build();
  }

  static DeleteMessageBatchResponse allDeleted(DeleteMessageBatchRequest request) {
    return DeleteMessageBatchResponse.builder()
        .successful(
            request.entries().stream()
                .map(entry -> DeleteMessageBatchResultEntry.builder().id(entry.id()).build())
                .toList())
        .build();
  }

  @Override
  public ReceiveMessageResponse receiveMessage(ReceiveMessageRequest request) {
    receives.add(request);
    List<Message> some = new ArrayList<>();
    while (some.size() < request.maxNumberOfMessages() && !messages.isEmpty()) {
      some.add(messages.remove());
    }
    return ReceiveMessageResponse.builder().messages(some).build();
  }

  @Override
  public SendMessageResponse sendMessage(SendMessageRequest request) {
    sends.add(request);
    return singleAnswer.apply(request);
  }

  @Override
  public SendMessageBatchResponse sendMessageBatch(SendMessageBatchRequest request) {
    sendBatches.add(request);
    return sendAnswer.apply(request);
  }

  @Override
  public DeleteMessageBatchResponse deleteMessageBatch(DeleteMessageBatchRequest request) {
    deleteBatches.add(request);
    return deleteAnswer.apply(request);
  }

  @Override
  public ChangeMessageVisibilityBatchResponse changeMessageVisibilityBatch(
      ChangeMessageVisibilityBatchRequest request) {
    changeBatches.add(request);
    return ChangeMessageVisibilityBatchResponse.builder()
        .successful(
            request.entries().stream()
                .map(
                    entry ->
                        ChangeMessageVisibilityBatchResultEntry.builder().id(entry.id()).build())
                .toList())
        .build();
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}
}
