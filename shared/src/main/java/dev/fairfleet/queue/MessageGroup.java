package dev.fairfleet.queue;

import dev.fairfleet.site.SiteId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The tenant that SQS fair queues balance: on a standard queue a {@code MessageGroupId} is that,
 * and no ordering domain (SQS Developer Guide, "Amazon SQS fair queues").
 *
 * @param value 32 hexadecimal digits, a hash of the site; SQS takes 1 to 128 characters
 */
public record MessageGroup(String value) {
  private static final int BYTES = 16;

  /** Returns the group of a site. */
  public static MessageGroup of(SiteId site) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(site.value().getBytes(StandardCharsets.UTF_8));
      return new MessageGroup(HexFormat.of().formatHex(digest, 0, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }
}
