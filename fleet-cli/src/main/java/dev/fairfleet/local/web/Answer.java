package dev.fairfleet.local.web;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;

/** What a site sends back to a request. */
public sealed interface Answer {
  /** A page with validators: 200 with its HTML, or 304 to who has it already. */
  record Page(FakePage page) implements Answer {}

  /**
   * A short reply.
   *
   * @param status the HTTP status, such as 404
   * @param headers header fields beside Content-Length and Content-Type, which the server sets
   * @param body HTML, may be empty
   */
  record Reply(int status, Map<String, String> headers, String body) implements Answer {
    public Reply {
      headers = Map.copyOf(headers);
    }

    /** Returns a reply whose body names its status. */
    public static Reply of(int status) {
      return new Reply(
          status, Map.of(), "<!doctype html><title>%d</title><p>%d".formatted(status, status));
    }
  }

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
