package dev.fairfleet.local.web.ugly;

import dev.fairfleet.local.web.Answer;
import dev.fairfleet.local.web.Answer.Field;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** The answers that ugly hosts are made of. */
final class Replies {
  static final byte[] NOTHING = {};

  /** About 64 KiB of harmless HTML. */
  static final byte[] FILLER =
      "<p>Much ado about nothing at all, again.</p>\n"
          .repeat(1456)
          .getBytes(StandardCharsets.US_ASCII);

  private Replies() {}

  /** Returns an HTML page in UTF-8. */
  static Answer page(String title, String body, Field... fields) {
    return Answer.Reply.html(200, html(title, body), fields);
  }

  static String html(String title, String body) {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>"
        + title
        + "</title>\n</head>\n<body>\n"
        + body
        + "\n</body>\n</html>\n";
  }

  /** Returns a page with links, each as it stands. */
  static Answer links(String title, String... hrefs) {
    return page(title, anchors(hrefs));
  }

  static String anchors(String... hrefs) {
    StringBuilder text = new StringBuilder("<ul>\n");
    for (String href : hrefs) {
      text.append("<li><a href=\"")
          .append(href.replace("&", "&amp;").replace("\"", "&quot;"))
          .append("\">link</a>\n");
    }
    return text.append("</ul>").toString();
  }

  static Answer status(int status, Field... fields) {
    return Answer.Reply.html(
        status, "<!doctype html><title>%d</title><p>%d".formatted(status, status), fields);
  }

  static Answer redirect(String location) {
    return redirect(302, location);
  }

  /**
   * @param location sent in UTF-8
   */
  static Answer redirect(int status, String location) {
    return status(status, new Field("Location", onTheWire(location)));
  }

  /** Returns a text whose Latin-1 bytes are the given one's in UTF-8. */
  static String onTheWire(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  static Answer text(String text) {
    return bytes("text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  static Answer xml(String xml) {
    return bytes("application/xml", xml.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * @param contentType empty to send none
   */
  static Answer bytes(String contentType, byte[] body, Field... fields) {
    List<Field> all = new ArrayList<>(Arrays.asList(fields));
    all.addFirst(new Field("Content-Type", contentType));
    return new Answer.Reply(200, all, body::clone);
  }

  /** Returns HTML in some charset, labelled or not. */
  static Answer encoded(String contentType, Charset charset, String html) {
    return bytes(contentType, html.getBytes(charset));
  }

  static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a reset connection, without a byte of an answer. */
  static Answer reset() {
    return new Answer.Reset(NOTHING::clone);
  }

  /** Returns silence, until the client leaves. */
  static Answer silence() {
    return new Answer.Takeover(
        (fromClient, toClient) -> fromClient.transferTo(OutputStream.nullOutputStream()));
  }

  /** Returns an answer that is spelled out, byte by byte, and then ends. */
  static Answer raw(String latin) {
    return raw(latin.getBytes(StandardCharsets.ISO_8859_1));
  }

  static Answer raw(byte[] bytes) {
    return new Answer.Takeover((fromClient, toClient) -> toClient.write(bytes));
  }

  /** Returns a chunked body that never ends, as fast as it is read. */
  static Answer endless(String contentType) {
    return new Answer.Takeover(
        (fromClient, toClient) -> {
          head(toClient, contentType, "Transfer-Encoding: chunked");
          while (true) {
            ascii(toClient, Integer.toHexString(FILLER.length) + "\r\n");
            toClient.write(FILLER);
            ascii(toClient, "\r\n");
          }
        });
  }

  /** Returns a body of a length that is told, the same block again and again. */
  static Answer repeated(String contentType, byte[] block, int bytes) {
    return new Answer.Takeover(
        (fromClient, toClient) -> {
          head(toClient, contentType, "Content-Length: " + bytes);
          for (int sent = 0; sent < bytes; sent += block.length) {
            toClient.write(block, 0, Math.min(block.length, bytes - sent));
          }
        });
  }

  /** Returns 1 MB that unpacks to 1 GiB of zeros, as a file or as a coding. */
  static Answer bomb(String contentType, String fields) {
    return new Answer.Takeover(
        (fromClient, toClient) -> {
          byte[] bomb = GzipBomb.bytes();
          head(toClient, contentType, fields + "Content-Length: " + bomb.length);
          toClient.write(bomb);
        });
  }

  static void head(OutputStream toClient, String contentType, String fields) throws IOException {
    ascii(
        toClient,
        "HTTP/1.1 200 OK\r\nContent-Type: "
            + contentType
            + "\r\nConnection: close\r\n"
            + fields
            + "\r\n\r\n");
  }

  static void ascii(OutputStream toClient, String text) throws IOException {
    toClient.write(text.getBytes(StandardCharsets.US_ASCII));
  }
}
