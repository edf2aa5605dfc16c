package dev.fairfleet.local.web;

import dev.fairfleet.local.ChildProcess;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Measures what a page of the fake web costs its server: requests per second, and processor time
 * per request of a server in a process of its own. After {@code mvn -pl fleet-cli -am
 * test-compile}, run its main from an IDE, or with the test class path of fleet-cli; arguments:
 * requests, connections.
 */
final class WebServerBenchmark {
  private static final WebPlan PLAN = WebPlan.zipf(1, 100, 20_000);

  private WebServerBenchmark() {}

  public static void main(String[] args) throws Exception {
    if (args[0].equals("serve")) {
      WebServer server = WebServer.start(PLAN.sites(), WebOptions.defaults());
      System.out.println(server.port());
      new CountDownLatch(1).await();
    }
    int requests = Integer.parseInt(args[0]);
    int connections = Integer.parseInt(args[1]);
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Path log = Files.createTempFile("web", ".log");
    List<String> command =
        List.of(
            ChildProcess.javaLauncher().toString(),
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            WebServerBenchmark.class.getName(),
            "serve");
    try (ChildProcess server = ChildProcess.start(command, Map.of(), log, lines::add)) {
      int port = Integer.parseInt(lines.take());
      for (int round = 0; round < 5; round++) {
        Duration before = server.cpuTime().orElseThrow();
        long start = System.nanoTime();
        run(port, requests, connections);
        double seconds = (System.nanoTime() - start) / 1e9;
        double micros = server.cpuTime().orElseThrow().minus(before).toNanos() / 1e3 / requests;
        System.out.printf(
            "%d requests on %d connections: %.0f/s, %.1f us CPU of the server per request, peak %d MB%n",
            requests,
            connections,
            requests / seconds,
            micros,
            server.peakRssBytes().orElse(0) / 1_000_000);
      }
    }
  }

  private static void run(int port, int requests, int connections) throws Exception {
    TreeSite site = PLAN.sites().getFirst();
    List<String> paths = site.paths().toList();
    List<Callable<Integer>> clients = new ArrayList<>();
    for (int c = 0; c < connections; c++) {
      int first = c;
      clients.add(
          () -> {
            ask(port, site.host(), paths, first, requests / connections);
            return first;
          });
    }
    try (ExecutorService executor = Executors.newFixedThreadPool(connections)) {
      for (Future<Integer> client : executor.invokeAll(clients)) {
        client.get();
      }
    }
  }

  private static void ask(int port, String host, List<String> paths, int first, int count)
      throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      byte[] buffer = new byte[65_536];
      for (int i = 0; i < count; i++) {
        String path = paths.get((first * 31 + i) % paths.size());
        socket
            .getOutputStream()
            .write(
                ("GET "
                        + path
                        + " HTTP/1.1\r\nHost: "
                        + host
                        + ":"
                        + port
                        + "\r\n"
                        + "User-Agent: benchmark\r\nAccept-Encoding: gzip, deflate\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
        int filled = 0;
        int left = 1;
        while (left > 0) {
          filled += in.read(buffer, filled, buffer.length - filled);
          left = bodyEnd(buffer, filled) - filled;
        }
      }
    }
  }

  /** Returns the length of the whole response, or more than is there while its head is not. */
  private static int bodyEnd(byte[] buffer, int filled) {
    String head = new String(buffer, 0, Math.min(filled, 400), StandardCharsets.ISO_8859_1);
    int end = head.indexOf("\r\n\r\n");
    int field = head.indexOf("Content-Length: ");
    if (end < 0 || field < 0) {
      return filled + 1;
    }
    return end + 4 + Integer.parseInt(head.substring(field + 16, head.indexOf("\r\n", field)));
  }
}
