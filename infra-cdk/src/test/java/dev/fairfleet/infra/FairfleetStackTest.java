package dev.fairfleet.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import software.amazon.awscdk.App;
import software.amazon.awscdk.assertions.Match;
import software.amazon.awscdk.assertions.Template;

final class FairfleetStackTest {
  private static Template template;

  @BeforeAll
  static void synthesize() throws Exception {
    boolean node = nodeRuns();
    if (!node) {
      System.out.println(
          "SKIPPED FairfleetStackTest: CDK synthesises with Node, and no \"node\" runs here");
    }
    assumeTrue(node, "Node is installed");
    template = Template.fromStack(new FairfleetStack(new App(), "Test", "t"));
  }

  private static boolean nodeRuns() throws InterruptedException {
    try {
      return new ProcessBuilder("node", "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void queues_described_haveDeadLetterQueueLeaseAndRetention() {
    JsonNode described = Description.read("queues.json");
    assertThat(described.required("queues")).hasSize(2);
    int retention = described.required("messageRetentionSeconds").intValue();
    for (JsonNode queue : described.required("queues")) {
      template.hasResourceProperties(
          "AWS::SQS::Queue",
          Map.of(
              "QueueName",
              "t-" + queue.required("name").textValue(),
              "VisibilityTimeout",
              described.required("visibilityTimeoutSeconds").intValue(),
              "MessageRetentionPeriod",
              retention,
              "RedrivePolicy",
              Map.of(
                  "maxReceiveCount",
                  described.required("maxReceiveCount").intValue(),
                  "deadLetterTargetArn",
                  Match.anyValue())));
      template.hasResourceProperties(
          "AWS::SQS::Queue",
          Map.of(
              "QueueName",
              "t-" + queue.required("deadLetters").textValue(),
              "MessageRetentionPeriod",
              retention));
    }
  }

  @Test
  void queues_all_areEncryptedAndRefusePlainHttp() {
    template.allResourcesProperties("AWS::SQS::Queue", Map.of("SqsManagedSseEnabled", true));
    template.resourceCountIs("AWS::SQS::Queue", 4);
    template.resourceCountIs("AWS::SQS::QueuePolicy", 4);
    template.allResourcesProperties(
        "AWS::SQS::QueuePolicy",
        Match.objectLike(
            Map.of(
                "PolicyDocument",
                Match.objectLike(
                    Map.of(
                        "Statement",
                        Match.arrayWith(
                            List.of(
                                Match.objectLike(
                                    Map.of(
                                        "Effect",
                                        "Deny",
                                        "Condition",
                                        Map.of(
                                            "Bool",
                                            Map.of("aws:SecureTransport", "false")))))))))));
  }

  @Test
  void tables_described_areCreatedAndOutliveTheStack() {
    JsonNode described = Description.read("tables.json").required("tables");
    assertThat(described).hasSize(3);
    for (JsonNode table : described) {
      List<Object> keys = new ArrayList<>();
      keys.add(key(table.required("hash"), "HASH"));
      if (table.has("sort")) {
        keys.add(key(table.required("sort"), "RANGE"));
      }
      template.hasResource(
          "AWS::DynamoDB::Table",
          Map.of(
              "DeletionPolicy",
              "Retain",
              "Properties",
              Map.of(
                  "TableName",
                  "t-" + table.required("name").textValue(),
                  "KeySchema",
                  keys,
                  "GlobalSecondaryIndexes",
                  table.has("indexes")
                      ? Match.arrayWith(
                          List.of(
                              Match.objectLike(
                                  Map.of("IndexName", table.at("/indexes/0/name").textValue()))))
                      : Match.absent(),
                  "BillingMode",
                  "PAY_PER_REQUEST",
                  "DeletionProtectionEnabled",
                  true,
                  "PointInTimeRecoverySpecification",
                  Map.of("PointInTimeRecoveryEnabled", true))));
    }
    template.resourceCountIs("AWS::DynamoDB::Table", 3);
  }

  private static Map<String, String> key(JsonNode key, String type) {
    return Map.of("AttributeName", key.required("name").textValue(), "KeyType", type);
  }
}
