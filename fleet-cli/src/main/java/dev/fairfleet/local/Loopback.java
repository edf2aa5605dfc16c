package dev.fairfleet.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The address 127.0.0.1: which of its ports are free, and who answers on them. */
final class Loopback {
  static final String HOST = "127.0.0.1";

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private Loopback() {}

  private static InetSocketAddress address(int port) throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
  }

  /** Returns a port that nobody listens on now; another may take it before the caller does. */
  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, address(0).getAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new LocalFleetException(
          "No port of 127.0.0.1 can be listened on (%s). Check the limits of this machine or container."
              .formatted(e),
          e);
    }
  }

  /**
   * Sends a request on a new connection, and returns whether the reply contains a text.
   *
   * @param request one after which the server closes the connection; false when it has not within
   *     two seconds
   */
  static boolean answers(int port, String request, String expected) {
    try (Socket socket = new Socket()) {
      socket.connect(address(port), (int) PATIENCE.toMillis());
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      byte[] reply = socket.getInputStream().readAllBytes();
      return new String(reply, StandardCharsets.US_ASCII).contains(expected);
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the error for a port that the user chose and somebody else has. */
  static LocalFleetException taken(String server, int port, Throwable cause) {
    return new LocalFleetException(
        "Port %d of 127.0.0.1 is taken, so %s cannot start there. Stop the program that listens on it, or choose another port; 0 means any free one."
            .formatted(port, server),
        cause);
  }
}
