package dev.fairfleet.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, cut to 128 bits. */
public final class Hashes {
  private static final int BYTES = 16;

  private Hashes() {}

  /**
   * Returns the first 16 bytes of the SHA-256 of {@code text} in UTF-8, as 32 hexadecimal digits.
   */
  public static String hex128(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }
}
