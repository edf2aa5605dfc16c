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
