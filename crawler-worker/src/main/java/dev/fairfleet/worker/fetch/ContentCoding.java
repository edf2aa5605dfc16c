package dev.fairfleet.worker.fetch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** Undoes the content codings of a body (RFC 9110, section 8.4) while it is read. */
final class ContentCoding {
  /** What we ask for. */
  static final String ACCEPTED = "gzip, deflate";

  private static final int MOST_CODINGS = 3;
  private static final int BUFFER = 4 * 1024;

  private ContentCoding() {}

  /** Thrown for a coding that was not asked for. */
  static final class UnsupportedException extends IOException {
    private static final long serialVersionUID = 1L;

    UnsupportedException(String message) {
      super(message);
    }
  }

  /**
   * Returns the body without its codings. Closing it leaves {@code body} open, because closing that
   * would read it to its end.
   *
   * <p>A body that is called gzip but does not begin like one is returned as it is. {@code deflate}
   * is read with and, as some servers send it, without the zlib header.
   *
   * @param codings in the order in which they were applied, as the header lists them
   * @throws UnsupportedException if there is one that we did not ask for, or more than three
   * @throws IOException if the body cannot be read, or its header is broken
   */
  static InputStream decode(InputStream body, List<String> codings) throws IOException {
    if (codings.size() > MOST_CODINGS) {
      throw new UnsupportedException(
          "content coding: "
              + codings.size()
              + " at once, at most "
              + MOST_CODINGS
              + " are undone");
    }
    InputStream in = new Shield(body);
    for (String coding : codings.reversed()) {
      in =
          switch (coding.toLowerCase(Locale.ROOT)) {
            case "gzip", "x-gzip" -> gunzip(in);
            case "deflate" -> inflate(in);
            case "identity" -> in;
            default ->
                throw new UnsupportedException(
                    "content coding: " + coding + " was not asked for, only " + ACCEPTED);
          };
    }
    return in;
  }

  private static InputStream gunzip(InputStream in) throws IOException {
    PushbackInputStream ahead = new PushbackInputStream(in, 2);
    byte[] magic = ahead.readNBytes(2);
    ahead.unread(magic);
    boolean gzip = magic.length == 2 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
    return gzip ? new GZIPInputStream(ahead, BUFFER) : ahead;
  }

  private static InputStream inflate(InputStream in) throws IOException {
    PushbackInputStream ahead = new PushbackInputStream(in, 2);
    byte[] head = ahead.readNBytes(2);
    ahead.unread(head);
    // RFC 1950, section 2.2: method 8, and a check that makes the two bytes a multiple of 31.
    boolean zlib =
        head.length == 2
            && (head[0] & 0x0f) == 8
            && ((head[0] & 0xff) << 8 | (head[1] & 0xff)) % 31 == 0;
    Inflater inflater = new Inflater(!zlib);
    return new InflaterInputStream(ahead, inflater, BUFFER) {
      @Override
      public void close() throws IOException {
        super.close();
        inflater.end();
      }
    };
  }

  private static final class Shield extends FilterInputStream {
    Shield(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] buffer, int from, int length) throws IOException {
      return in.read(buffer, from, length);
    }

    @Override
    public void close() {}
  }
}
