package dev.fairfleet.url;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * A fixed-length name for a URL: the first 16 bytes of its SHA-256, as 22 characters of base64url.
 *
 * <p>Stores key by this and never by the URL, because a DynamoDB sort key holds at most 1,024
 * bytes. Two of a billion URLs share a hash with a probability below 10⁻²⁰.
 */
public record UrlHash(String value) {
  private static final int BYTES = 16;
  private static final int LENGTH = 22;

  /**
   * @throws IllegalArgumentException if {@code value} does not have 22 characters
   */
  public UrlHash {
    if (value.length() != LENGTH) {
      throw new IllegalArgumentException("A URL hash has 22 characters, not \"" + value + "\"");
    }
  }

  /** Returns the hash of a canonical URL. */
  static UrlHash of(String canonical) {
    byte[] digest = sha256().digest(canonical.getBytes(StandardCharsets.UTF_8));
    byte[] head = new byte[BYTES];
    System.arraycopy(digest, 0, head, 0, BYTES);
    return new UrlHash(Base64.getUrlEncoder().withoutPadding().encodeToString(head));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
