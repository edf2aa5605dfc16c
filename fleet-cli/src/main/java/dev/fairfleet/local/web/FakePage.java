package dev.fairfleet.local.web;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * An HTML page with its validators, written only when its text is asked for.
 *
 * <p>Immutable; any thread may use it.
 */
public final class FakePage {
  private final long version;
  private final Instant lastModified;
  private final Supplier<byte[]> text;

  /**
   * @param version a number that is another whenever the text is
   * @param lastModified when the text last changed, in whole seconds
   * @param text writes the HTML, the same every time, in UTF-8; the caller owns what is returned
   */
  FakePage(long version, Instant lastModified, Supplier<byte[]> text) {
    this.version = version;
    this.lastModified = lastModified;
    this.text = text;
  }

  /** Returns the entity tag with its quotes, a strong one (RFC 9110, section 8.8.3). */
  public String etag() {
    return '"' + Long.toHexString(version) + '"';
  }

  /** Returns when it last changed. */
  public Instant lastModified() {
    return lastModified;
  }

  /** Returns its HTML. */
  public String html() {
    return new String(text.get(), StandardCharsets.UTF_8);
  }

  /** Returns its HTML in UTF-8, newly written. */
  byte[] bytes() {
    return text.get();
  }
}
