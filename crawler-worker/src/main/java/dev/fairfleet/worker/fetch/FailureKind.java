package dev.fairfleet.worker.fetch;

/** Where a fetch failed that may succeed another time. */
public enum FailureKind {
  /** The host's name could not be resolved. */
  DNS,
  /** No connection came about: refused, unreachable, or too slow. */
  CONNECT,
  /** The TLS handshake failed, or the certificate is not valid for the host. */
  TLS,
  /** The server was silent for too long, or the whole fetch took too long. */
  TIMEOUT,
  /** The server answered with a status that means trouble of its own, as 500 or 408. */
  STATUS,
  /** The connection broke, or what came was no HTTP or no valid encoding. */
  BROKEN,
  /** Our thread was interrupted: the worker is stopping, which says nothing about the server. */
  ABORTED
}
