package dev.fairfleet.worker.fetch;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Fetches over HTTP/1.1 with Apache HttpClient, without its redirects, retries, cookies,
 * credentials and decoding.
 *
 * <p>Connections are kept for {@value #IDLE_SECONDS} s and closed, not drained, when a body was not
 * read to its end. Every address is checked by an {@link AddressGuard} in the client's own
 * resolver, so the connection goes to the address that was checked. No proxy is used.
 */
public final class HttpPageFetcher implements PageFetcher, AutoCloseable {
  /*
   * How a fetch ends in time. One timer cancels the request at its deadline, which closes its
   * connection and so ends whatever read, write, handshake or connect is under way: an endless
   * drip, of headers as well as of body, gains nothing by never being silent. Silence ends earlier,
   * by the socket's own time-out. Only the look-up of a name cannot be cancelled; the operating
   * system's resolver has its own time-outs.
   */
  private static final int IDLE_SECONDS = 20;
  private static final Duration EVICTION = Duration.ofSeconds(5);
  private static final Duration CHECK_AFTER = Duration.ofMillis(500);
  // How often one host is asked is decided by politeness; this only stops a runaway.
  private static final int CONNECTIONS_PER_HOST = 64;
  static final String BEFORE_REQUEST = "beforeRequest";
  private static final Timeout SURPLUS = Timeout.ofMilliseconds(1);

  private final String userAgent;
  private final FetchLimits limits;
  private final HostResolver resolver;
  private final AddressGuard guard;
  private final InstantSource clock;
  private final RequestConfig config;
  private final ScheduledThreadPoolExecutor timer;
  private final Future<?> eviction;
  private volatile Opened opened;

  /** A client and its connections. */
  private record Opened(PoolingHttpClientConnectionManager connections, Exchange.Client client) {}

  /**
   * Opens no connection yet.
   *
   * @param userAgent value of {@code User-Agent}: who we are, and where to complain
   */
  public HttpPageFetcher(
      String userAgent,
      FetchLimits limits,
      HostResolver resolver,
      AddressGuard guard,
      InstantSource clock) {
    this.userAgent = userAgent;
    this.limits = limits;
    this.resolver = resolver;
    this.guard = guard;
    this.clock = clock;
    config =
        RequestConfig.custom()
            .setConnectionRequestTimeout(timeout(limits.total()))
            .setResponseTimeout(timeout(limits.idle()))
            .build();
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("fetch-deadlines").factory());
    timer.setRemoveOnCancelPolicy(true);
    opened = open();
    eviction =
        timer.scheduleWithFixedDelay(
            () -> opened.connections().closeIdle(TimeValue.ofSeconds(IDLE_SECONDS)),
            EVICTION.toMillis(),
            EVICTION.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private Opened open() {
    PoolingHttpClientConnectionManager connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setDnsResolver(new GuardedDns(resolver, guard))
            .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
            .setMaxConnPerRoute(CONNECTIONS_PER_HOST)
            .setConnectionFactory(
                ManagedHttpClientConnectionFactory.builder()
                    .http1Config(
                        Http1Config.custom()
                            .setMaxLineLength(limits.headerLine())
                            .setMaxHeaderCount(limits.headers())
                            .build())
                    .build())
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(timeout(limits.connect()))
                    .setSocketTimeout(timeout(limits.idle()))
                    .setValidateAfterInactivity(TimeValue.of(CHECK_AFTER))
                    .build())
            .setDefaultTlsConfig(
                TlsConfig.custom().setHandshakeTimeout(timeout(limits.idle())).build())
            .build();
    CloseableHttpClient http =
        HttpClients.custom()
            .setConnectionManager(connections)
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .disableConnectionState()
            .disableDefaultUserAgent()
            .setRequestExecutor(new NoSurplus())
            .addRequestInterceptorLast(HttpPageFetcher::beforeRequest)
            .build();
    return new Opened(connections, new Exchange.Client(http, config, timer, userAgent, clock));
  }

  /** Thrown before anything was written. */
  static final class SurplusException extends NoHttpResponseException {
    private static final long serialVersionUID = 1L;

    SurplusException() {
      super("More was sent than announced");
    }
  }

  /**
   * Uses no connection again on which there is more than was announced: that would be read as the
   * next answer.
   */
  private static final class NoSurplus extends HttpRequestExecutor {
    @Override
    public ClassicHttpResponse execute(
        ClassicHttpRequest request,
        HttpClientConnection connection,
        HttpResponseInformationCallback information,
        HttpContext context)
        throws IOException, HttpException {
      EndpointDetails used = connection.getEndpointDetails();
      if (used != null && used.getRequestCount() > 0 && connection.isDataAvailable(SURPLUS)) {
        connection.close(CloseMode.IMMEDIATE);
        throw new SurplusException();
      }
      return super.execute(request, connection, information, context);
    }
  }

  // The client runs it when the connection stands.
  private static void beforeRequest(
      HttpRequest request, @Nullable EntityDetails entity, HttpContext context) {
    if (context.getAttribute(BEFORE_REQUEST) instanceof Runnable before) {
      before.run();
    }
  }

  @Override
  public FetchOutcome fetch(FetchRequest request, Runnable beforeRequest) {
    Opened current = opened;
    try {
      return new Exchange(
              current.client(), request, limits.forPurpose(request.purpose()), beforeRequest)
          .run();
    } catch (Error e) {
      reopen(current);
      throw e;
    }
  }

  /** The client closes all its connections for good when memory or stack run out within it. */
  private synchronized void reopen(Opened broken) {
    if (opened.equals(broken)) {
      broken.client().http().close(CloseMode.IMMEDIATE);
      opened = open();
    }
  }

  /** Returns a fetcher that reads all it is asked for as robots.txt. */
  public PageFetcher forRobots() {
    return (request, beforeRequest) -> fetch(request.withPurpose(Purpose.ROBOTS), beforeRequest);
  }

  /** Ends what is under way and closes all connections. */
  @Override
  public void close() {
    eviction.cancel(false);
    timer.shutdownNow();
    opened.client().http().close(CloseMode.IMMEDIATE);
  }

  private static Timeout timeout(Duration duration) {
    return Timeout.of(duration);
  }
}
