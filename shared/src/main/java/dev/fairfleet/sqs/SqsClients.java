package dev.fairfleet.sqs;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/**
 * Makes the SQS client of a process: synchronous, because virtual threads may block.
 *
 * <p>Every call is tried up to three times (retry mode "standard"), each time for at most {@link
 * #ATTEMPT}; a receive for as long as it waits, and {@link #BEYOND_WAIT} more.
 */
public final class SqsClients {
  /**
   * How long one attempt at a call may take, other than a receive. A send that was given up may
   * have been carried out, and the next attempt sends its tasks a second time.
   */
  static final Duration ATTEMPT = Duration.ofSeconds(10);

  /** How long a call may take with all its attempts. */
  static final Duration CALL = Duration.ofSeconds(30);

  /**
   * How much longer than its wait a receive may take. Generous, because what SQS hands out to a
   * receive that was given up stays leased to nobody.
   */
  static final Duration BEYOND_WAIT = Duration.ofSeconds(10);

  // Above the 20 s that a receive can wait, so that the attempt's own limit decides.
  private static final Duration SOCKET = Duration.ofSeconds(35);
  private static final Duration CONNECT = Duration.ofSeconds(3);
  // Room for what the batchers of a task queue may have on the way, and for receives beside it.
  private static final int MOST_CONNECTIONS = 128;
  private static final int ATTEMPTS = 3;

  private SqsClients() {}

  /**
   * Returns a client whose region, credentials and endpoint come from the environment, as the AWS
   * SDK looks for them ({@code AWS_REGION}, {@code AWS_ENDPOINT_URL_SQS}, the task's role, …).
   *
   * @param interceptors see every call; for counting
   */
  public static SqsClient create(List<ExecutionInterceptor> interceptors) {
    return builder(interceptors).build();
  }

  /**
   * Returns a client like {@link #create(List)}.
   *
   * @param settings chooses region, credentials and endpoint; those it leaves alone are the SDK's
   *     to find
   */
  public static SqsClient create(
      List<ExecutionInterceptor> interceptors, Consumer<AwsClientBuilder<?, ?>> settings) {
    SqsClientBuilder client = builder(interceptors);
    settings.accept(client);
    return client.build();
  }

  /** Returns a client of a server at {@code endpoint} that does not check credentials. */
  public static SqsClient local(URI endpoint, List<ExecutionInterceptor> interceptors) {
    return builder(interceptors)
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
        .build();
  }

  private static SqsClientBuilder builder(List<ExecutionInterceptor> interceptors) {
    return SqsClient.builder()
        .httpClientBuilder(
            Apache5HttpClient.builder()
                .maxConnections(MOST_CONNECTIONS)
                .connectionTimeout(CONNECT)
                .socketTimeout(SOCKET))
        .overrideConfiguration(
            override ->
                override
                    .retryStrategy(StandardRetryStrategy.builder().maxAttempts(ATTEMPTS).build())
                    .apiCallAttemptTimeout(ATTEMPT)
                    .apiCallTimeout(CALL)
                    .executionInterceptors(interceptors));
  }
}
