package dev.fairfleet.worker.fetch;

import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome.Failed;
import dev.fairfleet.worker.fetch.FetchOutcome.Refused;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.net.URIAuthority;
import org.jspecify.annotations.Nullable;

/** One request and what became of it. Used by one thread, once. */
final class Exchange {
  private static final URI ROOT = URI.create("/");
  private static final String ACCEPT =
      "text/html,application/xhtml+xml,application/rss+xml;q=0.9,application/atom+xml;q=0.9,"
          + "text/plain;q=0.9,*/*;q=0.1";

  /** What all exchanges of a fetcher share. */
  record Client(
      CloseableHttpClient http,
      RequestConfig config,
      ScheduledExecutorService timer,
      String userAgent,
      InstantSource clock) {}

  private final Client client;
  private final FetchRequest asked;
  private final CrawlUrl url;
  private final FetchLimits limits;
  private final Runnable beforeRequest;
  private final Instant start;
  private final HttpGet request = new HttpGet(ROOT);
  private int status;

  Exchange(Client client, FetchRequest asked, FetchLimits limits, Runnable beforeRequest) {
    this.client = client;
    this.asked = asked;
    this.url = asked.url();
    this.limits = limits;
    this.beforeRequest = beforeRequest;
    this.start = client.clock().instant();
  }

  FetchOutcome run() {
    Future<?> deadline =
        client.timer().schedule(request::cancel, limits.total().toNanos(), TimeUnit.NANOSECONDS);
    try {
      ClassicHttpResponse response = send(prepare());
      status = response.getCode();
      asked.cookies().take(response, url, client.clock().instant());
      return new Answer(asked, response, limits, client.clock(), start, request::cancel).read();
    } catch (IOException e) {
      FetchOutcome outcome = failure(e);
      request.cancel();
      return outcome;
    } finally {
      deadline.cancel(false);
    }
  }

  static Duration between(Instant start, Instant end) {
    Duration took = Duration.between(start, end);
    return took.isNegative() ? Duration.ZERO : took;
  }

  private ClassicHttpResponse send(HttpHost host) throws IOException {
    HttpClientContext context = context();
    try {
      return client.http().executeOpen(host, request, context);
    } catch (NoHttpResponseException | SocketException e) {
      boolean stale = e instanceof HttpPageFetcher.SurplusException || wasUsedBefore(context);
      if (request.isCancelled() || !stale) {
        throw e;
      }
      return client.http().executeOpen(host, request, context());
    }
  }

  private HttpClientContext context() {
    HttpClientContext context = HttpClientContext.create();
    context.setAttribute(HttpPageFetcher.BEFORE_REQUEST, beforeRequest);
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
    request.setConfig(client.config());
    request.addHeader("User-Agent", client.userAgent());
    request.addHeader("Accept", asked.purpose() == Purpose.PAGE ? ACCEPT : "*/*");
    request.addHeader("Accept-Encoding", ContentCoding.ACCEPTED);
    if (!asked.validators().etag().isEmpty()) {
      request.addHeader("If-None-Match", asked.validators().etag());
    }
    if (!asked.validators().lastModified().isEmpty()) {
      request.addHeader("If-Modified-Since", asked.validators().lastModified());
    }
    asked.cookies().addTo(request, url, start);
    return new HttpHost(url.scheme(), name, port);
  }

  private FetchOutcome failure(IOException e) {
    if (Thread.currentThread().isInterrupted()) {
      return failed(FailureKind.ABORTED, "the worker is stopping");
    }
    if (request.isCancelled()) {
      return failed(
          FailureKind.TIMEOUT, "the fetch did not end within " + limits.total().toSeconds() + " s");
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
              FailureKind.TIMEOUT, "the server was silent for " + limits.idle().toSeconds() + " s");
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
    return between(start, client.clock().instant());
  }
}
