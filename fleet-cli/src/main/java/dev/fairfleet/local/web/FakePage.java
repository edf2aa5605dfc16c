package dev.fairfleet.local.web;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An HTML page with its validators, written only when its text is asked for.
 *
 * <p>Immutable; any thread may use it.
 */
public final class FakePage {
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);

  private final long version;
  private final Instant lastModified;
  private final Validation validation;
  private final Supplier<byte[]> text;

  /**
   * @param version a number that is another whenever the text is
   * @param lastModified when the text last changed, in whole seconds
   * @param text writes the HTML, the same every time, in UTF-8; the caller owns what is returned
   */
  FakePage(long version, Instant lastModified, Supplier<byte[]> text) {
    this(version, lastModified, Validation.BOTH, text);
  }

  /**
   * @param validation which of both it says and honours
   */
  FakePage(long version, Instant lastModified, Validation validation, Supplier<byte[]> text) {
    this.version = version;
    this.lastModified = lastModified;
    this.validation = validation;
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

  /** Returns the header fields that name its validators. */
  List<Answer.Field> validators() {
    List<Answer.Field> fields = new ArrayList<>();
    if (validation.hasEtag()) {
      fields.add(new Answer.Field("ETag", etag()));
    }
    if (validation.hasDate()) {
      fields.add(new Answer.Field("Last-Modified", HTTP_DATE.format(lastModified)));
    }
    return fields;
  }

  /**
   * Tells whether the client has the page as it is. If both are honoured and asked for, the entity
   * tag decides (RFC 9110, section 13.2.2); a date that cannot be read is as good as none.
   */
  boolean isKnownTo(WebRequest request) {
    Optional<String> etag = request.header("if-none-match").filter(tag -> validation.hasEtag());
    if (etag.isPresent()) {
      return etag.get().equals(etag());
    }
    return validation.hasDate()
        && request
            .header("if-modified-since")
            .flatMap(FakePage::date)
            .filter(since -> !lastModified.isAfter(since))
            .isPresent();
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(HTTP_DATE.parse(text, Instant::from));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
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
