package dev.fairfleet.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A Redis that greets like any other, and refuses every script because it is a replica. */
final class ReplicaServer implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  private final AtomicInteger connections = new AtomicInteger();

  ReplicaServer() throws IOException {
    Thread.startVirtualThread(this::accept);
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + server.getLocalPort());
  }

  int connections() {
    return connections.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.incrementAndGet();
        Thread.startVirtualThread(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      OutputStream out = socket.getOutputStream();
      for (String head = in.readLine(); head != null; head = in.readLine()) {
        String command = "";
        for (int i = Integer.parseInt(head.substring(1)); i > 0; i--) {
          int length = Integer.parseInt(String.valueOf(in.readLine()).substring(1));
          char[] argument = new char[length + 2];
          for (int read = 0; read < argument.length; ) {
            read += in.read(argument, read, argument.length - read);
          }
          command = command.isEmpty() ? new String(argument, 0, length) : command;
        }
        out.write((answer(command) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private static String answer(String command) {
    return switch (command) {
      case "HELLO" -> "-ERR unknown command 'HELLO'";
      case "PING" -> "+PONG";
      case "EVALSHA", "EVAL" -> "-READONLY You can't write against a read only replica.";
      default -> "+OK";
    };
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
