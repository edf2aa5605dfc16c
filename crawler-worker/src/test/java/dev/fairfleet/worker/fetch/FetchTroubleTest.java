package dev.fairfleet.worker.fetch;

import static dev.fairfleet.worker.fetch.TestWeb.head;
import static dev.fairfleet.worker.fetch.TestWeb.html;
import static dev.fairfleet.worker.fetch.TestWeb.status;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.FetchOutcome.Failed;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.FetchOutcome.Refused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchTroubleTest extends FetcherFixture {
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

  @Test
  void fetch_lineOfAMegabyteOrTenThousandHeaders_areRefused() {
    web.on("/line", status(200, "X-Long: " + "x".repeat(1 << 20)))
        .on("/status", raw("HTTP/1.1 200 " + "x".repeat(1 << 20), "", ""))
        .on("/many", raw("HTTP/1.1 200 OK", "X: x\r\n".repeat(10_000), ""))
        .on("/empty-lines", raw("\r\n".repeat(10_000)));

    for (String path : List.of("/line", "/status", "/many", "/empty-lines")) {
      assertThat(((Refused) fetch(path)).reason()).as(path).startsWith("headers: ");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<p>HTTP/0.9",
        "HTTP/2 200 OK\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1\r\n\r\n",
        "HTTP/1.1 -1 OK\r\n\r\n",
        "HTTP/1.1 99999999999 OK\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: x\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n-3\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9\r\n\r\nabc"
      })
  void fetch_noValidHttp_isBroken(String answer) {
    web.on("/", raw(answer));

    assertThat(fetch("/")).isInstanceOfAny(Failed.class, Refused.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-Nul: a\0b",
        "X-Folded: a\r\n b",
        "X-Latin: \u00e9",
        "ETag: \"a\0b\"",
        "Connection: close",
        "Set-Cookie: ="
      })
  void fetch_strangeHeader_doesNotHarmThePage(String header) {
    web.on("/", raw("HTTP/1.1 200 OK", "Content-Type: text/html", header, "", "<p>"));

    Fetched fetched = (Fetched) fetch("/");

    assertThat(new String(fetched.body().bytes(), UTF_8)).isEqualTo("<p>");
    assertThat(fetched.validators()).isEqualTo(Validators.NONE);
  }

  @Test
  void fetch_bodyWithoutLength_endsWithTheConnection() {
    web.on("/", raw("HTTP/1.0 200 OK", "Content-Type: text/html", "", "<p>old"));

    assertBody("/", "<p>old");
  }

  @Test
  void fetch_informationalAnswers_areSkipped() {
    String early = "HTTP/1.1 103 Early Hints\r\nLink: </s.css>; rel=preload\r\n\r\n";
    web.on(
            "/",
            raw(
                "HTTP/1.1 100 Continue\r\n\r\n" + early + "HTTP/1.1 200 OK",
                "Content-Type: text/html",
                "Content-Length: 1",
                "",
                "x"))
        .on("/upgrade", raw("HTTP/1.1 101 Switching Protocols", "Upgrade: x", "", ""));

    assertBody("/", "x");
    assertThat(((Fetched) fetch("/")).headers().links()).isEmpty();
    assertThat(fetch("/upgrade")).isInstanceOfAny(Failed.class, Refused.class);
  }

  @Test
  void fetch_informationalAnswersWithoutEnd_endAtTheDeadline_P53() {
    web.on(
        "/",
        (request, out) -> {
          while (true) {
            out.write("HTTP/1.1 102 Processing\r\n\r\n".getBytes(ISO_8859_1));
            out.flush();
            web.pause(5);
          }
        });

    try (HttpPageFetcher hasty = hasty(Duration.ofSeconds(20), Duration.ofSeconds(1))) {
      assertThat(((Failed) hasty.fetch(web.url("/"), Validators.NONE)).kind())
          .isEqualTo(FailureKind.TIMEOUT);
    }
  }

  @Test
  void fetch_moreThanWasAnnounced_isNotTakenForTheNextAnswer() {
    String forged = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nforged";
    web.on(
            "/1",
            (request, out) -> {
              out.write(head(200, "Content-Type: text/html", "Content-Length: 1", ""));
              out.write(("x" + forged).getBytes(ISO_8859_1));
            })
        .on("/2", html("real"));

    assertBody("/1", "x");
    assertBody("/2", "real");
    assertThat(web.connections()).isEqualTo(2);
  }

  @Test
  void fetch_silenceWithinTheBody_timesOut_P53() {
    web.on(
        "/",
        (request, out) -> {
          out.write(head(200, "Content-Type: text/html", "Content-Length: 9", ""));
          out.write('x');
          out.flush();
          web.pause(60_000);
        });

    try (HttpPageFetcher hasty = hasty(Duration.ofSeconds(1), Duration.ofSeconds(60))) {
      assertThat(((Failed) hasty.fetch(web.url("/"), Validators.NONE)).reason())
          .isEqualTo("the server was silent for 1 s");
    }
  }
}
