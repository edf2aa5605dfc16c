package dev.fairfleet.robots;

import dev.fairfleet.frontier.Validators;
import java.nio.charset.StandardCharsets;

/** What an origin gave when it was asked for its robots.txt. */
public sealed interface RobotsFile {
  /**
   * The file.
   *
   * @param octets its bytes, one a character (ISO 8859-1): they may be no UTF-8, and are compared
   *     as bytes
   * @param validators to ask with whether it has changed; {@link Validators#NONE} if there are none
   */
  record Text(String octets, Validators validators) implements RobotsFile {
    /**
     * Returns the file that was read.
     *
     * @param content UTF-8, or UTF-16 with a byte order mark; of more than {@link
     *     RobotsRules#MAX_BYTES} the rest is dropped
     * @param truncated whether the file went on; then, as when the rest is dropped, so is a line
     *     without an end, because half a rule may say more than the whole
     */
    public static Text of(byte[] content, boolean truncated) {
      int length = Math.min(content.length, RobotsRules.MAX_BYTES);
      String octets = new String(content, 0, length, StandardCharsets.ISO_8859_1);
      if (octets.startsWith("\u00FE\u00FF") || octets.startsWith("\u00FF\u00FE")) {
        byte[] utf8 =
            new String(content, 0, length, StandardCharsets.UTF_16)
                .getBytes(StandardCharsets.UTF_8);
        octets = new String(utf8, StandardCharsets.ISO_8859_1);
      }
      boolean cut = truncated || length < content.length;
      return new Text(cut ? wholeLines(octets) : octets, Validators.NONE);
    }

    private static String wholeLines(String octets) {
      int end = Math.max(octets.lastIndexOf('\n'), octets.lastIndexOf('\r'));
      return octets.substring(0, end + 1);
    }

    /** Returns this file with validators. */
    public Text with(Validators validators) {
      return new Text(octets, validators);
    }
  }

  /**
   * There is none, so everything is allowed (RFC 9309, section 2.3.1.3).
   *
   * @param why as {@code status 404}
   */
  record None(String why) implements RobotsFile {}

  /**
   * It may not be read, for a reason of ours, so nothing is allowed.
   *
   * @param why as {@code http://10.0.0.1/ may not be read: address: 10.0.0.1 is private}
   */
  record Forbidden(String why) implements RobotsFile {}
}
