package dev.fairfleet.local.web;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Serves fake sites on one port of 127.0.0.1, told apart by the Host header.
 *
 * <p>HTTP/1.1 with connections kept open until the client closes them; GET and HEAD. A thread per
 * connection, virtual ones. An unknown host or path gets 404. It is a server of our own, not the
 * JDK's, because it shares the processor with the crawl that it is there to measure, and because
 * some sites must be able to break the protocol. Any thread may use it.
 */
public final class WebServer implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final List<Answer.Field> ROBOTS_FIELDS =
      List.of(new Answer.Field("Content-Type", "text/plain; charset=utf-8"));

  private final ServerSocket listener;
  private final Map<String, FakeSite> sites;
  private final WebOptions options;
  private final RequestLog log = new RequestLog(System::nanoTime);
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private WebServer(ServerSocket listener, Map<String, FakeSite> sites, WebOptions options) {
    this.listener = listener;
    this.sites = sites;
    this.options = options;
  }

  /**
   * Starts to serve.
   *
   * @param sites the sites, no two with one host
   * @throws UncheckedIOException if the port is taken
   */
  public static WebServer start(Collection<? extends FakeSite> sites, WebOptions options) {
    Map<String, FakeSite> byHost =
        sites.stream().collect(Collectors.toUnmodifiableMap(FakeSite::host, Function.identity()));
    try {
      InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      WebServer server =
          new WebServer(new ServerSocket(options.port(), BACKLOG, loopback), byHost, options);
      Thread.ofPlatform().daemon().name("fake-web").start(server::accept);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The fake web cannot listen on port %d of 127.0.0.1. Stop the program that does, or choose another port; 0 means any free one."
              .formatted(options.port()),
          e);
    }
  }

  /** Returns the port it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Returns the URL of a path of a site. */
  public URI url(FakeSite site, String path) {
    return URI.create("http://" + site.host() + ":" + port() + path);
  }

  /** Returns what it has been asked for so far. */
  public RequestLog log() {
    return log;
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = listener.accept();
        open.add(socket);
        Thread.startVirtualThread(() -> serve(socket));
        if (listener.isClosed()) {
          socket.close();
        }
      } catch (IOException e) {
        if (listener.isClosed()) {
          return;
        }
        // The client gave up before it was accepted.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      RequestReader requests = new RequestReader(socket.getInputStream());
      boolean keepAlive = true;
      while (keepAlive) {
        keepAlive = serveNext(requests, socket);
      }
    } catch (IOException e) {
      // The client, or close(), ended the connection.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(socket);
    }
  }

  /** Waits for the next request and answers it; returns whether there can be another. */
  private boolean serveNext(RequestReader requests, Socket socket)
      throws IOException, InterruptedException {
    try {
      Optional<RequestReader.Read> read = requests.next(port());
      return read.isPresent() && answer(read.get(), socket);
    } catch (RequestReader.MalformedRequestException e) {
      send(socket.getOutputStream(), 400, List.of(), false, new byte[0], true);
      return false;
    }
  }

  /** Answers a request, and returns whether the connection can be used again. */
  private boolean answer(RequestReader.Read read, Socket socket)
      throws IOException, InterruptedException {
    WebRequest request = read.request();
    log.add(request.host(), request.path());
    if (options.latency().isPositive()) {
      Thread.sleep(options.latency());
    }
    OutputStream out = socket.getOutputStream();
    if (!Set.of("GET", "HEAD").contains(request.method())) {
      List<Answer.Field> allow = List.of(new Answer.Field("Allow", "GET, HEAD"));
      reply(out, request, 405, allow, false, new byte[0]);
      return false;
    }
    String robots = options.robots().get(request.host());
    if (robots != null && request.path().equals("/robots.txt")) {
      reply(out, request, 200, ROBOTS_FIELDS, read.keepAlive(), utf8(robots));
      return read.keepAlive();
    }
    FakeSite site = sites.get(request.host());
    switch (site == null ? Answer.Reply.of(404) : site.answer(request)) {
      case Answer.Page found -> {
        FakePage page = found.page();
        boolean isKnown = page.isKnownTo(request);
        reply(
            out,
            request,
            isKnown ? 304 : 200,
            page.validators(),
            read.keepAlive(),
            isKnown ? null : page.bytes());
      }
      case Answer.Reply reply -> {
        byte[] body = reply.hasBody() ? reply.body().get() : null;
        reply(out, request, reply.status(), reply.fields(), read.keepAlive(), body);
      }
      case Answer.Reset reset -> {
        out.write(reset.before().get());
        socket.setSoLinger(true, 0); // what follows is RST, not FIN
        return false;
      }
      case Answer.Takeover takeover -> {
        takeover.script().speak(socket.getInputStream(), out);
        return false;
      }
    }
    return read.keepAlive();
  }

  private void reply(
      OutputStream out,
      WebRequest request,
      int status,
      List<Answer.Field> fields,
      boolean keepAlive,
      byte @Nullable [] body)
      throws IOException {
    boolean withBody = !request.method().equals("HEAD");
    log.answered(request.host(), status, body != null && withBody ? body.length : 0);
    send(out, status, fields, keepAlive, body, withBody);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Sends head and body in one write.
   *
   * @param body its length is always told, unless {@code null}
   * @param withBody whether it is sent as well
   */
  private static void send(
      OutputStream out,
      int status,
      List<Answer.Field> fields,
      boolean keepAlive,
      byte @Nullable [] body,
      boolean withBody)
      throws IOException {
    StringBuilder head = new StringBuilder(256);
    head.append("HTTP/1.1 ").append(status).append(" \r\n");
    for (Answer.Field field : fields) {
      if (!field.value().isEmpty() || !isContentType(field)) {
        head.append(field.name()).append(": ").append(field.value()).append("\r\n");
      }
    }
    if (body != null) {
      if (fields.stream().noneMatch(WebServer::isContentType)) {
        head.append("Content-Type: text/html; charset=utf-8\r\n");
      }
      head.append("Content-Length: ").append(body.length).append("\r\n");
    }
    head.append(keepAlive ? "\r\n" : "Connection: close\r\n\r\n");
    byte[] start = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    if (body == null || !withBody) {
      out.write(start);
      return;
    }
    byte[] all = new byte[start.length + body.length];
    System.arraycopy(start, 0, all, 0, start.length);
    System.arraycopy(body, 0, all, start.length, body.length);
    out.write(all);
  }

  private static boolean isContentType(Answer.Field field) {
    return field.name().equalsIgnoreCase("Content-Type");
  }

  /** Stops listening and closes every connection, in the middle of an answer if need be. */
  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The fake web on port " + port() + " cannot be closed.", e);
    }
  }
}
