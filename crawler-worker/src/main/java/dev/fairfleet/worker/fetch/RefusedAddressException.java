package dev.fairfleet.worker.fetch;

import java.net.UnknownHostException;

/** Thrown when a host has no address that may be connected to. */
final class RefusedAddressException extends UnknownHostException {
  private static final long serialVersionUID = 1L;

  RefusedAddressException(String reason) {
    super(reason);
  }
}
