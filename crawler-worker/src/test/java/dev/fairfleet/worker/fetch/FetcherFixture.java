package dev.fairfleet.worker.fetch;

import static dev.fairfleet.worker.fetch.TestWeb.head;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome.Failed;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.FetchOutcome.Refused;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;

/** A fetcher, a web for it to ask, and what many tests expect of them. */
abstract class FetcherFixture {
  static final String AGENT = "fairfleet-test/1 (+https://a.test/bot)";
  static final AddressGuard LOOPBACK = new AddressGuard(true);
  static final FetchLimits LIMITS = limits(Duration.ofSeconds(20), Duration.ofSeconds(30), 10_000);

  final TestWeb web = new TestWeb();
  final HttpPageFetcher fetcher = fetcher(LIMITS, new SystemHostResolver(), LOOPBACK);

  @AfterEach
  void close() {
    fetcher.close();
    web.close();
  }

  FetchOutcome fetch(String path) {
    return fetcher.fetch(web.url(path), Validators.NONE);
  }

  FetchOutcome fetch(String path, Purpose purpose) {
    return fetcher.fetch(FetchRequest.of(web.url(path), purpose), () -> {});
  }

  String mime(String path) {
    return ((Fetched) fetch(path)).contentType().mime();
  }

  void assertBody(String path, String body) {
    assertThat(new String(((Fetched) fetch(path)).body().bytes(), UTF_8)).as(path).isEqualTo(body);
  }

  void assertRefused(String path, int status, String reason) {
    Refused refused = (Refused) fetch(path);
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused.status()).isEqualTo(status);
  }

  void assertFailed(String path, int status, FailureKind kind, String reason) {
    Failed failed = (Failed) fetch(path);
    assertThat(failed.reason()).isEqualTo(reason);
    assertThat(failed.kind()).isEqualTo(kind);
    assertThat(failed.status()).isEqualTo(status);
  }

  /** A page whose body never ends, as fast as it is read. */
  static TestWeb.Route endless(String type) {
    return (request, out) -> {
      out.write(head(200, "Content-Type: " + type, "Transfer-Encoding: chunked", ""));
      byte[] chunk = ("1000\r\n" + "x".repeat(4_096) + "\r\n").getBytes(ISO_8859_1);
      while (true) {
        out.write(chunk);
      }
    };
  }

  /** An answer that is never silent and never done. */
  TestWeb.Route drip(String start, String drop) {
    return (request, out) -> {
      out.write(head(200));
      out.write(start.getBytes(ISO_8859_1));
      while (true) {
        out.write(drop.getBytes(ISO_8859_1));
        out.flush();
        web.pause(20);
      }
    };
  }

  /** Bytes as they are, and then a closed connection. */
  static TestWeb.Route raw(String... lines) {
    return (request, out) -> {
      out.write(String.join("\r\n", lines).getBytes(ISO_8859_1));
      out.flush();
      throw new IOException("closed");
    };
  }

  static HttpPageFetcher fetcher(FetchLimits limits, HostResolver resolver, AddressGuard guard) {
    return new HttpPageFetcher(AGENT, limits, resolver, guard, InstantSource.system());
  }

  static HttpPageFetcher hasty(Duration idle, Duration total) {
    return fetcher(limits(idle, total, 10_000), new SystemHostResolver(), LOOPBACK);
  }

  static FetchLimits limits(Duration idle, Duration total, int bodyBytes) {
    return new FetchLimits(
        Duration.ofSeconds(10), idle, total, bodyBytes, 2_000, 30, FetchLimits.PAGE.types());
  }

  static CrawlUrl url(String text) {
    return CrawlUrl.of(text);
  }

  static byte[] gzip(String text) {
    return gzip(text.getBytes(UTF_8));
  }

  static byte[] gzip(byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(body);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  static byte[] deflate(String text, boolean raw) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, raw);
    try (OutputStream out = new DeflaterOutputStream(bytes, deflater)) {
      out.write(text.getBytes(UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    deflater.end();
    return bytes.toByteArray();
  }
}
