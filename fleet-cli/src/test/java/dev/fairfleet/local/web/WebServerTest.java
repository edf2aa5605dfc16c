package dev.fairfleet.local.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hc.core5.http.Header;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebServerTest {
  private final List<TreeSite> sites = WebPlan.zipf(1, 2, 100).sites();
  private final WebServer server =
      WebServer.start(
          sites,
          WebOptions.defaults()
              .withRobots(Map.of("site-002.localhost", "User-agent: *\nDisallow: /x\n")));
  private final WebClient client = new WebClient();

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void get_pagesOfTwoSites_areToldApartByHost() throws IOException {
    for (TreeSite site : sites) {
      WebClient.Response response = client.get(server.url(site, "/"));
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.body()).contains(site.truth("/").getOrDefault("sku", "none"));
      assertThat(response.field("Content-Type")).isEqualTo("text/html; charset=utf-8");
      assertThat(response.field("Server")).isEmpty();
    }
  }

  @Test
  void get_etagThatIsKnown_is304WithoutABody() throws IOException {
    URI url = server.url(sites.getFirst(), "/");
    WebClient.Response first = client.get(url);
    assertThat(first.field("Last-Modified"))
        .matches("[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} 2025 \\d\\d:\\d\\d:\\d\\d GMT");
    WebClient.Response second = client.get(url, "If-None-Match", first.field("ETag"));
    assertThat(second.status()).isEqualTo(304);
    assertThat(second.body()).isEmpty();
    assertThat(second.field("ETag")).isEqualTo(first.field("ETag"));
    assertThat(client.get(url, "If-None-Match", "\"another\"").status()).isEqualTo(200);
  }

  @Test
  void get_dateThatIsKnown_is304UnlessATagSaysOtherwise() throws IOException {
    URI url = server.url(sites.getFirst(), "/");
    String date = client.get(url).field("Last-Modified");
    assertThat(client.get(url, "If-Modified-Since", date).status()).isEqualTo(304);
    assertThat(client.get(url, "If-Modified-Since", date, "If-None-Match", "\"another\"").status())
        .isEqualTo(200);
  }

  @Test
  void traffic_answers_areCountedByStatusWithTheBytesOfTheirBodies() throws IOException {
    URI url = server.url(sites.getFirst(), "/");
    String host = sites.getFirst().host();
    WebClient.Response first = client.get(url);
    Traffic before = server.log().traffic(host);
    assertThat(before.statuses()).isEqualTo(Map.of(200, 1L));
    assertThat(before.bytes()).isEqualTo(first.body().length());

    client.get(url, "If-None-Match", first.field("ETag"));
    client.send("HEAD", url);
    int missing = client.get(server.url(sites.getFirst(), "/nothing")).body().length();
    Traffic more = server.log().traffic(host).since(before);
    assertThat(more.statuses()).isEqualTo(Map.of(200, 1L, 304, 1L, 404, 1L));
    assertThat(more.answers()).isEqualTo(3);
    assertThat(more.bytes()).isEqualTo(missing);
    assertThat(server.log().traffic("nobody.localhost")).isEqualTo(Traffic.NONE);
  }

  @Test
  void get_unknownPathOrHost_is404AndLogged() throws IOException {
    assertThat(client.get(server.url(sites.getFirst(), "/nothing")).status()).isEqualTo(404);
    assertThat(client.get(URI.create("http://nobody.localhost:" + server.port() + "/")).status())
        .isEqualTo(404);
    assertThat(server.log().hosts()).containsExactly("nobody.localhost", "site-001.localhost");
    assertThat(server.log().requests("site-001.localhost", "/nothing")).isEqualTo(1);
  }

  @Test
  void get_robots_is404UnlessConfigured() throws IOException {
    assertThat(client.get(server.url(sites.getFirst(), "/robots.txt")).status()).isEqualTo(404);
    WebClient.Response robots = client.get(server.url(sites.getLast(), "/robots.txt"));
    assertThat(robots.status()).isEqualTo(200);
    assertThat(robots.body()).isEqualTo("User-agent: *\nDisallow: /x\n");
    assertThat(robots.field("Content-Type")).startsWith("text/plain");
  }

  /** A site whose answers are whatever a test needs. */
  private record OneAnswer(String host, Answer answer) implements FakeSite {
    @Override
    public Answer answer(WebRequest request) {
      return answer;
    }

    @Override
    public Stream<String> paths() {
      return Stream.of("/");
    }

    @Override
    public Map<String, String> truth(String path) {
      return Map.of();
    }
  }

  private static WebClient.Response answerOf(WebClient client, Answer answer, String path)
      throws IOException {
    OneAnswer site = new OneAnswer("one.localhost", answer);
    try (WebServer one = WebServer.start(List.of(site), WebOptions.defaults())) {
      return client.get(one.url(site, path));
    }
  }

  @Test
  void get_robotsOfASiteWithoutATextForIt_isTheSitesOwnAnswer() throws IOException {
    assertThat(answerOf(client, Answer.Reply.of(503), "/robots.txt").status()).isEqualTo(503);
  }

  @Test
  void get_fieldsOfOneName_areSentInOrder() throws IOException {
    Answer answer =
        Answer.Reply.html(
            302, "", new Answer.Field("Location", "/1"), new Answer.Field("Location", "/2"));
    assertThat(answerOf(client, answer, "/").fields())
        .filteredOn(field -> field.getName().equals("Location"))
        .extracting(Header::getValue)
        .containsExactly("/1", "/2");
  }

  @Test
  void get_emptyContentType_isNotSent() throws IOException {
    Answer answer = Answer.Reply.html(200, "<p>", new Answer.Field("Content-Type", ""));
    WebClient.Response response = answerOf(client, answer, "/");
    assertThat(response.body()).isEqualTo("<p>");
    assertThat(response.fields()).noneMatch(it -> it.getName().equals("Content-Type"));
  }

  @Test
  void get_statusWithoutBody_hasNeitherBodyNorLength() throws IOException {
    WebClient.Response response = answerOf(client, Answer.Reply.of(304), "/");
    assertThat(response.status()).isEqualTo(304);
    assertThat(response.field("Content-Length")).isEmpty();
  }

  @Test
  void get_reset_throwsAtTheClient() {
    Answer answer = new Answer.Reset(() -> new byte[0]);
    assertThatThrownBy(() -> answerOf(client, answer, "/")).isInstanceOf(SocketException.class);
  }

  @Test
  void get_tlsHandshake_is400() throws IOException {
    assertThat(exchange("\u0016\u0003\u0001")).startsWith("HTTP/1.1 400");
  }

  @Test
  void head_page_hasItsLengthButNoBody() throws IOException {
    URI url = server.url(sites.getFirst(), "/");
    int length = client.get(url).body().length();
    WebClient.Response head = client.send("HEAD", url);
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.field("Content-Length")).isEqualTo(Integer.toString(length));
  }

  @Test
  void post_anything_isNotAllowed() throws IOException {
    assertThat(client.send("POST", server.url(sites.getFirst(), "/")).status()).isEqualTo(405);
  }

  @Test
  void get_twoRequestsInOneWrite_areAnsweredInOrderOnOneConnection() throws IOException {
    String request = "GET %s HTTP/1.1\r\nHost: site-002.localhost\r\nConnection: %s\r\n\r\n";
    String answers =
        exchange(
            request.formatted("/robots.txt", "keep-alive") + request.formatted("/no", "close"));
    assertThat(answers).startsWith("HTTP/1.1 200").contains("Disallow: /x\nHTTP/1.1 404");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost site\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"
      })
  void get_malformed_is400(String request) throws IOException {
    assertThat(exchange(request)).startsWith("HTTP/1.1 400");
  }

  @Test
  void get_latency_holdsEachAnswerBack() throws IOException {
    Duration latency = Duration.ofMillis(80);
    try (WebServer slow = WebServer.start(sites, WebOptions.defaults().withLatency(latency))) {
      long start = System.nanoTime();
      assertThat(client.get(slow.url(sites.getFirst(), "/")).status()).isEqualTo(200);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(latency);
    }
  }

  @Test
  void start_portTaken_saysWhatToDo() {
    assertThatThrownBy(
            () -> WebServer.start(sites, WebOptions.defaults().withPort(server.port())).close())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("The fake web cannot listen on port " + server.port());
  }

  private String exchange(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
