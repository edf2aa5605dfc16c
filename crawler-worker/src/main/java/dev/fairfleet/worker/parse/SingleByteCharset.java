package dev.fairfleet.worker.parse;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;

/** An encoding whose lower half is ASCII and whose upper half is a table; only decodes. */
final class SingleByteCharset extends Charset {
  private final String upper;

  /**
   * @param upper 128 characters, for the bytes from 0x80 on
   */
  SingleByteCharset(String name, String upper) {
    super(name, new String[0]);
    if (upper.length() != 128) {
      throw new IllegalArgumentException("The upper half of " + name + " has 128 characters");
    }
    this.upper = upper;
  }

  @Override
  public boolean contains(Charset other) {
    return other.name().equals("US-ASCII") || other.equals(this);
  }

  @Override
  public boolean canEncode() {
    return false;
  }

  @Override
  public CharsetEncoder newEncoder() {
    throw new UnsupportedOperationException(name() + " only decodes");
  }

  @Override
  public CharsetDecoder newDecoder() {
    return new CharsetDecoder(this, 1, 1) {
      @Override
      protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
        while (in.hasRemaining()) {
          if (!out.hasRemaining()) {
            return CoderResult.OVERFLOW;
          }
          byte b = in.get();
          out.put(b >= 0 ? (char) b : upper.charAt(b & 0x7f));
        }
        return CoderResult.UNDERFLOW;
      }
    };
  }
}
