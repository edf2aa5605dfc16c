package dev.fairfleet.worker.parse;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the encoding of a page: byte order mark, then header, then {@code meta} in the first 1,024
 * bytes, then UTF-8 if the bytes are valid UTF-8, else windows-1252 (HTML, section 13.2.3.2).
 *
 * <p>A label that we do not know counts as none.
 */
final class PageCharset {
  private static final int PRESCAN = 1_024;
  private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
  private static final Pattern META =
      Pattern.compile(
          "<meta\\s[^>]*?charset\\s*=\\s*[\"']?\\s*([^\\s\"'/>;]+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern COMMENT = Pattern.compile("<!--.*?(?:-->|$)", Pattern.DOTALL);

  // Labels that mean more on the web than Java takes them for (WHATWG Encoding, section 4.2).
  private static final Map<String, String> WIDER =
      Map.of(
          "iso-8859-1", "windows-1252",
          "latin1", "windows-1252",
          "us-ascii", "windows-1252",
          "ascii", "windows-1252",
          "iso-8859-9", "windows-1254",
          "gb2312", "gb18030",
          "gbk", "gb18030",
          "shift_jis", "windows-31j",
          "euc-kr", "x-windows-949",
          "ks_c_5601-1987", "x-windows-949");

  private PageCharset() {}

  /** Returns the text of a page, without a byte order mark. */
  static String decode(byte[] bytes, String headerLabel) {
    if (startsWith(bytes, 0xef, 0xbb, 0xbf)) {
      return new String(bytes, 3, bytes.length - 3, StandardCharsets.UTF_8);
    }
    if (startsWith(bytes, 0xfe, 0xff)) {
      return new String(bytes, 2, bytes.length - 2, StandardCharsets.UTF_16BE);
    }
    if (startsWith(bytes, 0xff, 0xfe)) {
      return new String(bytes, 2, bytes.length - 2, StandardCharsets.UTF_16LE);
    }
    return new String(
        bytes, charset(headerLabel).or(() -> fromMeta(bytes)).orElseGet(() -> guess(bytes)));
  }

  private static Optional<Charset> fromMeta(byte[] bytes) {
    String head =
        new String(bytes, 0, Math.min(bytes.length, PRESCAN), StandardCharsets.ISO_8859_1);
    Matcher meta = META.matcher(COMMENT.matcher(head).replaceAll(""));
    while (meta.find()) {
      Optional<Charset> charset = charset(meta.group(1));
      if (charset.isPresent()) {
        // It was read as ASCII, so it cannot be UTF-16 (section 13.2.3.2, step on UTF-16).
        return charset.map(
            named -> named.name().startsWith("UTF-16") ? StandardCharsets.UTF_8 : named);
      }
    }
    return Optional.empty();
  }

  private static Charset guess(byte[] bytes) {
    // Not the end of the input, because the last character of a page may have been cut in two.
    boolean error =
        StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(bytes), CharBuffer.allocate(bytes.length), false)
            .isError();
    return error ? WINDOWS_1252 : StandardCharsets.UTF_8;
  }

  private static Optional<Charset> charset(String label) {
    if (label.isEmpty()) {
      return Optional.empty();
    }
    try {
      String lower = label.toLowerCase(Locale.ROOT);
      return Optional.of(Charset.forName(WIDER.getOrDefault(lower, lower)));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      return Optional.empty();
    }
  }

  private static boolean startsWith(byte[] bytes, int... mark) {
    if (bytes.length < mark.length) {
      return false;
    }
    for (int i = 0; i < mark.length; i++) {
      if ((bytes[i] & 0xff) != mark[i]) {
        return false;
      }
    }
    return true;
  }
}
