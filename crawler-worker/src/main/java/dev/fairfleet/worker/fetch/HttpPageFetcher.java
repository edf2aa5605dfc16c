package dev.fairfleet.worker.fetch;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome.Failed;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.FetchOutcome.Gone;
import dev.fairfleet.worker.fetch.FetchOutcome.NotModified;
import dev.fairfleet.worker.fetch.FetchOutcome.Redirected;
import dev.fairfleet.worker.fetch.FetchOutcome.Refused;
import dev.fairfleet.worker.fetch.FetchOutcome.Throttled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.net.URIAuthority;
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
  private static final int DRAINED = 16 * 1024;
  private static final int SNIFFED = 512;
  private static final int LONGEST_VALIDATOR = 512;
  private static final String BEFORE_REQUEST = "beforeRequest";
  private static final URI ROOT = URI.create("/");
  private static final String ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.1";

  private final String userAgent;
  private final FetchLimits limits;
  private final InstantSource clock;
  private final RequestConfig requestConfig;
  private final PoolingHttpClientConnectionManager connections;
  private final CloseableHttpClient client;
  private final ScheduledThreadPoolExecutor timer;
  private final Future<?> eviction;

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
    this.clock = clock;
    requestConfig =
        RequestConfig.custom()
            .setConnectionRequestTimeout(timeout(limits.total()))
            .setResponseTimeout(timeout(limits.idle()))
            .build();
    connections =
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
    client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .disableConnectionState()
            .disableDefaultUserAgent()
            .addRequestInterceptorLast(HttpPageFetcher::beforeRequest)
            .build();
    timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("fetch-deadlines").factory());
    timer.setRemoveOnCancelPolicy(true);
    eviction =
        timer.scheduleWithFixedDelay(
            () -> connections.closeIdle(TimeValue.ofSeconds(IDLE_SECONDS)),
            EVICTION.toMillis(),
            EVICTION.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  // The client runs it when the connection stands.
  private static void beforeRequest(
      HttpRequest request, @Nullable EntityDetails entity, HttpContext context) {
    if (context.getAttribute(BEFORE_REQUEST) instanceof Runnable before) {
      before.run();
    }
  }

  @Override
  public FetchOutcome fetch(CrawlUrl url, Validators validators) {
    return fetch(url, validators, () -> {});
  }

  @Override
  public FetchOutcome fetch(CrawlUrl url, Validators validators, Runnable beforeRequest) {
    return new Exchange(url, validators, limits, beforeRequest).run();
  }

  /** Returns a fetcher for robots.txt files that shares the connections of this one. */
  public PageFetcher forRobots() {
    FetchLimits robots = limits.forRobots();
    return new PageFetcher() {
      @Override
      public FetchOutcome fetch(CrawlUrl url, Validators validators) {
        return fetch(url, validators, () -> {});
      }

      @Override
      public FetchOutcome fetch(CrawlUrl url, Validators validators, Runnable beforeRequest) {
        return new Exchange(url, validators, robots, beforeRequest).run();
      }
    };
  }

  /** Ends what is under way and closes all connections. */
  @Override
  public void close() {
    eviction.cancel(false);
    timer.shutdownNow();
    client.close(CloseMode.IMMEDIATE);
  }

  private static Timeout timeout(Duration duration) {
    return Timeout.of(duration);
  }

  /** One request and what became of it. */
  private final class Exchange {
    private final CrawlUrl url;
    private final Validators validators;
    private final FetchLimits limits;
    private final Instant start = clock.instant();
    private final Runnable beforeRequest;
    private final HttpGet request = new HttpGet(ROOT);
    private int status;

    Exchange(CrawlUrl url, Validators validators, FetchLimits limits, Runnable beforeRequest) {
      this.url = url;
      this.validators = validators;
      this.limits = limits;
      this.beforeRequest = beforeRequest;
    }

    FetchOutcome run() {
      Future<?> deadline =
          timer.schedule(request::cancel, limits.total().toNanos(), TimeUnit.NANOSECONDS);
      try {
        ClassicHttpResponse response = send(prepare());
        status = response.getCode();
        return read(response);
      } catch (IOException e) {
        FetchOutcome outcome = failure(e);
        request.cancel();
        return outcome;
      } finally {
        deadline.cancel(false);
      }
    }

    private ClassicHttpResponse send(HttpHost host) throws IOException {
      HttpClientContext context = context();
      try {
        return client.executeOpen(host, request, context);
      } catch (NoHttpResponseException | SocketException e) {
        if (request.isCancelled() || !wasUsedBefore(context)) {
          throw e;
        }
        return client.executeOpen(host, request, context());
      }
    }

    private HttpClientContext context() {
      HttpClientContext context = HttpClientContext.create();
      context.setAttribute(BEFORE_REQUEST, beforeRequest);
      return context;
    }

    private static boolean wasUsedBefore(HttpClientContext context) {
      EndpointDetails connection = context.getEndpointDetails();
      return connection != null && connection.getRequestCount() > 1;
    }

    private HttpHost prepare() {
      String host = url.hostKey().host();
      String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
      int port = url.hostKey().port();
      boolean defaultPort = port == (url.scheme().equals("https") ? 443 : 80);
      request.setScheme(url.scheme());
      request.setAuthority(new URIAuthority(name, defaultPort ? -1 : port));
      request.setPath(url.pathAndQuery());
      request.setConfig(requestConfig);
      request.addHeader("User-Agent", userAgent);
      request.addHeader("Accept", limits.types().isEmpty() ? "*/*" : ACCEPT);
      request.addHeader("Accept-Encoding", ContentCoding.ACCEPTED);
      if (!validators.etag().isEmpty()) {
        request.addHeader("If-None-Match", validators.etag());
      }
      if (!validators.lastModified().isEmpty()) {
        request.addHeader("If-Modified-Since", validators.lastModified());
      }
      return new HttpHost(url.scheme(), name, port);
    }

    private FetchOutcome read(ClassicHttpResponse response) throws IOException {
      if (status >= 200 && status < 300) {
        return body(response);
      }
      discard(response);
      return switch (status) {
        case 304 -> new NotModified(newValidators(response, validators), took());
        case 300, 301, 302, 303, 307, 308 -> redirect(response);
        case 404, 410 -> new Gone(status, took());
        case 429, 503 -> new Throttled(status, retryAfter(response), took());
        case 408, 425 -> failed(FailureKind.STATUS, "status " + status);
        default ->
            status >= 500
                ? failed(FailureKind.STATUS, "status " + status)
                : refused("status: " + status + " is final");
      };
    }

    private FetchOutcome redirect(ClassicHttpResponse response) {
      Set<String> locations = new LinkedHashSet<>();
      for (Header header : response.getHeaders("Location")) {
        locations.add(utf8(header.getValue()).strip());
      }
      if (locations.size() != 1 || locations.contains("")) {
        return refused(
            "redirect: status "
                + status
                + (locations.size() > 1 ? " with several locations" : " without a location"));
      }
      String location = locations.iterator().next();
      return url.resolve(location)
          .<FetchOutcome>map(target -> new Redirected(status, target, took()))
          .orElseGet(() -> refused("redirect: status " + status + " to no http or https URL"));
    }

    private FetchOutcome body(ClassicHttpResponse response) throws IOException {
      ContentType type = ContentType.parse(header(response, "Content-Type"));
      if (!type.mime().isEmpty() && !isWanted(type.mime())) {
        return unwanted(type.mime());
      }
      HttpEntity entity = response.getEntity();
      if (entity == null) {
        return fetched(response, new byte[0], named(type, "text/plain"), false);
      }
      InputStream raw = entity.getContent();
      try (InputStream in = ContentCoding.decode(raw, codings(response))) {
        byte[] bytes;
        if (type.mime().isEmpty()) {
          byte[] head = in.readNBytes(Math.min(SNIFFED, limits.bodyBytes()));
          type = named(type, sniff(head));
          if (!isWanted(type.mime())) {
            return unwanted(type.mime() + ", as it seems,");
          }
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          all.writeBytes(head);
          all.writeBytes(in.readNBytes(limits.bodyBytes() - head.length));
          bytes = all.toByteArray();
        } else {
          bytes = in.readNBytes(limits.bodyBytes());
        }
        boolean truncated = bytes.length == limits.bodyBytes() && in.read() >= 0;
        if (truncated) {
          request.cancel();
        } else {
          drain(raw);
        }
        return fetched(response, bytes, type, truncated);
      } catch (ContentCoding.UnsupportedException e) {
        request.cancel();
        return refused(String.valueOf(e.getMessage()));
      }
    }

    private FetchOutcome fetched(
        ClassicHttpResponse response, byte[] bytes, ContentType type, boolean truncated) {
      return new Fetched(
          status,
          url,
          new Body(bytes),
          type,
          newValidators(response, Validators.NONE),
          truncated,
          took());
    }

    private boolean isWanted(String mime) {
      return limits.types().isEmpty() || limits.types().contains(mime);
    }

    private FetchOutcome unwanted(String mime) {
      request.cancel();
      return refused("content type: " + mime + " is none of " + limits.types());
    }

    /** Reads the body of an answer whose status says it all, if that is cheap. */
    private void discard(ClassicHttpResponse response) {
      try {
        HttpEntity entity = response.getEntity();
        if (entity != null) {
          drain(entity.getContent());
        }
      } catch (IOException e) {
        request.cancel();
      }
    }

    /** Reads to the end, so that the connection can be used again, unless that is far away. */
    private void drain(InputStream raw) throws IOException {
      byte[] rest = raw.readNBytes(DRAINED);
      if (rest.length == DRAINED) {
        request.cancel();
      }
    }

    private Optional<Duration> retryAfter(ClassicHttpResponse response) {
      return Arrays.stream(response.getHeaders("Retry-After"))
          .flatMap(
              header ->
                  RetryAfter.parse(header.getValue(), header(response, "Date"), clock.instant())
                      .stream())
          .findFirst();
    }

    private FetchOutcome failure(IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        return failed(FailureKind.ABORTED, "the worker is stopping");
      }
      if (request.isCancelled()) {
        return failed(
            FailureKind.TIMEOUT,
            "the fetch did not end within " + limits.total().toSeconds() + " s");
      }
      String what = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      return switch (e) {
        case RefusedAddressException refused -> refused(what);
        case UnknownHostException unknown ->
            failed(FailureKind.DNS, url.hostKey().host() + " could not be resolved");
        case ConnectTimeoutException slow -> failed(FailureKind.CONNECT, what);
        case ConnectException none -> failed(FailureKind.CONNECT, what);
        case NoRouteToHostException none -> failed(FailureKind.CONNECT, what);
        case SocketTimeoutException silence ->
            failed(
                FailureKind.TIMEOUT,
                "the server was silent for " + limits.idle().toSeconds() + " s");
        case SSLException tls -> failed(FailureKind.TLS, what);
        case MessageConstraintException large -> refused("headers: " + what);
        default ->
            isConstraint(e.getCause())
                ? refused("headers: " + what)
                : failed(FailureKind.BROKEN, what);
      };
    }

    private static boolean isConstraint(@Nullable Throwable cause) {
      return cause instanceof MessageConstraintException;
    }

    private Failed failed(FailureKind kind, String reason) {
      return new Failed(status, kind, reason, took());
    }

    private Refused refused(String reason) {
      return new Refused(status, reason, took());
    }

    private Duration took() {
      Duration took = Duration.between(start, clock.instant());
      return took.isNegative() ? Duration.ZERO : took;
    }
  }

  private static ContentType named(ContentType type, String mime) {
    return new ContentType(mime, type.charset());
  }

  /** Takes a body for text unless it holds a byte that text never does (WHATWG MIME Sniffing). */
  private static String sniff(byte[] head) {
    int i = 0;
    boolean utf16 =
        head.length >= 2
            && ((head[0] == (byte) 0xfe && head[1] == (byte) 0xff)
                || (head[0] == (byte) 0xff && head[1] == (byte) 0xfe));
    if (utf16) {
      return "text/html";
    }
    for (byte b : head) {
      if (b >= 0 && b < ' ' && "\t\n\f\r\u001b".indexOf(b) < 0) {
        return "application/octet-stream";
      }
    }
    if (head.length >= 3 && head[0] == (byte) 0xef && head[1] == (byte) 0xbb) {
      i = 3;
    }
    while (i < head.length && head[i] <= ' ' && head[i] >= 0) {
      i++;
    }
    return i < head.length && head[i] == '<' ? "text/html" : "text/plain";
  }

  private static List<String> codings(ClassicHttpResponse response) {
    List<String> codings = new ArrayList<>();
    for (Header header : response.getHeaders("Content-Encoding")) {
      for (String coding : header.getValue().split(",", -1)) {
        if (!coding.isBlank()) {
          codings.add(coding.strip());
        }
      }
    }
    return codings;
  }

  private static Validators newValidators(ClassicHttpResponse response, Validators old) {
    String etag = header(response, "ETag");
    String lastModified = header(response, "Last-Modified");
    return new Validators(
        etag.isEmpty() || etag.length() > LONGEST_VALIDATOR ? old.etag() : etag,
        lastModified.isEmpty() || lastModified.length() > LONGEST_VALIDATOR
            ? old.lastModified()
            : lastModified);
  }

  private static String header(ClassicHttpResponse response, String name) {
    Header header = response.getFirstHeader(name);
    return header == null || header.getValue() == null ? "" : header.getValue();
  }

  /** Header bytes arrive as ISO 8859-1; most servers mean UTF-8. */
  private static String utf8(String latin) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(latin.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException e) {
      return latin;
    }
  }
}
