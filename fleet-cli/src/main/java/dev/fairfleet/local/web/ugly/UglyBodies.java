package dev.fairfleet.local.web.ugly;

import static dev.fairfleet.local.web.ugly.UglyHost.host;

import dev.fairfleet.local.web.Answer;
import dev.fairfleet.local.web.Answer.Field;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;

/** Hosts whose trouble is the exchange itself: slow, endless, broken, and wrongly packed. */
final class UglyBodies {
  private static final int HUGE_BYTES = 50_000_000;
  private static final String CUT = "cut|truncat|bytes|larger|beyond";
  private static final String TIME = "silent|deadline|within|time";
  private static final String HTML = "text/html; charset=utf-8";

  private UglyBodies() {}

  static List<UglyHost> hosts() {
    List<UglyHost> hosts = new ArrayList<>(slow());
    hosts.addAll(large());
    hosts.addAll(coded());
    hosts.addAll(broken());
    hosts.addAll(statuses());
    return hosts;
  }

  private static List<UglyHost> slow() {
    return List.of(
        root(
                "slow-headers",
                "Sends its header a byte a second (P53).",
                new Answer.Takeover(
                    (in, out) ->
                        drip(
                            out,
                            "HTTP/1.1 200 OK\r\nX-Padding: " + "x".repeat(10_000),
                            Duration.ofSeconds(1))))
            .failed("/", TIME)
            .asked("/", 2)
            .build(),
        root(
                "slow-body",
                "Sends its header at once and its body never (P53).",
                new Answer.Takeover(
                    (in, out) -> {
                      Replies.head(out, HTML, "Content-Length: 10000");
                      untilClosed(in);
                    }))
            .failed("/", TIME)
            .build(),
        root(
                "drip",
                "Sends its body a byte every half second (P53).",
                new Answer.Takeover(
                    (in, out) -> {
                      Replies.head(out, HTML, "Content-Length: 10000");
                      drip(out, "<p>" + "x".repeat(9_997), Duration.ofMillis(500));
                    }))
            .failed("/", TIME)
            .build(),
        root("silent", "Accepts a request and never says a word.", Replies.silence())
            .failed("/", TIME)
            .asked("/", 2)
            .build(),
        host("slow-but-sound", "Takes a second for each page, which is no fault.")
            .at("/", visit -> late(Replies.html("Home", Replies.anchors("/a"))))
            .at("/a", visit -> late(Replies.html("A", "")))
            .titled("/", "Home")
            .titled("/a", "A")
            .build());
  }

  private static List<UglyHost> large() {
    return List.of(
        root("endless", "HTML that never ends, as fast as it is read (P54).", Replies.endless(HTML))
            .doneWith("/", CUT)
            .asked("/", 1)
            .build(),
        root(
                "endless-audio",
                "An audio stream that never ends: refused by its type, before its body (P54).",
                Replies.endless("audio/mpeg"))
            .skipped("/", "type")
            .asked("/", 1)
            .build(),
        root("huge", "HTML of 50 MB.", Replies.repeated(HTML, Replies.FILLER, HUGE_BYTES))
            .doneWith("/", CUT)
            .build(),
        root(
                "gzip-bomb",
                "A megabyte that unpacks to a gibibyte (P52).",
                Replies.bomb(HTML, "Content-Encoding: gzip\r\n"))
            .doneWith("/", CUT)
            .asked("/", 1)
            .build(),
        root(
                "headers-huge",
                "A header line of a megabyte.",
                Replies.raw("HTTP/1.1 200 OK\r\nX-Padding: " + "x".repeat(1 << 20) + "\r\n\r\n"))
            .ends("/", "header", End.SKIPPED, End.FAILED)
            .build(),
        root(
                "headers-many",
                "Ten thousand header lines.",
                Replies.raw("HTTP/1.1 200 OK\r\n" + "X-A: b\r\n".repeat(10_000) + "\r\n"))
            .ends("/", "header", End.SKIPPED, End.FAILED)
            .build());
  }

