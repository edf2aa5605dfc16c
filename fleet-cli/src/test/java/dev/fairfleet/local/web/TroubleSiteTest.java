package dev.fairfleet.local.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ProtocolException;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TroubleSiteTest {
  private final TroubleSite site = new TroubleSite();
  private final WebServer server = WebServer.start(List.of(site), WebOptions.defaults());
  private final WebClient client = new WebClient();

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private URI url(String path) {
    return server.url(site, path);
  }

  @Test
  void root_linksToEveryTrouble() throws IOException {
    assertThat(Jsoup.parse(client.get(url("/")).body()).select("a").eachAttr("href"))
        .containsExactlyElementsOf(site.paths().toList());
  }

  @ParameterizedTest
  @CsvSource({
    "/ok,200,''",
    "/notfound,404,''",
    "/gone,410,''",
    "/error-500,500,''",
    "/redirect,302,/ok",
    "/loop,302,/loop-back",
    "/loop-back,302,/loop"
  })
  void get_plainTrouble_hasItsStatusAndLocation(String path, int status, String location)
      throws IOException {
    WebClient.Response response = client.get(url(path));
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.field("Location")).isEqualTo(location);
  }

  @Test
  void flaky_thirdRequest_isTheFirstToSucceed() throws IOException {
    assertThat(client.get(url("/flaky")).status()).isEqualTo(500);
    assertThat(client.get(url("/flaky")).status()).isEqualTo(500);
    assertThat(client.get(url("/flaky")).status()).isEqualTo(200);
    assertThat(client.get(url("/flaky")).status()).isEqualTo(200);
    assertThat(server.log().repeatedRequests()).isEqualTo(3);
  }

  @Test
  void deep_page_nestsOneHundredThousandTags() throws IOException {
    assertThat(client.get(url("/deep")).body().split("<div>", -1)).hasSize(100_001);
  }

  @Test
  void huge_readToTheEnd_isFiftyMegabytes() throws IOException {
    try (ClassicHttpResponse response = client.open(url("/huge"))) {
      assertThat(count(response.getEntity().getContent(), Long.MAX_VALUE)).isEqualTo(50_000_000);
    }
  }

  @Test
  void endless_clientReadsMuch_thereIsMore() throws IOException {
    try (Socket socket = connect("/endless")) {
      assertThat(count(socket.getInputStream(), 100_000_000)).isEqualTo(100_000_000);
    }
  }

  @Test
  void silent_clientWaits_getsNothing() throws IOException {
    try (Socket socket = connect("/silent")) {
      socket.setSoTimeout(300);
      assertThatThrownBy(() -> socket.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(server.log().requests(site.host(), "/silent")).isEqualTo(1);
    }
  }

  @Test
  void gzipBomb_unpacked_isOneGibibyteFromOneMegabyte() throws IOException {
    try (ClassicHttpResponse response = client.open(url("/gzip-bomb"))) {
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
  void close_clientsInTrouble_endsTheirConnections() throws IOException {
    try (Socket silent = connect("/silent")) {
      server.close();
      assertThat(silent.getInputStream().readAllBytes()).isEmpty();
    }
  }

  private Socket connect(String path) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n"
                .formatted(path, site.host())
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
