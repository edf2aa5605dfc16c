package dev.fairfleet.dynamodb;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Makes the DynamoDB client that the stores of a process share. */
public final class DynamoDbClients {
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration ATTEMPT = Duration.ofSeconds(5);
  private static final Duration CALL = Duration.ofSeconds(20);
  // One try in three may be throttled while a partition splits, and a claim makes many calls: the
  // three tries of standard mode would fail one claim in two then.
  private static final int ATTEMPTS = 8;

  /*
   * The SDK sets two timers for each call. In its own executor every one is the next to fire, so
   * that each call wakes the timer thread: that took a third of the CPU time of a call. Here a tick
   * is always next. Daemon, shared by all clients of the process, never closed.
   */
  private static final ScheduledThreadPoolExecutor TIMERS = timers();

  private static final StaticCredentialsProvider PLACEHOLDERS =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));

  private DynamoDbClients() {}

  private static ScheduledThreadPoolExecutor timers() {
    ScheduledThreadPoolExecutor timers =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("dynamodb-timers").factory());
    timers.setRemoveOnCancelPolicy(true);
    var unused = timers.scheduleAtFixedRate(() -> {}, 1, 1, TimeUnit.SECONDS);
    return timers;
  }

  /**
   * Returns a blocking client for callers on virtual threads; whoever makes it closes it.
   *
   * <p>An attempt may take 5 s, a call with up to seven retries (SDK mode {@code standard}) 20 s. A
   * loopback endpoint is a server that checks no credentials: it gets placeholders, so that real
   * ones never reach it and none need be configured.
   *
   * @param endpoint of another server than AWS; if empty, the SDK's own configuration decides,
   *     {@code AWS_ENDPOINT_URL_DYNAMODB} included
   * @param connections most requests under way at once, at least 1; more callers wait up to 5 s
   * @param interceptors see every request and response, in this order
   */
  public static DynamoDbClient create(
      Optional<URI> endpoint, int connections, List<ExecutionInterceptor> interceptors) {
    return create(
        connections,
        interceptors,
        client ->
            endpoint.ifPresent(
                uri -> {
                  client.endpointOverride(uri);
                  if (isLoopback(uri)) {
                    client.region(Region.US_EAST_1).credentialsProvider(PLACEHOLDERS);
                  }
                }));
  }

  /**
   * Returns a client like {@link #create(Optional, int, List)}.
   *
   * @param settings chooses region, credentials and endpoint; those it leaves alone are the SDK's
   *     to find
   */
  public static DynamoDbClient create(
      int connections,
      List<ExecutionInterceptor> interceptors,
      Consumer<AwsClientBuilder<?, ?>> settings) {
    DynamoDbClientBuilder client =
        DynamoDbClient.builder()
            .httpClientBuilder(
                Apache5HttpClient.builder()
                    .maxConnections(connections)
                    .tcpKeepAlive(true)
                    .expectContinueEnabled(false)
                    .connectionTimeout(CONNECT)
                    .connectionAcquisitionTimeout(ATTEMPT)
                    .socketTimeout(ATTEMPT))
            .overrideConfiguration(
                c -> {
                  c.retryStrategy(
                          AwsRetryStrategy.standardRetryStrategy().toBuilder()
                              .maxAttempts(ATTEMPTS)
                              .build())
                      .scheduledExecutorService(TIMERS)
                      .apiCallAttemptTimeout(ATTEMPT)
                      .apiCallTimeout(CALL);
                  interceptors.forEach(c::addExecutionInterceptor);
                });
    settings.accept(client);
    return client.build();
  }

  private static boolean isLoopback(URI endpoint) {
    try {
      return InetAddress.getByName(endpoint.getHost()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