  private static List<UglyHost> coded() {
    byte[] plain = Replies.utf8(Replies.html("Unpacked", Replies.anchors("/a")));
    byte[] packed = Replies.gzip(plain);
    return List.of(
        coded("gzip", "Sends HTML in gzip, as we allow.", packed, "gzip"),
        coded("gzip-mislabelled", "Sends plain HTML labelled gzip (P50).", plain, "gzip"),
        coded(
            "gzip-twice",
            "Sends HTML in gzip twice, and says so (P50).",
            Replies.gzip(packed),
            "gzip, gzip"),
        coded("gzip-x", "Sends HTML in x-gzip, the old name (P50).", packed, "x-gzip"),
        coded("coding-identity", "Sends HTML with the coding identity (P50).", plain, "identity"),
        coded(
            "coding-deflate",
            "Sends HTML in deflate with the zlib header, as the standard says.",
            zlib(plain, false),
            "deflate"),
        coded(
            "coding-deflate-raw",
            "Sends HTML in deflate without it, as some servers do.",
            zlib(plain, true),
            "deflate"),
        root(
                "br-unasked",
                "Sends br, which nobody asked for: recorded, and not read as HTML (P50).",
                Replies.bytes(HTML, noise(), new Field("Content-Encoding", "br")))
            .skipped("/", "coding|encoding|br")
            .noRecord("/")
            .build(),
        root(
                "coding-unknown",
                "Sends a coding that does not exist.",
                Replies.bytes(HTML, plain, new Field("Content-Encoding", "rot13")))
            .skipped("/", "coding|encoding|rot13")
            .noRecord("/")
            .build(),
        root(
                "gzip-cut",
                "Sends gzip that breaks off in the middle.",
                Replies.bytes(
                    HTML,
                    Arrays.copyOf(Replies.gzip(Replies.FILLER), 200),
                    new Field("Content-Encoding", "gzip")))
            .ends("/", ".", End.DONE, End.FAILED, End.SKIPPED)
            .build());
  }

  private static UglyHost coded(String name, String does, byte[] body, String coding) {
    return root(name, does, Replies.bytes(HTML, body, new Field("Content-Encoding", coding)))
        .pages("/a")
        .titled("/", "Unpacked")
        .done("/a")
        .build();
  }

