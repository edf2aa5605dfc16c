package dev.fairfleet.worker.fetch;

import static dev.fairfleet.worker.fetch.TestWeb.head;
import static dev.fairfleet.worker.fetch.TestWeb.page;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.worker.fetch.FetchOutcome.Failed;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.FetchOutcome.Refused;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FetchBodyTest extends FetcherFixture {
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

  @ParameterizedTest(name = "P50: {0}")
  @ValueSource(strings = {"gzip", "deflate"})
  void fetch_codingThatBreaksOff_keepsWhatWasBefore(String coding) {
    String text =
        new Random(1).ints(5_000, ' ', 'z').mapToObj(Character::toString).collect(joining());
    byte[] whole = coding.equals("gzip") ? gzip(text) : deflate(text, false);
    byte[] half = Arrays.copyOf(whole, whole.length / 2);
    web.on("/", page("text/html", half, "Content-Encoding: " + coding, "ETag: x"));

    Fetched fetched = (Fetched) fetch("/");

    assertThat(text).startsWith(new String(fetched.body().bytes(), UTF_8));
    assertThat(fetched.body().length()).isGreaterThan(512);
    assertThat(fetched.truncated()).isTrue();
    assertThat(fetched.oddity()).startsWith("body: its content coding breaks after ");
    assertThat(fetched.validators()).isEqualTo(Validators.NONE);
  }

  @Test
  void fetch_cutBody_saysWhere() {
    web.on("/", page("text/html", new byte[LIMITS.bodyBytes() + 1]));

    assertThat(((Fetched) fetch("/")).oddity()).isEqualTo("body: cut at 10000 bytes");
    assertThat(Body.size(2 << 20)).isEqualTo("2 MiB");
    assertThat(Body.size(500 << 10)).isEqualTo("500 KiB");
  }

  @ParameterizedTest(name = "P52: {0}")
  @EnumSource(Purpose.class)
  void fetch_bombForAnyPurpose_isCutAtItsCap(Purpose purpose) {
    byte[] bomb = gzip(new byte[64 << 20]);
    web.on("/", page("text/xml", bomb, "Content-Encoding: gzip"))
        .on("/twice", page("text/xml", gzip(bomb), "Content-Encoding: gzip, gzip"))
        .on(
            "/deflate",
            page(
                "text/xml",
                gzip(deflate("x".repeat(60 << 20), true)),
                "Content-Encoding: deflate, gzip"));

    for (String path : List.of("/", "/twice", "/deflate")) {
      Fetched fetched = (Fetched) fetch(path, purpose);
      assertThat(fetched.truncated()).isTrue();
      assertThat(fetched.body().length()).isEqualTo(LIMITS.forPurpose(purpose).bodyBytes());
    }
  }

  @ParameterizedTest(name = "P61: {0}")
  @CsvSource({
    "text/html, 89504E470D0A1A0A0000, image/png",
    "text/html, 255044462D312E37, application/pdf",
    "application/xhtml+xml, 504B030414000000, application/zip",
    "text/plain, FFD8FFE000104A464946, image/jpeg",
    "text/html, 1F8B0800, application/gzip",
    "text/html, 524946460000000057454250, image/webp",
    "text/html, 0000001866747970, video/mp4"
  })
  void fetch_binaryCalledText_isRefused(String mime, String hex, String real) {
    web.on("/", page(mime, HexFormat.of().parseHex(hex)));

    assertRefused("/", 200, "content type: " + mime + ", but the body is " + real);
  }

  @Test
  void fetch_textThatLooksLikeHtml_staysText_P61() {
    web.on("/", page("text/plain", "<html><a href=/x>".getBytes(UTF_8)));

    assertThat(mime("/")).isEqualTo("text/plain");
  }

  @Test
  void fetch_feedsAndXml_areReadAsPages_P61() {
    for (String type :
        List.of("application/rss+xml", "application/atom+xml", "text/xml", "Application/XML")) {
      web.on("/", page(type, "<x/>".getBytes(UTF_8)));
      assertThat(mime("/")).isEqualTo(type.toLowerCase(Locale.ROOT));
    }
    web.on("/", page("", "<?xml version='1.0'?><rss/>".getBytes(UTF_8)));
    assertThat(mime("/")).isEqualTo("text/xml");
    web.on("/", page("application/octet-stream", "<p>".getBytes(UTF_8)));
    assertThat(fetch("/")).isInstanceOf(Refused.class);
  }

  @ParameterizedTest(name = "P70: {0}")
  @ValueSource(
      strings = {
        "text/xml",
        "text/html",
        "text/plain",
        "application/gzip",
        "application/x-gzip",
        "application/octet-stream",
        "binary/octet-stream",
        "application/atom+xml",
        ""
      })
  void fetch_sitemap_mayBeOfManyTypes(String type) {
    byte[] packed = gzip("<urlset/>");
    web.on("/s", page(type, packed));

    Fetched fetched = (Fetched) fetch("/s", Purpose.SITEMAP);

    assertThat(fetched.body().bytes()).isEqualTo(packed);
    assertThat(web.requests().getFirst().headers()).containsEntry("accept", "*/*");
  }

  @Test
  void fetch_sitemapThatIsAFilm_isRefused() {
    web.on("/s", endless("video/mp4"));

    assertThat(fetch("/s", Purpose.SITEMAP)).isInstanceOf(Refused.class);
  }

  @Test
  void fetch_statusWithoutBody_isAnEmptyPage() {
    web.on("/204", (request, out) -> out.write(head(204, "")))
        .on("/205", (request, out) -> out.write(head(205, "Content-Length: 0", "")));

    assertBody("/204", "");
    assertBody("/205", "");
    assertThat(web.connections()).isEqualTo(1);
  }

  @Test
  void fetch_partThatWasNotAskedFor_isMarked() {
    web.on(
        "/",
        (request, out) ->
            out.write(
                (new String(head(206, "Content-Type: text/html", "ETag: x"), UTF_8)
                        + "Content-Range: bytes 0-2/9\r\nContent-Length: 3\r\n\r\n<p>")
                    .getBytes(UTF_8)));

    Fetched fetched = (Fetched) fetch("/");

    assertThat(fetched.truncated()).isTrue();
    assertThat(fetched.oddity()).isEqualTo("body: a part that was not asked for");
    assertThat(fetched.validators()).isEqualTo(Validators.NONE);
  }
}
