package dev.fairfleet.worker.fetch;

import java.util.Arrays;

/** The decoded bytes of a response body; not to be changed. */
public final class Body {
  private final byte[] bytes;

  /** Wraps {@code bytes}, which now belong to the body. */
  public Body(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the bytes themselves, no copy: do not change them. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns how many bytes there are. */
  public int length() {
    return bytes.length;
  }

  /** Returns a number of bytes as people write it: {@code 2 MiB}. */
  static String size(int bytes) {
    int mebi = 1 << 20;
    int kibi = 1 << 10;
    return bytes % mebi == 0
        ? bytes / mebi + " MiB"
        : bytes % kibi == 0 ? bytes / kibi + " KiB" : bytes + " bytes";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Body body && Arrays.equals(body.bytes, bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return bytes.length + " bytes";
  }
}
