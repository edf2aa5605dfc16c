package dev.fairfleet.local.web;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the requests of one connection, which have no bodies, one after the other.
 *
 * <p>Used by one thread.
 */
final class RequestReader {
  private static final int HEAD_LIMIT = 16 * 1024;
  private static final int TLS_HANDSHAKE = 22; // the content type of RFC 8446, section 5.1

  private final InputStream in;
  private final byte[] buffer = new byte[HEAD_LIMIT];
  private int filled;

  RequestReader(InputStream in) {
    this.in = in;
  }

  /**
   * A request with what the connection needs to know.
   *
   * @param keepAlive whether the client wants to use the connection again
   */
  record Read(WebRequest request, boolean keepAlive) {}

  /**
   * Waits for the next request; empty when the client has closed the connection.
   *
   * @param port the port the client has connected to
   * @throws MalformedRequestException if it is none
   */
  Optional<Read> next(int port) throws IOException, MalformedRequestException {
    int searched = 0;
    while (true) {
      int end = endOfHead(searched);
      if (end >= 0) {
        String head = new String(buffer, 0, end, StandardCharsets.ISO_8859_1);
        filled -= end;
        System.arraycopy(buffer, end, buffer, 0, filled);
        return Optional.of(parse(head, port));
      }
      if (filled == HEAD_LIMIT) {
        throw new MalformedRequestException();
      }
      searched = Math.max(0, filled - 3);
      int count = in.read(buffer, filled, HEAD_LIMIT - filled);
      if (count < 0) {
        return Optional.empty();
      }
      filled += count;
      if (buffer[0] == TLS_HANDSHAKE) {
        throw new MalformedRequestException();
      }
    }
  }

  /** Returns the index after the empty line; -1 when that has not come yet. */
  private int endOfHead(int from) {
    for (int i = from; i + 4 <= filled; i++) {
      if (buffer[i] == '\r'
          && buffer[i + 1] == '\n'
          && buffer[i + 2] == '\r'
          && buffer[i + 3] == '\n') {
        return i + 4;
      }
    }
    return -1;
  }

  private static Read parse(String head, int port) throws MalformedRequestException {
    int lineEnd = head.indexOf("\r\n");
    int afterMethod = head.indexOf(' ');
    int afterTarget = head.indexOf(' ', afterMethod + 1);
    if (afterMethod < 1 || afterTarget < 0 || afterTarget > lineEnd) {
      throw new MalformedRequestException();
    }
    String path = head.substring(afterMethod + 1, afterTarget);
    Map<String, String> headers = headers(head, lineEnd + 2);
    String host = headers.getOrDefault("host", "");
    int colon = host.lastIndexOf(':');
    if (host.isEmpty() || !path.startsWith("/")) {
      throw new MalformedRequestException();
    }
    WebRequest request =
        new WebRequest(
            head.substring(0, afterMethod),
            (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT),
            port,
            path,
            headers);
    boolean keepAlive =
        head.startsWith("HTTP/1.1", afterTarget + 1)
            && !headers.getOrDefault("connection", "").equalsIgnoreCase("close");
    return new Read(request, keepAlive);
  }

  private static Map<String, String> headers(String head, int from)
      throws MalformedRequestException {
    Map<String, String> headers = new HashMap<>();
    for (int start = from; start < head.length() - 2; ) {
      int end = head.indexOf("\r\n", start);
      int colon = head.indexOf(':', start);
      if (colon < 0 || colon > end) {
        throw new MalformedRequestException();
      }
      headers.put(
          head.substring(start, colon).toLowerCase(Locale.ROOT),
          head.substring(colon + 1, end).strip());
      start = end + 2;
    }
    return headers;
  }

  /** Tells that what the client sent is not an HTTP/1 request head of at most 16 KiB. */
  static final class MalformedRequestException extends Exception {
    private static final long serialVersionUID = 1;
  }
}
