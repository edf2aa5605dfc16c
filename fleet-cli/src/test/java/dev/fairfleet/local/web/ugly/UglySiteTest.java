package dev.fairfleet.local.web.ugly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.local.web.WebClient;
import dev.fairfleet.local.web.WebOptions;
import dev.fairfleet.local.web.WebServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.ProtocolException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That ugly hosts do what they say, as a client sees it. */
class UglySiteTest {
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private final Map<String, UglySite> sites =
      UglyWeb.hosts().stream()
          .map(host -> host.serve(() -> now))
          .collect(Collectors.toMap(site -> site.kind().name(), Function.identity()));
  private final WebServer server = WebServer.start(sites.values(), WebOptions.defaults());
  private final WebClient client = new WebClient();

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private UglySite site(String name) {
    return Optional.ofNullable(sites.get(name)).orElseThrow();
  }

  private URI url(String name, String path) {
    return server.url(site(name), path);
  }

  private WebClient.Response get(String name, String path) throws IOException {
    return client.get(url(name, path));
  }

  @ParameterizedTest
  @CsvSource({
    "gone,/404,404,''",
    "gone,/410,410,''",
    "error-500,/,500,''",
    "status-4xx,/451,451,''",
    "redirect-loop,/loop,302,/loop-back",
    "redirect-spaces,/s,302,/two words.html",
    "redirect-3xx,/304,304,''",
    "redirect-307-308,/308,308,/to-308",
    "robots-503,/robots.txt,503,''",
    "robots-404,/robots.txt,404,''",
    "early-hints,/,200,''"
  })
  void get_plainTrouble_hasItsStatusAndLocation(
      String host, String path, int status, String location) throws IOException {
    WebClient.Response response = get(host, path);
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.field("Location")).isEqualTo(location);
  }

  @Test
  void flaky_secondRequest_isTheFirstToSucceedAndAnotherSiteBeginsAnew() throws IOException {
    assertThat(get("flaky-500", "/").status()).isEqualTo(500);
    assertThat(get("flaky-500", "/").status()).isEqualTo(200);
    UglySite again = site("flaky-500").kind().serve("flaky-500-2", () -> now);
    assertThat(again.host()).isEqualTo("flaky-500-2.localhost");
    try (WebServer other = WebServer.start(List.of(again), WebOptions.defaults())) {
      assertThat(client.get(other.url(again, "/")).status()).isEqualTo(500);
    }
  }

  @Test
  void robots503ThenOk_threeSeconds_isTheBoundary() throws IOException {
    assertThat(get("robots-503-then-200", "/robots.txt").status()).isEqualTo(503);
    now = now.plusMillis(2_999);
    assertThat(get("robots-503-then-200", "/robots.txt").status()).isEqualTo(503);
    now = now.plusMillis(1);
    assertThat(get("robots-503-then-200", "/robots.txt").body()).contains("Disallow: /x");
  }

  @Test
  void robots600k_rules_standBeforeAndBehindTheLimit() throws IOException {
    String text = get("robots-600k", "/robots.txt").body();
    assertThat(text.length()).isBetween(600 * 1024, 601 * 1024);
    assertThat(text.indexOf("Disallow: /x\n")).isBetween(400 * 1024, 401 * 1024);
    assertThat(text.indexOf("Disallow: /late\n")).isBetween(590 * 1024, 591 * 1024);
  }

  @Test
  void sitemaps_namedInRobots_areOfThisHost() throws IOException {
    String robots = get("sitemap", "/robots.txt").body();
    assertThat(robots).isEqualTo("Sitemap: " + url("sitemap", "/sitemap.xml") + "\n");
    assertThat(get("sitemap", "/sitemap.xml").body()).contains(url("sitemap", "/1").toString());
  }

  @ParameterizedTest
  @CsvSource({
    "throttle-429-seconds,4",
    "throttle-429-date,'Sun, 01 Mar 2026 12:00:05 GMT'",
    "throttle-429-rfc850,'Sunday, 01-Mar-26 12:00:05 GMT'",
    "throttle-429-asctime,'Sun Mar  1 12:00:05 2026'",
    "throttle-429-skewed,'Sun, 01 Mar 2026 13:00:05 GMT'",
    "throttle-429-nonsense,abc"
  })
  void throttle_firstRequest_asksForLessAndTheSecondIsServed(String host, String retryAfter)
      throws IOException {
    WebClient.Response first = get(host, "/busy");
    assertThat(first.status()).isEqualTo(429);
    assertThat(first.field("Retry-After")).isEqualTo(retryAfter);
    assertThat(get(host, "/busy").status()).isEqualTo(200);
  }

  @Test
  void twoLocations_bothAreSent() throws IOException {
    assertThat(get("redirect-two-locations", "/s").fields())
        .filteredOn(field -> field.getName().equals("Location"))
        .extracting(Header::getValue)
        .containsExactly("/one", "/two");
  }

  @Test
  void selfCookie_sentBack_showsThePage() throws IOException {
    URI url = url("redirect-self-cookie", "/c");
    assertThat(client.get(url).field("Set-Cookie")).startsWith("seen=1");
    assertThat(client.get(url, "Cookie", "seen=1").status()).isEqualTo(200);
  }

  @Test
  void unchanged_etagSentBack_is304() throws IOException {
    URI url = url("unchanged-304", "/leaf");
    assertThat(client.get(url, "If-None-Match", client.get(url).field("ETag")).status())
        .isEqualTo(304);
  }

  @Test
  void deepNesting_page_nestsOneHundredThousandTags() throws IOException {
    assertThat(get("deep-nesting", "/deep").body().split("<span>|<i>", -1)).hasSize(100_001);
  }

  @Test
  void linksHugeCount_page_hasTwoHundredThousand() throws IOException {
    assertThat(get("links-huge-count", "/").body().split("<a ", -1)).hasSize(200_001);
  }

  @Test
  void xhtmlAndNoType_types_areAsDescribed() throws IOException {
    assertThat(get("xhtml", "/").field("Content-Type")).isEqualTo("application/xhtml+xml");
    assertThat(get("no-type", "/").fields()).noneMatch(it -> it.getName().equals("Content-Type"));
  }

  @Test
  void huge_readToTheEnd_isFiftyMegabytes() throws IOException {
    try (ClassicHttpResponse response = client.open(url("huge", "/"))) {
      assertThat(count(response.getEntity().getContent(), Long.MAX_VALUE)).isEqualTo(50_000_000);
    }
  }

  @Test
  void endless_clientReadsMuch_thereIsMore() throws IOException {
    try (Socket socket = connect("endless-audio")) {
      assertThat(count(socket.getInputStream(), 50_000_000)).isEqualTo(50_000_000);
    }
  }

  @Test
  void gzipBomb_unpacked_isOneGibibyteFromOneMegabyte() throws IOException {
    try (ClassicHttpResponse response = client.open(url("gzip-bomb", "/"))) {
      assertThat(response.getHeader("Content-Encoding").getValue()).isEqualTo("gzip");
      assertThat(response.getEntity().getContentLength()).isBetween(1_000_000L, 1_100_000L);
      try (InputStream unpacked = new GZIPInputStream(response.getEntity().getContent(), 65_536)) {
        assertThat(count(unpacked, Long.MAX_VALUE)).isEqualTo(1L << 30);
      }
    } catch (ProtocolException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void gzipTwice_unpackedTwice_isThePage() throws IOException {
    try (ClassicHttpResponse response = client.open(url("gzip-twice", "/"));
        InputStream unpacked =
            new GZIPInputStream(new GZIPInputStream(response.getEntity().getContent()))) {
      assertThat(new String(unpacked.readAllBytes(), StandardCharsets.UTF_8)).contains("Unpacked");
    }
  }

  @Test
  void headersHuge_answer_isAMegabyteOfHeader() throws IOException {
    try (Socket socket = connect("headers-huge")) {
      assertThat(count(socket.getInputStream(), Long.MAX_VALUE)).isGreaterThan(1 << 20);
    }
  }

  @Test
  void silent_clientWaits_getsNothing() throws IOException {
    try (Socket socket = connect("silent")) {
      socket.setSoTimeout(300);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(server.log().requests(site("silent").host(), "/")).isEqualTo(1);
    }
  }

  @Test
  void close_clientsInTrouble_endsTheirConnections() throws IOException {
    try (Socket silent = connect("silent")) {
      await().until(() -> server.log().requests(site("silent").host()) == 1);
      server.close();
      assertThat(silent.getInputStream().readAllBytes()).isEmpty();
    }
  }

  @Test
  void paths_unknown_are404() throws IOException {
    for (String host : Stream.of("gone", "sitemap-404", "links-space").toList()) {
      assertThat(get(host, "/nothing-here").status()).isEqualTo(404);
    }
  }

  private Socket connect(String name) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket
        .getOutputStream()
        .write(
            "GET / HTTP/1.1\r\nHost: %s\r\n\r\n"
                .formatted(site(name).host())
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static long count(InputStream in, long limit) throws IOException {
    byte[] buffer = new byte[65_536];
    long sum = 0;
    while (sum < limit) {
      int count = in.read(buffer, 0, (int) Math.min(buffer.length, limit - sum));
      if (count < 0) {
        return sum;
      }
      sum += count;
    }
    return sum;
  }
}