  private static List<UglyHost> broken() {
    String page = Replies.html("Broken off", Replies.anchors("/a"));
    return List.of(
        root(
                "truncated",
                "Promises 10,000 bytes and closes after a few hundred.",
                Replies.raw(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10000\r\n\r\n"
                        + page))
            .ends(
                "/",
                "cut|truncat|premature|short|end of|incomplete|closed|expected",
                End.DONE,
                End.FAILED)
            .build(),
        root(
                "truncated-chunks",
                "Closes in the middle of a chunk.",
                Replies.raw(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n2000\r\n"
                        + page))
            .ends(
                "/",
                "cut|truncat|premature|short|end of|incomplete|closed|chunk",
                End.DONE,
                End.FAILED)
            .build(),
        root(
                "chunks-garbage",
                "Sends a chunk size that is no number.",
                Replies.raw(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
                        + page))
            .failed("/", "chunk")
            .build(),
        host(
                "wrong-length",
                "Sends more than it promises: the rest is not taken for the next answer.")
            .at(
                "/",
                visit ->
                    new Answer.Takeover(
                        (in, out) -> {
                          String body = Replies.html("Short", Replies.anchors("/a"));
                          Replies.ascii(
                              out,
                              "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: "
                                  + body.length()
                                  + "\r\n\r\n"
                                  + body
                                  + "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 23\r\n\r\n<title>Smuggled</title>");
                          untilClosed(in);
                        }))
            .at("/a", visit -> Replies.page("A", ""))
            .titled("/", "Short")
            .titled("/a", "A")
            .build(),
        root("garbage", "Answers with random bytes.", Replies.raw(noise()))
            .ends("/", ".", End.FAILED, End.SKIPPED)
            .asked("/", 1, 2)
            .build(),
        root("closed", "Closes the connection without an answer.", Replies.raw(""))
            .failed("/", ".")
            .asked("/", 2, 4)
            .build(),
        root("reset", "Resets the connection instead of an answer.", Replies.reset())
            .failed("/", ".")
            .asked("/", 2, 4)
            .build(),
        root(
                "reset-midway",
                "Resets the connection in the middle of the body.",
                new Answer.Reset(
                    () ->
                        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10000\r\n\r\n"
                                + page)
                            .getBytes(StandardCharsets.ISO_8859_1)))
            .ends("/", ".", End.FAILED, End.DONE)
            .build(),
        host(
                "tls-on-plain-port",
                "Is linked to by https, but speaks plain HTTP: its robots.txt cannot be had (P03).")
            .root("https://tls-on-plain-port.localhost:{port}/")
            .links()
            .waits("https://tls-on-plain-port.localhost:{port}/", "robots")
            .build(),
        host("refused-port", "Listens on no port at all: its robots.txt cannot be had (P03).")
            .root("http://refused-port.localhost:47/")
            .waits("http://refused-port.localhost:47/", "robots")
            .build(),
        host(
                "no-such-name",
                "Has a name that nobody resolves (RFC 6761, section 6.4): its robots.txt cannot be had (P03).")
            .root("http://no-such-name.invalid:{port}/")
            .waits("http://no-such-name.invalid:{port}/", "robots")
            .build(),
        root(
                "early-hints",
                "Sends 103 before its answer (RFC 8297).",
                Replies.raw(
                    "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
                        + Replies.html("After the hints", "")))
            .titled("/", "After the hints")
            .build(),
        root(
                "http-1.0",
                "Speaks HTTP/1.0, and ends its body by closing.",
                Replies.raw(
                    "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + Replies.html("Old", "")))
            .titled("/", "Old")
            .build(),
        root(
                "bare-lf",
                "Ends its header lines with LF alone.",
                Replies.raw(
                    "HTTP/1.1 200 OK\nContent-Type: text/html\nConnection: close\n\n"
                        + Replies.html("Bare", "")))
            .titled("/", "Bare")
            .build());
  }

  private static List<UglyHost> statuses() {
    return List.of(
        host("flaky-500", "Fails once, and is well at the second attempt.")
            .at(
                "/",
                visit -> visit.number() == 1 ? Replies.status(500) : Replies.page("Better now", ""))
            .titled("/", "Better now")
            .asked("/", 2)
            .build(),
        root(
                "error-500",
                "Answers 500 for ever: tried as often as is allowed.",
                Replies.status(500))
            .failed("/", "500")
            .asked("/", 2)
            .build(),
        host("gone", "Has pages that are 404 and 410.")
            .links("/404", "/410", "/a")
            .at("/404", visit -> Replies.status(404))
            .at("/410", visit -> Replies.status(410))
            .pages("/a")
            .ends("/404", "404", End.GONE)
            .ends("/410", "410", End.GONE)
            .asked("/404", 1)
            .done("/a")
            .build(),
        host("status-4xx", "Answers 401, 403, 418 and 451, which are final.")
            .links("/401", "/403", "/418", "/451")
            .under(
                "/4",
                visit -> Replies.status(Integer.parseInt(visit.request().path().substring(1))))
            .ends("/401", "401", End.SKIPPED, End.FAILED)
            .ends("/403", "403", End.SKIPPED, End.FAILED)
            .ends("/418", "418", End.SKIPPED, End.FAILED)
            .ends("/451", "451", End.SKIPPED, End.FAILED)
            .asked("/403", 1)
            .build(),
        root("no-content", "Answers 204, which has no body.", Replies.status(204))
            .ends("/", "", End.DONE, End.SKIPPED)
            .asked("/", 1)
            .build(),
        root("status-nonsense", "Answers with the status 999.", Replies.status(999))
            .ends("/", "999", End.SKIPPED, End.FAILED)
            .build(),
        host(
                "unchanged-304",
                "Answers 304 at the second crawl: the page, and what only it links to, stay (P57).")
            .crawledTwice()
            .at(
                "/",
                visit -> unlessKnown(visit, Replies.html("Unchanged", Replies.anchors("/leaf"))))
            .at("/leaf", visit -> unlessKnown(visit, Replies.html("Leaf", "")))
            .titled("/", "Unchanged")
            .titled("/leaf", "Leaf")
            .doneWith("/leaf", "not modified")
            .asked("/leaf", 2)
            .build());
  }

  private static Answer unlessKnown(Visit visit, String html) {
    String etag = "\"v1\"";
    return visit.request().header("if-none-match").orElse("").equals(etag)
        ? Replies.status(304, new Field("ETag", etag))
        : Answer.Reply.html(200, html, new Field("ETag", etag));
  }

  /** Begins a host whose root is the trouble. */
  private static UglyHost.Builder root(String name, String does, Answer answer) {
    return host(name, does).at("/", visit -> answer);
  }

  private static Answer late(String html) {
    return new Answer.Takeover(
        (in, out) -> {
          Pause.of(Duration.ofSeconds(1));
          Replies.head(out, HTML, "Content-Length: " + html.length());
          Replies.ascii(out, html);
        });
  }

  private static void drip(OutputStream out, String text, Duration every) throws IOException {
    for (byte each : text.getBytes(StandardCharsets.US_ASCII)) {
      out.write(each);
      Pause.of(every);
    }
  }

  private static void untilClosed(InputStream in) throws IOException {
    in.transferTo(OutputStream.nullOutputStream());
  }

  private static byte[] zlib(byte[] plain, boolean raw) {
    byte[] packed = new byte[plain.length + 100];
    Deflater deflater = new Deflater(6, raw);
    deflater.setInput(plain);
    deflater.finish();
    int length = deflater.deflate(packed);
    deflater.end();
    return Arrays.copyOf(packed, length);
  }

  /** Returns bytes that mean nothing, the same every time. */
  private static byte[] noise() {
    byte[] noise = new byte[2_000];
    new Random(1).nextBytes(noise);
    return noise;
  }
}
