package dev.fairfleet.worker.fetch;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Tells from the first bytes of a body what it is (WHATWG MIME Sniffing, sections 6 and 7). */
final class Sniffer {
  /** How many bytes are enough. */
  static final int HEAD = 512;

  private static final String BINARY = "application/octet-stream";
  private static final Map<String, String> MAGIC = new LinkedHashMap<>();

  static {
    MAGIC.put("\u0089PNG\r\n\u001A\n", "image/png");
    MAGIC.put("\u00FF\u00D8\u00FF", "image/jpeg");
    MAGIC.put("GIF87a", "image/gif");
    MAGIC.put("GIF89a", "image/gif");
    MAGIC.put("\u0000\u0000\u0001\u0000", "image/x-icon");
    MAGIC.put("%PDF-", "application/pdf");
    MAGIC.put("PK\u0003\u0004", "application/zip");
    MAGIC.put("\u001F\u008B\b", "application/gzip");
    MAGIC.put("Rar!\u001A\u0007", "application/x-rar-compressed");
    MAGIC.put("7z\u00BC\u00AF'\u001C", "application/x-7z-compressed");
    MAGIC.put("\u007FELF", "application/x-elf");
    MAGIC.put("OggS\u0000", "application/ogg");
    MAGIC.put("ID3", "audio/mpeg");
    MAGIC.put("\u001AE\u00DF\u00A3", "video/webm");
    MAGIC.put("wOFF", "font/woff");
    MAGIC.put("wOF2", "font/woff2");
  }

  private Sniffer() {}

  /** Returns the type of a body that is no text, whatever the server calls it. */
  static Optional<String> binary(byte[] head) {
    String start = new String(head, 0, Math.min(head.length, 16), StandardCharsets.ISO_8859_1);
    for (Map.Entry<String, String> magic : MAGIC.entrySet()) {
      if (start.startsWith(magic.getKey())) {
        return Optional.of(magic.getValue());
      }
    }
    if (start.startsWith("RIFF") && start.startsWith("WEBP", 8)) {
      return Optional.of("image/webp");
    }
    return start.startsWith("ftyp", 4) ? Optional.of("video/mp4") : Optional.empty();
  }

  /** Returns the type of a body that the server did not name: text, unless a byte says no. */
  static String type(byte[] head) {
    boolean utf16 =
        head.length >= 2
            && ((head[0] == (byte) 0xfe && head[1] == (byte) 0xff)
                || (head[0] == (byte) 0xff && head[1] == (byte) 0xfe));
    if (utf16) {
      return "text/html";
    }
    for (byte b : head) {
      if (b >= 0 && b < ' ' && "\t\n\f\r\u001b".indexOf(b) < 0) {
        return binary(head).orElse(BINARY);
      }
    }
    Optional<String> binary = binary(head);
    if (binary.isPresent()) {
      return binary.get();
    }
    int i = head.length >= 3 && head[0] == (byte) 0xef && head[1] == (byte) 0xbb ? 3 : 0;
    while (i < head.length && head[i] <= ' ' && head[i] >= 0) {
      i++;
    }
    String start = new String(head, i, Math.min(5, head.length - i), StandardCharsets.ISO_8859_1);
    if (start.equals("<?xml")) {
      return "text/xml";
    }
    return start.startsWith("<") ? "text/html" : "text/plain";
  }
}
