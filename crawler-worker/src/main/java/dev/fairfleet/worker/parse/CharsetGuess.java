package dev.fairfleet.worker.parse;

import com.ibm.icu.text.CharsetDetector;
import com.ibm.icu.text.CharsetMatch;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Guesses the encoding of a text that does not name it: UTF-8 if its bytes are valid UTF-8, else
 * what ICU finds most likely from its text without tags, else windows-1252.
 */
final class CharsetGuess {
  // More tells nothing new.
  private static final int LOOKED_AT = 64 * 1024;
  private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
  private static final Charset ISO_2022_JP = Charset.forName("ISO-2022-JP");

  private CharsetGuess() {}

  static Charset of(byte[] bytes) {
    if (isUtf8(bytes)) {
      return isIso2022Jp(bytes) ? ISO_2022_JP : StandardCharsets.UTF_8;
    }
    Charset guess = guess(Arrays.copyOf(bytes, Math.min(bytes.length, LOOKED_AT)), true);
    // What is mostly English looks Western, whatever the rest is in.
    return guess.equals(WINDOWS_1252) ? guess(foreignWords(bytes), false) : guess;
  }

  private static Charset guess(byte[] text, boolean hasTags) {
    CharsetDetector detector = new CharsetDetector();
    detector.enableInputFilter(hasTags);
    detector.setText(text);
    CharsetMatch match = detector.detect();
    // ICU also knows encodings that no page is in, as EBCDIC.
    return Optional.ofNullable(match)
        .flatMap(found -> EncodingLabels.charset(found.getName()))
        .filter(charset -> !charset.name().startsWith("UTF-"))
        .orElse(WINDOWS_1252);
  }

  /**
   * Returns the words outside of tags that are not plain ASCII: the others are English in any
   * encoding, and would speak for the one of English. No encoding of the web has {@code <} or white
   * space within a character.
   */
  private static byte[] foreignWords(byte[] bytes) {
    int length = Math.min(bytes.length, LOOKED_AT);
    byte[] words = new byte[length + 1];
    int end = 0;
    int start = 0;
    boolean isTag = false;
    boolean isForeign = false;
    for (int i = 0; i <= length; i++) {
      byte b = i < length ? bytes[i] : (byte) ' ';
      if (isTag) {
        isTag = b != '>';
      } else if (b == '<' || (b >= 0 && b <= ' ')) {
        end = isForeign ? end : start;
        if (isForeign) {
          words[end++] = ' ';
        }
        start = end;
        isForeign = false;
        isTag = b == '<';
      } else {
        isForeign |= b < 0;
        words[end++] = b;
      }
    }
    return Arrays.copyOf(words, start);
  }

  private static boolean isUtf8(byte[] bytes) {
    // Not the end of the input, because the last character of a page may have been cut in two.
    return !StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(bytes), CharBuffer.allocate(bytes.length), false)
        .isError();
  }

  /** ISO-2022-JP is ASCII with escapes, so its bytes are valid UTF-8. */
  private static boolean isIso2022Jp(byte[] bytes) {
    for (int i = 0; i + 2 < bytes.length; i++) {
      if (bytes[i] == 0x1b && bytes[i + 1] == '$' && (bytes[i + 2] == 'B' || bytes[i + 2] == '@')) {
        return true;
      }
    }
    return false;
  }
}
