package dev.fairfleet.local.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * A site, {@code trouble.localhost}, each of whose pages does one bad thing, by name.
 *
 * <p>The root links to all of them. A new trouble is one more line in the constructor. Only {@code
 * /flaky} remembers anything, and it begins anew with each instance.
 */
public final class TroubleSite implements FakeSite {
  private static final String HOST = "trouble.localhost";
  private static final int HUGE_BYTES = 50_000_000;
  private static final int DEEP_TAGS = 100_000;
  private static final int FLAKY_FAILURES = 2;
  private static final int BLOCK_BYTES = 1 << 24;
  private static final int BOMB_BLOCKS = 64; // of 16 MiB each: 1 GiB
  private static final byte[] FILLER =
      "<p>Much ado about nothing at all, again.</p>\n"
          .repeat(1456)
          .getBytes(StandardCharsets.US_ASCII); // about 64 KiB

  private final Map<String, Function<WebRequest, Answer>> troubles = new LinkedHashMap<>();
  private final AtomicInteger flakyRequests = new AtomicInteger();

  /** Makes a site whose flaky page has not failed yet. */
  public TroubleSite() {
    add("/", request -> index());
    add("/ok", request -> reply(200, "Nothing is wrong here."));
    add("/notfound", request -> Answer.Reply.of(404));
    add("/gone", request -> Answer.Reply.of(410));
    add("/error-500", request -> Answer.Reply.of(500));
    add("/flaky", request -> flaky());
    add("/redirect", request -> redirect("/ok"));
    add("/loop", request -> redirect("/loop-back"));
    add("/loop-back", request -> redirect("/loop"));
    add("/deep", request -> reply(200, "<div>".repeat(DEEP_TAGS) + "bottom"));
    add("/huge", request -> new Answer.Takeover(TroubleSite::huge));
    add("/endless", request -> new Answer.Takeover(TroubleSite::endless));
    add("/silent", request -> new Answer.Takeover(TroubleSite::silent));
    add("/gzip-bomb", request -> new Answer.Takeover(TroubleSite::gzipBomb));
  }

  private void add(String path, Function<WebRequest, Answer> trouble) {
    troubles.put(path, trouble);
  }

  @Override
  public String host() {
    return HOST;
  }

  @Override
  public Answer answer(WebRequest request) {
    return troubles.getOrDefault(request.path(), unknown -> Answer.Reply.of(404)).apply(request);
  }

  @Override
  public Stream<String> paths() {
    return troubles.keySet().stream();
  }

  /** Returns nothing: no page here holds a record. */
  @Override
  public Map<String, String> truth(String path) {
    return Map.of();
  }

  private Answer index() {
    return reply(
        200,
        troubles.keySet().stream()
            .map(path -> "<li><a href=\"%s\">%s</a>".formatted(path, path))
            .collect(Collectors.joining("\n", "<ul>\n", "\n</ul>\n")));
  }

  /** Fails twice, then is well for good. */
  private Answer flaky() {
    return flakyRequests.incrementAndGet() <= FLAKY_FAILURES
        ? Answer.Reply.of(500)
        : reply(200, "Better now.");
  }

  private static Answer reply(int status, String body) {
    return new Answer.Reply(
        status, Map.of(), "<!doctype html>\n<title>Trouble</title>\n<body>\n" + body);
  }

  private static Answer redirect(String to) {
    return new Answer.Reply(302, Map.of("Location", to), "");
  }

  /** Sends a page of 50 MB, its length told in advance. */
  private static void huge(InputStream fromClient, OutputStream toClient) throws IOException {
    head(toClient, "Content-Length: " + HUGE_BYTES);
    for (int sent = 0; sent < HUGE_BYTES; sent += FILLER.length) {
      toClient.write(FILLER, 0, Math.min(FILLER.length, HUGE_BYTES - sent));
    }
  }

  /** Sends chunks as fast as they are read, until the client has enough. */
  private static void endless(InputStream fromClient, OutputStream toClient) throws IOException {
    head(toClient, "Transfer-Encoding: chunked");
    while (true) {
      ascii(toClient, Integer.toHexString(FILLER.length) + "\r\n");
      toClient.write(FILLER);
      ascii(toClient, "\r\n");
    }
  }

  /** Says nothing until the client leaves. */
  private static void silent(InputStream fromClient, OutputStream toClient) throws IOException {
    fromClient.transferTo(OutputStream.nullOutputStream());
  }

  /**
   * Sends 1 MB that unpacks to 1 GiB of zeros: one gzip member (RFC 1952) whose deflate stream (RFC
   * 1951) is the same block again and again, as a block that only refers to itself can be repeated.
   */
  private static void gzipBomb(InputStream fromClient, OutputStream toClient) throws IOException {
    byte[] zeros = new byte[BLOCK_BYTES];
    byte[] packed = new byte[BLOCK_BYTES / 500];
    Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
    deflater.setInput(zeros);
    byte[] block =
        Arrays.copyOf(packed, deflater.deflate(packed, 0, packed.length, Deflater.SYNC_FLUSH));
    deflater.end();
    CRC32 crc = new CRC32();
    for (int i = 0; i < BOMB_BLOCKS; i++) {
      crc.update(zeros);
    }
    byte[] start = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    byte[] end =
        ByteBuffer.allocate(10)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put((byte) 3) // the last block, empty
            .put((byte) 0)
            .putInt((int) crc.getValue())
            .putInt(BLOCK_BYTES * BOMB_BLOCKS)
            .array();
    int length = start.length + BOMB_BLOCKS * block.length + end.length;
    head(toClient, "Content-Encoding: gzip\r\nContent-Length: " + length);
    toClient.write(start);
    for (int i = 0; i < BOMB_BLOCKS; i++) {
      toClient.write(block);
    }
    toClient.write(end);
  }

  private static void head(OutputStream toClient, String fields) throws IOException {
    ascii(
        toClient,
        "HTTP/1.1 200 \r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n"
            + fields
            + "\r\n\r\n");
  }

  private static void ascii(OutputStream toClient, String text) throws IOException {
    toClient.write(text.getBytes(StandardCharsets.US_ASCII));
  }
}
