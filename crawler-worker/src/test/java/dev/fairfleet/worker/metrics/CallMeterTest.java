package dev.fairfleet.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DeleteRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Requests to a port where nobody listens: they count all the same, because they were sent. */
final class CallMeterTest {
  private static final Map<String, AttributeValue> KEY = Map.of("k", AttributeValue.fromS("1"));

  private final Meters meters = new Meters();
  private final DynamoDbClient client =
      DynamoDbClient.builder()
          .endpointOverride(URI.create("http://127.0.0.1:1"))
          .region(Region.US_EAST_1)
          .credentialsProvider(AnonymousCredentialsProvider.create())
          .overrideConfiguration(
              it ->
                  it.retryStrategy(StandardRetryStrategy.builder().maxAttempts(1).build())
                      .addExecutionInterceptor(new CallMeter(meters)))
          .build();

  @AfterEach
  void close() {
    client.close();
  }

  private static void refused(Runnable call) {
    try {
      call.run();
    } catch (SdkException e) {
      return;
    }
    throw new AssertionError("somebody answered");
  }

  @Test
  void beforeTransmission_writes_areCountedByTable() {
    refused(() -> client.putItem(r -> r.tableName("my-fleet-records").item(KEY)));
    refused(() -> client.updateItem(r -> r.tableName("my-fleet-pages").key(KEY)));
    refused(() -> client.updateItem(r -> r.tableName("my-fleet-pages").key(KEY)));
    refused(() -> client.deleteItem(r -> r.tableName("my-fleet-sites").key(KEY)));
    assertThat(meters.drain())
        .isEqualTo(
            Map.of(
                Meter.DYNAMODB_REQUESTS, 4.0,
                Meter.RECORDS_WRITES, 1.0,
                Meter.PAGES_WRITES, 2.0,
                Meter.SITES_WRITES, 1.0));
  }

  @Test
  void beforeTransmission_batchOfWrites_countsItsItems() {
    WriteRequest delete =
        WriteRequest.builder().deleteRequest(DeleteRequest.builder().key(KEY).build()).build();
    refused(
        () ->
            client.batchWriteItem(
                r ->
                    r.requestItems(
                        Map.of("pages", List.of(delete, delete), "records", List.of(delete)))));
    assertThat(meters.drain())
        .isEqualTo(
            Map.of(
                Meter.DYNAMODB_REQUESTS, 1.0,
                Meter.PAGES_WRITES, 2.0,
                Meter.RECORDS_WRITES, 1.0));
  }

  @Test
  void beforeTransmission_reads_areNoWrites() {
    refused(() -> client.getItem(r -> r.tableName("pages").key(KEY)));
    refused(() -> client.scan(r -> r.tableName("records")));
    assertThat(meters.drain()).isEqualTo(Map.of(Meter.DYNAMODB_REQUESTS, 2.0));
  }
}
