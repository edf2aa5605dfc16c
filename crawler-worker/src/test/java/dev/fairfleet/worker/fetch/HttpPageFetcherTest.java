package dev.fairfleet.worker.fetch;

import static dev.fairfleet.worker.fetch.TestWeb.html;
import static dev.fairfleet.worker.fetch.TestWeb.page;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HttpPageFetcherTest extends FetcherFixture {
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
  void fetch_memoryRunsOutInTheMiddle_laterPagesAreFetchedAllTheSame() {
    web.on("/", html("x"));

    assertThatThrownBy(
            () ->
                fetcher.fetch(
                    web.url("/"),
                    Validators.NONE,
                    () -> {
                      throw new OutOfMemoryError("provoked");
                    }))
        .isInstanceOf(OutOfMemoryError.class);

    assertThat(fetch("/")).isInstanceOf(Fetched.class);
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
  void fetch_pathOfTwoSlashes_isSentAsItIs_P38() {
    fetch("//barred/x?b&a");

    assertThat(web.targets()).containsExactly("//barred/x?b&a");
  }
}
