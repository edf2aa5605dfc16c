package dev.fairfleet.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.SqsException;

class SqsServerTest {
  private static SqsServer server;
  private static SqsClient client;

  @BeforeAll
  static void start() {
    server = SqsServer.start();
    client =
        SqsClient.builder()
            .endpointOverride(server.endpoint())
            .region(Region.US_EAST_1)
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
            .build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static String queue(String name) {
    return client.createQueue(request -> request.queueName(name)).queueUrl();
  }

  @Test
  void createQueue_generatedPort_urlNamesTheTrueAddress() {
    URI url = URI.create(queue("address"));
    assertThat(url.getHost()).isEqualTo("127.0.0.1");
    assertThat(url.getPort()).isEqualTo(server.port());
  }

  @Test
  void receive_sentWithMessageGroup_bringsBodyGroupAndReceiveCount() {
    String queue = queue("groups");
    client.sendMessage(r -> r.queueUrl(queue).messageBody("hello").messageGroupId("site-7"));
    Message message =
        client
            .receiveMessage(
                r -> r.queueUrl(queue).messageSystemAttributeNames(MessageSystemAttributeName.ALL))
            .messages()
            .getFirst();
    assertThat(message.body()).isEqualTo("hello");
    assertThat(message.attributes())
        .containsEntry(MessageSystemAttributeName.MESSAGE_GROUP_ID, "site-7")
        .containsEntry(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1");
  }

  @Test
  void send_delayJustAboveTheLimit_isRefused() {
    String queue = queue("delays");
    client.sendMessage(r -> r.queueUrl(queue).messageBody("x").delaySeconds(900));
    assertThatThrownBy(
            () -> client.sendMessage(r -> r.queueUrl(queue).messageBody("x").delaySeconds(901)))
        .isInstanceOf(SqsException.class);
  }

  @Test
  void start_portTaken_saysWhatToDo() {
    assertThatThrownBy(() -> SqsServer.start(server.port()))
        .isInstanceOf(LocalFleetException.class)
        .hasMessage(
            "Port %d of 127.0.0.1 is taken, so the SQS server cannot start there. Stop the program that listens on it, or choose another port; 0 means any free one.",
            server.port());
  }

  @Test
  void close_portIsFreeAgain() {
    SqsServer first = SqsServer.start();
    first.close();
    try (SqsServer second = SqsServer.start(first.port())) {
      assertThat(second.port()).isEqualTo(first.port());
    }
  }
}
