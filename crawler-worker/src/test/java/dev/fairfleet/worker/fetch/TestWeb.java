package dev.fairfleet.worker.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fairfleet.url.CrawlUrl;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A web server on loopback that answers each path as it is told to, however wrong that is. */
public final class TestWeb implements AutoCloseable {
  /** One request, header names in lower case. */
  public record Request(String target, Map<String, String> headers) {}

  /** Writes a whole answer, status line and all. An exception closes the connection. */
  @FunctionalInterface
  public interface Route {
    void answer(Request request, OutputStream out) throws IOException;
  }

  private final ServerSocket server;
  private final Map<String, Route> routes = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger cut = new AtomicInteger();
  private final CountDownLatch closed = new CountDownLatch(1);

  public TestWeb() {
    try {
      server = new ServerSocket(0, 50, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().start(this::accept);
  }

  /** Answers requests for {@code target}, path and query, by {@code route}. */
  public TestWeb on(String target, Route route) {
    routes.put(target, route);
    return this;
  }

  /** Returns the URL of a path on {@code a.localhost}. */
  public CrawlUrl url(String path) {
    return CrawlUrl.of("http://a.localhost:" + port() + path);
  }

  public int port() {
    return server.getLocalPort();
  }

  public List<Request> requests() {
    return requests;
  }

  public List<String> targets() {
    return requests.stream().map(Request::target).toList();
  }

  /** Returns how many connections were ever made. */
  public int connections() {
    return sockets.size();
  }

  /** Returns how many answers the client did not want to hear to their end. */
  public int cut() {
    return cut.get();
  }

  /** Waits between two bytes of a slow answer; fails when the server is closed. */
  public void pause(long millis) throws IOException {
    try {
      if (closed.await(millis, TimeUnit.MILLISECONDS)) {
        throw new IOException("closed");
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  public static Route status(int status, String... headers) {
    return (request, out) -> {
      out.write(head(status, headers));
      out.write("Content-Length: 4\r\n\r\nbody".getBytes(ISO_8859_1));
    };
  }

  public static Route page(String contentType, byte[] body, String... headers) {
    return (request, out) -> {
      out.write(head(200, headers));
      String type = contentType.isEmpty() ? "" : "Content-Type: " + contentType + "\r\n";
      out.write((type + "Content-Length: " + body.length + "\r\n\r\n").getBytes(ISO_8859_1));
      out.write(body);
    };
  }

  public static Route html(String body) {
    return page("text/html; charset=utf-8", body.getBytes(UTF_8));
  }

  public static byte[] head(int status, String... headers) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Reason\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.toString().getBytes(UTF_8);
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      server.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        Thread.ofVirtual().start(() -> converse(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void converse(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      OutputStream out = socket.getOutputStream();
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        String[] words = line.split(" ", 3);
        if (words.length < 3) {
          throw new IOException("no HTTP");
        }
        String target = words[1];
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
          int colon = header.indexOf(':');
          if (colon < 0) {
            throw new IOException("no HTTP");
          }
          headers.put(
              header.substring(0, colon).toLowerCase(Locale.ROOT),
              header.substring(colon + 1).strip());
        }
        Request request = new Request(target, headers);
        requests.add(request);
        routes.getOrDefault(target, status(404)).answer(request, out);
        out.flush();
      }
    } catch (IOException e) {
      cut.incrementAndGet();
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
