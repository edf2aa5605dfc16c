package dev.fairfleet.worker.fetch;

import static dev.fairfleet.worker.fetch.TestWeb.head;
import static dev.fairfleet.worker.fetch.TestWeb.html;
import static dev.fairfleet.worker.fetch.TestWeb.page;
import static dev.fairfleet.worker.fetch.TestWeb.status;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpPageFetcherTest {
  private static final String AGENT = "fairfleet-test/1 (+https://a.test/bot)";
  private static final AddressGuard LOOPBACK = new AddressGuard(true);
  private static final FetchLimits LIMITS =
      limits(Duration.ofSeconds(20), Duration.ofSeconds(30), 10_000);

  private final TestWeb web = new TestWeb();
  private final HttpPageFetcher fetcher = fetcher(LIMITS, new SystemHostResolver(), LOOPBACK);

  @AfterEach
  void close() {
    fetcher.close();
    web.close();
  }

  @Test
  void fetch_page_isFetched() {
    web.on(
        "/x?a=1",
        page(
            "Text/HTML;Charset=\"utf-8\"",
            "<p>hällo".getBytes(UTF_8),
            "ETag: \"v1\"",
            "Last-Modified: Sun, 29 Nov 2026 08:00:00 GMT"));

    Fetched fetched = (Fetched) fetch("/x?a=1");

    assertThat(fetched.status()).isEqualTo(200);
    assertThat(fetched.url()).isEqualTo(web.url("/x?a=1"));
    assertThat(new String(fetched.body().bytes(), UTF_8)).isEqualTo("<p>hällo");
    assertThat(fetched.contentType()).isEqualTo(new ContentType("text/html", "utf-8"));
    assertThat(fetched.validators())
        .isEqualTo(new Validators("\"v1\"", "Sun, 29 Nov 2026 08:00:00 GMT"));
    assertThat(fetched.truncated()).isFalse();
    assertThat(web.requests().getFirst().headers())
        .containsEntry("host", "a.localhost:" + web.port())
        .containsEntry("user-agent", AGENT)
        .containsEntry("accept-encoding", "gzip, deflate")
        .containsKey("accept")
        .doesNotContainKeys("if-none-match", "if-modified-since", "cookie");
  }

  @Test
  void fetch_twice_usesOneConnection() {
    web.on("/", html("one")).on("/gzip", page("text/html", gzip("two"), "Content-Encoding: gzip"));

    fetch("/");
    fetch("/gzip");
    fetch("/missing");
    fetch("/");

    assertThat(web.requests()).hasSize(4);
    assertThat(web.connections()).isEqualTo(1);
  }

  @Test
  void fetch_somethingToDoBeforeTheRequest_isDoneWhenTheConnectionStandsAndNothingWasSent() {
    web.on("/", html("x"));
    List<Integer> seen = new ArrayList<>();

    fetcher.fetch(
        web.url("/"),
        Validators.NONE,
        () -> {
          await().until(() -> web.connections() == 1);
          seen.add(web.requests().size());
        });

    assertThat(seen).containsExactly(0);
    assertThat(web.requests()).hasSize(1);
  }

  @Test
  void fetch_whatIsDoneBeforeTheRequestThrows_nothingIsSentAndItIsThrownOn() {
    web.on("/", html("x"));

    assertThatThrownBy(
            () ->
                fetcher.fetch(
                    web.url("/"),
                    Validators.NONE,
                    () -> {
                      throw new IllegalStateException("not now");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("not now");

    assertThat(web.requests()).isEmpty();
    assertThat(fetch("/")).isInstanceOf(Fetched.class);
  }

  @Test
  void fetch_keptConnectionWasClosed_isSentAgainOnce() {
    TestWeb.Route thenClose =
        (request, out) -> {
          html("x").answer(request, out);
          throw new IOException("closed");
        };
    web.on("/1", thenClose).on("/2", thenClose);

    assertThat(fetch("/1")).isInstanceOf(Fetched.class);
    assertThat(fetch("/2")).isInstanceOf(Fetched.class);
    assertThat(web.connections()).isEqualTo(2);
  }

  @Test
  void fetch_newConnectionIsClosed_isNotSentAgain() {
    web.on(
        "/",
        (request, out) -> {
          throw new IOException("closed");
        });

    assertThat(((Failed) fetch("/")).kind()).isEqualTo(FailureKind.BROKEN);
    assertThat(web.requests()).hasSize(1);
  }

  @Test
  void fetch_pathOfTwoSlashes_isSentAsItIs_P38() {
    fetch("//barred/x?b&a");

    assertThat(web.targets()).containsExactly("//barred/x?a&b");
  }

  @Test
  void fetch_unchangedPage_isNotModified_P46() {
    Validators old = new Validators("\"v1\"", "Sun, 29 Nov 2026 08:00:00 GMT");
    web.on("/", (request, out) -> out.write(head(304, "ETag: \"v2\"", "")));

    NotModified outcome = (NotModified) fetcher.fetch(web.url("/"), old);

    assertThat(outcome.validators()).isEqualTo(new Validators("\"v2\"", old.lastModified()));
    assertThat(web.requests().getFirst().headers())
        .containsEntry("if-none-match", old.etag())
        .containsEntry("if-modified-since", old.lastModified());
  }

  @ParameterizedTest(name = "P44: {0}")
  @CsvSource({
    "/two words.pdf, http://a.localhost:PORT/two%20words.pdf",
    "x, http://a.localhost:PORT/d/x",
    "?q=1, http://a.localhost:PORT/d/page?q=1",
    "//b.test/, http://b.test/",
    "https://b.test/x#y, https://b.test/x",
    "/ü, http://a.localhost:PORT/%C3%BC"
  })
  void fetch_redirect_isResolvedNotFollowed(String location, String target) {
    web.on("/d/page", status(302, "Location: " + location));

    Redirected redirected = (Redirected) fetch("/d/page");

    assertThat(redirected.location())
        .hasToString(target.replace("PORT", String.valueOf(web.port())));
    assertThat(web.requests()).hasSize(1);
  }

  @ParameterizedTest(name = "P46: {0}")
  @ValueSource(ints = {300, 301, 302, 303, 307, 308})
  void fetch_redirectStatusWithLocation_isRedirected(int status) {
    web.on("/", status(status, "Location: /x", "Location: /x"));

    assertThat(fetch("/"))
        .isInstanceOfSatisfying(
            Redirected.class, found -> assertThat(found.location()).isEqualTo(web.url("/x")));
  }

  @Test
  void fetch_oddLocations_areRefusedWithReason_P44() {
    web.on("/missing", status(302))
        .on("/empty", status(302, "Location: "))
        .on("/two", status(302, "Location: /a", "Location: /b"))
        .on("/mail", status(302, "Location: mailto:x@a.test"));

    assertRefused("/missing", 302, "redirect: status 302 without a location");
    assertRefused("/empty", 302, "redirect: status 302 without a location");
    assertRefused("/two", 302, "redirect: status 302 with several locations");
    assertRefused("/mail", 302, "redirect: status 302 to no http or https URL");
  }

  @ParameterizedTest(name = "P46: {0}")
  @ValueSource(ints = {305, 306, 399, 400, 401, 403, 451})
  void fetch_otherStatus_isFinal(int status) {
    web.on("/", status(status, "Location: /x"));

    assertRefused("/", status, "status: " + status + " is final");
  }

  @Test
  void fetch_300WithoutLocation_isFinal_P46() {
    web.on("/", status(300));

    assertRefused("/", 300, "redirect: status 300 without a location");
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 410})
  void fetch_missingPage_isGone(int status) {
    web.on("/", status(status));

    assertThat(fetch("/"))
        .isInstanceOfSatisfying(Gone.class, gone -> assertThat(gone.status()).isEqualTo(status));
  }

  @Test
  void fetch_throttled_tellsHowLong_P58() {
    web.on("/429", status(429, "Retry-After: 20"))
        .on("/503", status(503, "Retry-After: nonsense", "Retry-After: 7"))
        .on("/bare", status(503));

    assertThat(((Throttled) fetch("/429")).retryAfter()).contains(Duration.ofSeconds(20));
    assertThat(((Throttled) fetch("/503")).retryAfter()).contains(Duration.ofSeconds(7));
    assertThat(((Throttled) fetch("/bare")).retryAfter()).isEqualTo(Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 504, 408, 425})
  void fetch_serverTrouble_isFailed(int status) {
    web.on("/", status(status));

    assertFailed("/", status, FailureKind.STATUS, "status " + status);
  }

  @Test
  void fetch_endlessAudio_isRefusedBeforeItsBody_P54() {
    web.on("/", endless("audio/mpeg"));

    assertThat(fetch("/"))
        .isInstanceOfSatisfying(
            Refused.class,
            refused ->
                assertThat(refused.reason()).startsWith("content type: audio/mpeg is none of ["));
    await().until(() -> web.cut() == 1);
  }

  @Test
  void fetch_endlessHtml_isCutAndItsConnectionClosed_P54() {
    web.on("/", endless("text/html"));

    Fetched fetched = (Fetched) fetch("/");

    assertThat(fetched.truncated()).isTrue();
    assertThat(fetched.body().length()).isEqualTo(LIMITS.bodyBytes());
    await().until(() -> web.cut() == 1);
  }

  @Test
  void fetch_bodyAtCapAndOneMore_isCutBeyondIt() {
    web.on("/at", page("text/html", new byte[LIMITS.bodyBytes()]))
        .on("/over", page("text/html", new byte[LIMITS.bodyBytes() + 1]));

    assertThat(((Fetched) fetch("/at")).truncated()).isFalse();
    assertThat(((Fetched) fetch("/over")).truncated()).isTrue();
    assertThat(((Fetched) fetch("/over")).body().length()).isEqualTo(LIMITS.bodyBytes());
  }

  @Test
  void fetch_plainBodyCalledGzip_isKept_P50() {
    web.on("/", page("text/html", "<p>plain".getBytes(UTF_8), "Content-Encoding: gzip"))
        .on("/short", page("text/html", "x".getBytes(UTF_8), "Content-Encoding: gzip"))
        .on("/empty", page("text/html", new byte[0], "Content-Encoding: gzip"));

    assertBody("/", "<p>plain");
    assertBody("/short", "x");
    assertBody("/empty", "");
  }

  @Test
  void fetch_codings_areUndoneOnceEach_P50() {
    web.on("/gzip", page("text/html", gzip("body"), "Content-Encoding: GZip"))
        .on("/x", page("text/html", gzip("body"), "Content-Encoding: x-gzip"))
        .on("/twice", page("text/html", gzip(gzip("body")), "Content-Encoding: gzip, gzip"))
        .on(
            "/lines",
            page(
                "text/html",
                gzip(gzip("body")),
                "Content-Encoding: gzip",
                "Content-Encoding: gzip"))
        .on("/identity", page("text/html", "body".getBytes(UTF_8), "Content-Encoding: identity"))
        .on("/zlib", page("text/html", deflate("body", false), "Content-Encoding: deflate"))
        .on("/raw", page("text/html", deflate("body", true), "Content-Encoding: deflate"))
        .on(
            "/mixed",
            page("text/html", gzip(deflate("body", false)), "Content-Encoding: deflate, gzip"));

    for (String path :
        List.of("/gzip", "/x", "/twice", "/lines", "/identity", "/zlib", "/raw", "/mixed")) {
      assertBody(path, "body");
    }
  }

  @Test
  void fetch_codingNotAskedFor_isRefused_P50() {
    web.on("/br", page("text/html", new byte[9], "Content-Encoding: br"))
        .on("/four", page("text/html", new byte[9], "Content-Encoding: gzip,gzip,gzip,gzip"));

    assertRefused("/br", 200, "content coding: br was not asked for, only gzip, deflate");
    assertRefused("/four", 200, "content coding: 4 at once, at most 3 are undone");
  }

  @Test
  void fetch_brokenGzip_isBroken_P50() {
    byte[] gzip = gzip("body".repeat(1_000));
    gzip[gzip.length / 2] ^= 0x55;
    byte[] half = Arrays.copyOf(gzip("body".repeat(1_000)), 20);
    web.on("/", page("text/html", gzip, "Content-Encoding: gzip"))
        .on("/half", page("text/html", half, "Content-Encoding: gzip"));

    assertThat(((Failed) fetch("/")).kind()).isEqualTo(FailureKind.BROKEN);
    assertThat(((Failed) fetch("/half")).kind()).isEqualTo(FailureKind.BROKEN);
  }

  @Test
  void fetch_bomb_isCutAtCap_P52() {
    byte[] bomb = gzip(new byte[64 * 1024 * 1024]);
    web.on("/gzip", page("text/html", bomb, "Content-Encoding: gzip"))
        .on("/twice", page("text/html", gzip(bomb), "Content-Encoding: gzip, gzip"));

    for (String path : List.of("/gzip", "/twice")) {
      Fetched fetched = (Fetched) fetch(path);
      assertThat(fetched.truncated()).isTrue();
      assertThat(fetched.body().length()).isEqualTo(LIMITS.bodyBytes());
    }
  }

  @Test
  void fetch_silentServer_timesOut_P53() {
    web.on("/nothing", (request, out) -> web.pause(60_000))
        .on(
            "/headers",
            (request, out) -> {
              out.write(head(200, "Content-Type: text/html", "Content-Length: 9", ""));
              web.pause(60_000);
            });

    try (HttpPageFetcher hasty =
        fetcher(
            limits(Duration.ofSeconds(1), Duration.ofSeconds(60), 10_000),
            new SystemHostResolver(),
            LOOPBACK)) {
      for (String path : List.of("/nothing", "/headers")) {
        Failed failed = (Failed) hasty.fetch(web.url(path), Validators.NONE);
        assertThat(failed.kind()).isEqualTo(FailureKind.TIMEOUT);
        assertThat(failed.reason()).isEqualTo("the server was silent for 1 s");
      }
    }
  }

  @Test
  void fetch_drip_endsAtDeadline_P53() {
    web.on("/body", drip("Content-Type: text/html\r\n\r\n", "x"))
        .on("/headers", drip("X-Slow: ", "x"));

    try (HttpPageFetcher hasty =
        fetcher(
            limits(Duration.ofSeconds(20), Duration.ofSeconds(1), 10_000),
            new SystemHostResolver(),
            LOOPBACK)) {
      for (String path : List.of("/body", "/headers")) {
        Failed failed = (Failed) hasty.fetch(web.url(path), Validators.NONE);
        assertThat(failed.kind()).isEqualTo(FailureKind.TIMEOUT);
        assertThat(failed.reason()).isEqualTo("the fetch did not end within 1 s");
      }
    }
    await().until(() -> web.cut() == 2);
  }

  @Test
  void fetch_typesOfText_areRead_P61() {
    web.on("/xhtml", page("application/xhtml+xml", "<p/>".getBytes(UTF_8)))
        .on("/plain", page("text/plain", "x".getBytes(UTF_8)))
        .on("/twice", page("text/html, text/html", "<p>".getBytes(UTF_8)))
        .on("/none", page("", " \n<p>".getBytes(UTF_8)))
        .on("/text", page("", "just text".getBytes(UTF_8)))
        .on("/long", page("", ("<p>" + "x".repeat(5_000)).getBytes(UTF_8)))
        .on("/binary", page("", new byte[] {'<', 'p', 0, 1, 2}));

    assertThat(mime("/xhtml")).isEqualTo("application/xhtml+xml");
    assertThat(mime("/plain")).isEqualTo("text/plain");
    assertThat(mime("/twice")).isEqualTo("text/html");
    assertThat(mime("/none")).isEqualTo("text/html");
    assertThat(mime("/text")).isEqualTo("text/plain");
    assertThat(((Fetched) fetch("/long")).body().length()).isEqualTo(5_003);
    assertThat(((Refused) fetch("/binary")).reason())
        .startsWith("content type: application/octet-stream, as it seems, is none of ");
  }

  @Test
  void forRobots_anyType_isReadToItsOwnLimit() {
    web.on("/robots.txt", page("application/octet-stream", new byte[600 * 1024]));

    Fetched fetched = (Fetched) fetcher.forRobots().fetch(web.url("/robots.txt"), Validators.NONE);

    assertThat(fetched.body().length()).isEqualTo(500 * 1024);
    assertThat(fetched.truncated()).isTrue();
  }

  @Test
  void fetch_hugeHeaders_areRefused() {
    web.on("/line", status(200, "X-Long: " + "x".repeat(LIMITS.headerLine())))
        .on(
            "/many",
            (request, out) -> {
              out.write(head(200));
              for (int i = 0; i <= LIMITS.headers(); i++) {
                out.write(("X-" + i + ": x\r\n").getBytes(ISO_8859_1));
              }
              out.write("\r\n".getBytes(ISO_8859_1));
            });

    assertThat(((Refused) fetch("/line")).reason()).startsWith("headers: ");
    assertThat(((Refused) fetch("/many")).reason()).startsWith("headers: ");
  }

  @Test
  void fetch_brokenAnswers_areBroken() {
    web.on(
            "/close",
            (request, out) -> {
              throw new IOException("closed");
            })
        .on(
            "/garbage",
            (request, out) -> {
              out.write("garbage\r\n\r\n".getBytes(ISO_8859_1));
              throw new IOException("closed");
            })
        .on(
            "/short",
            (request, out) -> {
              out.write(head(200, "Content-Type: text/html", "Content-Length: 9", ""));
              throw new IOException("closed");
            });

    for (String path : List.of("/close", "/garbage", "/short")) {
      assertThat(((Failed) fetch(path)).kind()).as(path).isEqualTo(FailureKind.BROKEN);
    }
  }

  @Test
  void fetch_unknownHost_failsAtDns() {
    HostResolver none =
        host -> {
          throw new UnknownHostException(host);
        };
    try (HttpPageFetcher lost = fetcher(LIMITS, none, LOOPBACK)) {
      Failed failed = (Failed) lost.fetch(web.url("/"), Validators.NONE);

      assertThat(failed.kind()).isEqualTo(FailureKind.DNS);
      assertThat(failed.reason()).isEqualTo("a.localhost could not be resolved");
    }
  }

  @Test
  void fetch_closedPort_failsAtConnect() throws IOException {
    // A port that is taken but not listened at, so that nobody else can answer there.
    try (Socket taken = new Socket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      CrawlUrl url = CrawlUrl.of("http://a.localhost:" + taken.getLocalPort());

      assertThat(((Failed) fetcher.fetch(url, Validators.NONE)).kind())
          .isEqualTo(FailureKind.CONNECT);
    }
  }

  @Test
  void fetch_httpsFromPlainServer_failsAtTls() {
    web.on("*", status(200));
    CrawlUrl url = CrawlUrl.of("https://a.localhost:" + web.port() + "/");
    try (HttpPageFetcher hasty =
        fetcher(
            limits(Duration.ofSeconds(1), Duration.ofSeconds(20), 10_000),
            new SystemHostResolver(),
            LOOPBACK)) {
      assertThat(((Failed) hasty.fetch(url, Validators.NONE)).kind())
          .isIn(FailureKind.TLS, FailureKind.TIMEOUT);
    }
    assertThat(web.targets()).doesNotContain("/");
  }

  @ParameterizedTest(name = "P41: {0}")
  @ValueSource(strings = {"a.localhost", "127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"})
  void fetch_loopbackWhenNotAllowed_makesNoConnection(String host) {
    try (HttpPageFetcher guarded =
        fetcher(LIMITS, new SystemHostResolver(), new AddressGuard(false))) {
      Refused refused =
          (Refused)
              guarded.fetch(CrawlUrl.of("http://" + host + ":" + web.port()), Validators.NONE);

      assertThat(refused.reason()).startsWith("address: ").endsWith(" is loopback");
      assertThat(refused.status()).isZero();
    }
    assertThat(web.connections()).isZero();
  }

  @Test
  void fetch_nameThatChangesItsAddress_isLookedUpOnce_P42() {
    AtomicInteger lookups = new AtomicInteger();
    HostResolver rebinding =
        host ->
            lookups.getAndIncrement() == 0
                ? List.of(InetAddress.getByName("10.0.0.1"), InetAddress.getLoopbackAddress())
                : List.of(InetAddress.getByName("10.0.0.1"));
    web.on("/", html("here"));

    try (HttpPageFetcher guarded = fetcher(LIMITS, rebinding, LOOPBACK)) {
      assertThat(guarded.fetch(web.url("/"), Validators.NONE)).isInstanceOf(Fetched.class);
      assertThat(lookups).hasValue(1);
      CrawlUrl other = CrawlUrl.of("http://b.localhost:" + web.port());
      assertThat(((Refused) guarded.fetch(other, Validators.NONE)).reason())
          .isEqualTo("address: 10.0.0.1 is private");
    }
  }

  @Test
  void fetch_interrupted_isAborted() throws InterruptedException {
    web.on("/", (request, out) -> web.pause(60_000));
    AtomicReference<FetchOutcome> outcome = new AtomicReference<>();
    Thread thread = Thread.ofVirtual().start(() -> outcome.set(fetch("/")));
    await().until(() -> web.requests().size() == 1);

    thread.interrupt();
    thread.join();

    assertThat(((Failed) outcome.get()).kind()).isEqualTo(FailureKind.ABORTED);
  }

  private FetchOutcome fetch(String path) {
    return fetcher.fetch(web.url(path), Validators.NONE);
  }

  private String mime(String path) {
    return ((Fetched) fetch(path)).contentType().mime();
  }

  private void assertBody(String path, String body) {
    assertThat(new String(((Fetched) fetch(path)).body().bytes(), UTF_8)).as(path).isEqualTo(body);
  }

  private void assertRefused(String path, int status, String reason) {
    Refused refused = (Refused) fetch(path);
    assertThat(refused.reason()).isEqualTo(reason);
    assertThat(refused.status()).isEqualTo(status);
  }

  private void assertFailed(String path, int status, FailureKind kind, String reason) {
    Failed failed = (Failed) fetch(path);
    assertThat(failed.reason()).isEqualTo(reason);
    assertThat(failed.kind()).isEqualTo(kind);
    assertThat(failed.status()).isEqualTo(status);
  }

  private static TestWeb.Route endless(String type) {
    return (request, out) -> {
      out.write(head(200, "Content-Type: " + type, "Transfer-Encoding: chunked", ""));
      byte[] chunk = ("1000\r\n" + "x".repeat(4_096) + "\r\n").getBytes(ISO_8859_1);
      while (true) {
        out.write(chunk);
      }
    };
  }

  private TestWeb.Route drip(String start, String drop) {
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

  private static HttpPageFetcher fetcher(
      FetchLimits limits, HostResolver resolver, AddressGuard guard) {
    return new HttpPageFetcher(AGENT, limits, resolver, guard, InstantSource.system());
  }

  private static FetchLimits limits(Duration idle, Duration total, int bodyBytes) {
    return new FetchLimits(
        Duration.ofSeconds(10), idle, total, bodyBytes, 2_000, 30, FetchLimits.PAGE.types());
  }

  private static byte[] gzip(String text) {
    return gzip(text.getBytes(UTF_8));
  }

  private static byte[] gzip(byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(body);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] deflate(String text, boolean raw) {
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
