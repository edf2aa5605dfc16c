package dev.fairfleet.worker.parse;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The encoding of a page, sitemap or feed: byte order mark, then header, then what the text says of
 * itself in its first 1,024 bytes ({@code <?xml encoding}, {@code meta}), then a guess (HTML,
 * section 13.2.3.2).
 *
 * <p>A label that nobody knows counts as none.
 *
 * @param markLength bytes of the byte order mark, which are no text
 */
record PageCharset(Charset charset, int markLength) {
  private static final int PRESCAN = 1_024;
  private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");
  private static final Pattern COMMENT = Pattern.compile("<!--.*?(?:-->|$)", Pattern.DOTALL);
  private static final Pattern META =
      Pattern.compile("<meta[\\s/]([^>]*+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern CONTENT =
      Pattern.compile(
          "content\\s*+=\\s*+(\"[^\"]*+\"|'[^']*+'|[^\\s\"'>]++)", Pattern.CASE_INSENSITIVE);
  private static final Pattern CONTENT_TYPE =
      Pattern.compile("http-equiv\\s*+=\\s*+[\"']?\\s*+content-type", Pattern.CASE_INSENSITIVE);
  private static final Pattern CHARSET =
      Pattern.compile("charset\\s*+=\\s*+[\"']?\\s*+([^\\s\"'/>;]++)", Pattern.CASE_INSENSITIVE);
  private static final Pattern DECLARATION =
      Pattern.compile("\\s*+<\\?xml\\s[^>]*?encoding\\s*+=\\s*+[\"']([^\"']++)[\"']");

  /** Returns the text of a page, without a byte order mark. */
  static String decode(byte[] bytes, String headerLabel) {
    PageCharset found = of(bytes, headerLabel);
    return new String(bytes, found.markLength, bytes.length - found.markLength, found.charset);
  }

  /**
   * Returns the encoding of a text.
   *
   * @param head the text or its beginning, the more the better for a guess
   */
  static PageCharset of(byte[] head, String headerLabel) {
    if (startsWith(head, 0xef, 0xbb, 0xbf)) {
      return new PageCharset(StandardCharsets.UTF_8, 3);
    }
    if (startsWith(head, 0xfe, 0xff)) {
      return new PageCharset(StandardCharsets.UTF_16BE, 2);
    }
    if (startsWith(head, 0xff, 0xfe)) {
      return new PageCharset(StandardCharsets.UTF_16LE, 2);
    }
    Charset charset =
        EncodingLabels.charset(headerLabel)
            .or(() -> utf16(head))
            .or(() -> declared(head))
            .orElseGet(() -> CharsetGuess.of(head));
    return new PageCharset(charset, 0);
  }

  /** Two-byte text without a mark shows in the {@code <?} of XML (XML 1.0, appendix F.1). */
  private static Optional<Charset> utf16(byte[] head) {
    if (startsWith(head, '<', 0, '?', 0)) {
      return Optional.of(StandardCharsets.UTF_16LE);
    }
    return startsWith(head, 0, '<', 0, '?')
        ? Optional.of(StandardCharsets.UTF_16BE)
        : Optional.empty();
  }

  private static Optional<Charset> declared(byte[] bytes) {
    String head =
        new String(bytes, 0, Math.min(bytes.length, PRESCAN), StandardCharsets.ISO_8859_1);
    Matcher declaration = DECLARATION.matcher(head);
    Optional<Charset> charset =
        declaration.lookingAt() ? readAsAscii(declaration.group(1)) : Optional.empty();
    Matcher meta = META.matcher(COMMENT.matcher(head).replaceAll(""));
    while (charset.isEmpty() && meta.find()) {
      charset = ofMeta(meta.group(1));
    }
    return charset;
  }

  /** Only a meta tag that stands for the header may name a charset in its content. */
  private static Optional<Charset> ofMeta(String attributes) {
    Matcher content = CONTENT.matcher(attributes);
    boolean has = content.find();
    String others =
        has
            ? attributes.substring(0, content.start()) + attributes.substring(content.end())
            : attributes;
    Matcher charset = CHARSET.matcher(others);
    if (charset.find()) {
      return readAsAscii(charset.group(1));
    }
    if (has && CONTENT_TYPE.matcher(others).find()) {
      Matcher parameter = CHARSET.matcher(content.group(1));
      return parameter.find() ? readAsAscii(parameter.group(1)) : Optional.empty();
    }
    return Optional.empty();
  }

  /** A label that was read as ASCII names no UTF-16, and nobody's private encoding. */
  private static Optional<Charset> readAsAscii(String label) {
    return EncodingLabels.charset(label)
        .map(
            named ->
                switch (named.name()) {
                  case "UTF-16LE", "UTF-16BE" -> StandardCharsets.UTF_8;
                  case "x-user-defined" -> WINDOWS_1252;
                  default -> named;
                });
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
