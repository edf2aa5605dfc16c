package dev.fairfleet.local.web;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes the HTML of one page front to back.
 *
 * <p>Used by one thread, for one page.
 */
final class PageText {
  private static final Instant NEWEST = Instant.parse("2026-01-01T00:00:00Z");
  private static final int YEAR_SECONDS = (int) Duration.ofDays(365).toSeconds();

  private final ByteArrayOutputStream out;

  PageText(String title, int bytes) {
    out = new ByteArrayOutputStream(bytes + 4096);
    append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    append(title);
    append("</title>\n<meta name=\"description\" content=\"All about ");
    append(title);
    append(
        """
        , its makers, its uses and its price.">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="stylesheet" href="/style.css">
        </head>
        <body>
        <nav><a href="/">Home</a>
        """);
  }

  PageText append(String ascii) {
    out.writeBytes(ascii.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  PageText link(String href, String text) {
    return append("<a href=\"").append(href).append("\">").append(text).append("</a>\n");
  }

  /** Fills up with paragraphs to about the given length, and ends the page. */
  byte[] fill(Prose prose, int bytes, long hash) {
    append("<section id=\"reviews\">\n");
    prose.appendUntil(bytes, hash, out);
    append("</section>\n<footer>A page of the fake web.</footer>\n</body>\n</html>\n");
    return out.toByteArray();
  }

  /** Returns when the page that belongs to a hash last changed: within the year 2025. */
  static Instant lastModified(long hash) {
    return NEWEST.minusSeconds(1 + Hash.below(YEAR_SECONDS, hash));
  }
}
