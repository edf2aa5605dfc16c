package dev.fairfleet.worker.fetch;

import dev.fairfleet.frontier.Validators;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;

/** Reads the header fields of an answer, which may be missing, repeated, and nonsense. */
final class Headers {
  private static final int LONGEST_VALIDATOR = 512;

  private Headers() {}

  /** Returns the content codings in the order in which they were applied. */
  static List<String> codings(ClassicHttpResponse response) {
    List<String> codings = new ArrayList<>();
    for (Header header : response.getHeaders("Content-Encoding")) {
      for (String coding : header.getValue().split(",", -1)) {
        if (!coding.isBlank()) {
          codings.add(coding.strip());
        }
      }
    }
    return codings;
  }

  /** Returns what to send next time; what the answer does not say is as it was. */
  static Validators validators(ClassicHttpResponse response, Validators old) {
    String etag = first(response, "ETag");
    String lastModified = first(response, "Last-Modified");
    return new Validators(
        isSendable(etag) ? etag : old.etag(),
        isSendable(lastModified) ? lastModified : old.lastModified());
  }

  /** A value that is sent back must not be able to end its line. */
  private static boolean isSendable(String value) {
    return !value.isEmpty()
        && value.length() <= LONGEST_VALIDATOR
        && value.chars().allMatch(c -> c >= ' ' && c != 0x7f);
  }

  /** Returns the value of every field of that name. */
  static List<String> values(ClassicHttpResponse response, String name) {
    return Arrays.stream(response.getHeaders(name))
        .map(header -> header.getValue() == null ? "" : header.getValue())
        .toList();
  }

  /** Returns the value of the first field of that name, or nothing. */
  static String first(ClassicHttpResponse response, String name) {
    Header header = response.getFirstHeader(name);
    return header == null || header.getValue() == null ? "" : header.getValue();
  }

  /** Header bytes arrive as ISO 8859-1; most servers mean UTF-8. */
  static String utf8(String latin) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(latin.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException e) {
      return latin;
    }
  }
}
