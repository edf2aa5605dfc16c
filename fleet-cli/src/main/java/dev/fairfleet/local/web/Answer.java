package dev.fairfleet.local.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** What a site sends back to a request. */
public sealed interface Answer {
  /** A page with validators: 200 with its HTML, or 304 to who has it already. */
  record Page(FakePage page) implements Answer {}

  /**
   * A reply with any status, fields and body.
   *
   * @param status the HTTP status, such as 404; one of 1xx, 204 or 304 is sent without a body
   * @param fields header fields in their order, beside Content-Length, which the server sets; it
   *     sets Content-Type to HTML in UTF-8 unless one is here, and an empty one sends none
   * @param body writes the body, the same every time; the caller owns what is returned
   */
  record Reply(int status, List<Field> fields, Supplier<byte[]> body) implements Answer {
    public Reply {
      fields = List.copyOf(fields);
    }

    /** Returns a reply whose body names its status. */
    public static Reply of(int status) {
      return html(status, "<!doctype html><title>%d</title><p>%d".formatted(status, status));
    }

    /** Returns a reply with an HTML body, in UTF-8. */
    public static Reply html(int status, String html, Field... fields) {
      return new Reply(status, List.of(fields), () -> html.getBytes(StandardCharsets.UTF_8));
    }

    /** Tells whether its status allows a body (RFC 9110, section 6.4.1). */
    boolean hasBody() {
      return status >= 200 && status != 204 && status != 304;
    }
  }

  /** A header field. */
  record Field(String name, String value) {}

  /** The connection is reset, by a RST, after some bytes of an answer, or none. */
  record Reset(Supplier<byte[]> before) implements Answer {}

  /** The whole connection is given to a script, and closed when that returns. */
  record Takeover(Script script) implements Answer {}

  /** Speaks to one client byte by byte, status line included, on a thread of its own. */
  @FunctionalInterface
  interface Script {
    /**
     * Speaks. An {@link IOException} means that the client, or the server, has closed the
     * connection; let it pass through.
     *
     * @param fromClient what the client sends after its request; ends when it closes
     * @param toClient not buffered
     */
    void speak(InputStream fromClient, OutputStream toClient) throws IOException;
  }
}
