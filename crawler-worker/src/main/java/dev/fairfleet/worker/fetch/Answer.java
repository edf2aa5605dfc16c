package dev.fairfleet.worker.fetch;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.worker.fetch.FetchOutcome.Failed;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.FetchOutcome.Gone;
import dev.fairfleet.worker.fetch.FetchOutcome.NotModified;
import dev.fairfleet.worker.fetch.FetchOutcome.Redirected;
import dev.fairfleet.worker.fetch.FetchOutcome.Refused;
import dev.fairfleet.worker.fetch.FetchOutcome.Throttled;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipException;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;

/** What a server answered, and how much of it is read. Used by one thread, once. */
final class Answer {
  private static final int DRAINED = 16 * 1024;
  private static final int PART = 206;

  private final FetchRequest asked;
  private final ClassicHttpResponse response;
  private final int status;
  private final FetchLimits limits;
  private final InstantSource clock;
  private final Instant start;
  private final Runnable abort;

  /**
   * @param start when the exchange began
   * @param abort closes the connection; what was not read is not wanted
   */
  Answer(
      FetchRequest asked,
      ClassicHttpResponse response,
      FetchLimits limits,
      InstantSource clock,
      Instant start,
      Runnable abort) {
    this.asked = asked;
    this.response = response;
    this.status = response.getCode();
    this.limits = limits;
    this.clock = clock;
    this.start = start;
    this.abort = abort;
  }

  /**
   * Returns what it comes to, and leaves the connection read to its end or closed.
   *
   * @throws IOException if the connection breaks
   */
  FetchOutcome read() throws IOException {
    if (status >= 200 && status < 300) {
      return body();
    }
    discard();
    return switch (status) {
      case 304 -> new NotModified(Headers.validators(response, asked.validators()), took());
      case 300, 301, 302, 303, 307, 308 -> redirect();
      case 404, 410 -> new Gone(status, took());
      case 429, 503 -> new Throttled(status, retryAfter(), took());
      case 408, 425 -> failed("status " + status);
      default ->
          status >= 500 && status < 600
              ? failed("status " + status)
              : refused("status: " + status + " is final");
    };
  }

  private FetchOutcome redirect() {
    Set<String> locations = new LinkedHashSet<>();
    for (String location : Headers.values(response, "Location")) {
      locations.add(Headers.utf8(location).strip());
    }
    if (locations.size() != 1 || locations.contains("")) {
      return refused(
          "redirect: status "
              + status
              + (locations.size() > 1 ? " with several locations" : " without a location"));
    }
    String location = locations.iterator().next();
    return asked
        .url()
        .resolve(location)
        .<FetchOutcome>map(target -> new Redirected(status, target, took()))
        .orElseGet(() -> refused("redirect: status " + status + " to no http or https URL"));
  }

  private FetchOutcome body() throws IOException {
    ContentType type = ContentType.parse(Headers.first(response, "Content-Type"));
    if (!type.mime().isEmpty() && !isWanted(type.mime())) {
      return unwanted(type.mime());
    }
    HttpEntity entity = response.getEntity();
    if (entity == null) {
      return fetched(new byte[0], named(type, "text/plain"), false, "");
    }
    InputStream raw = entity.getContent();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (InputStream in = ContentCoding.decode(raw, Headers.codings(response))) {
      byte[] head = in.readNBytes(Math.min(Sniffer.HEAD, limits.bodyBytes()));
      all.writeBytes(head);
      if (type.mime().isEmpty()) {
        type = named(type, Sniffer.type(head));
        if (!isWanted(type.mime())) {
          return unwanted(type.mime() + ", as it seems,");
        }
      } else if (asked.purpose() == Purpose.PAGE && Sniffer.binary(head).isPresent()) {
        abort.run();
        return refused(
            "content type: " + type.mime() + ", but the body is " + Sniffer.binary(head).get());
      }
      boolean more = copy(in, all, limits.bodyBytes() - head.length) && in.read() >= 0;
      if (more) {
        abort.run();
      } else {
        drain(raw);
      }
      return fetched(
          all.toByteArray(), type, more, more ? "cut at " + Body.size(limits.bodyBytes()) : "");
    } catch (ContentCoding.UnsupportedException e) {
      abort.run();
      return refused(String.valueOf(e.getMessage()));
    } catch (ZipException | EOFException e) {
      if (all.size() == 0) {
        throw e;
      }
      // The connection holds: it is the server's own packing that breaks, and would again.
      abort.run();
      return fetched(
          all.toByteArray(),
          type,
          true,
          "its content coding breaks after " + all.size() + " bytes");
    }
  }

  /** Copies at most that much, and returns whether it was that much. */
  private static boolean copy(InputStream in, ByteArrayOutputStream out, int most)
      throws IOException {
    byte[] buffer = new byte[8 * 1024];
    int left = most;
    while (left > 0) {
      int read = in.read(buffer, 0, Math.min(buffer.length, left));
      if (read < 0) {
        return false;
      }
      out.write(buffer, 0, read);
      left -= read;
    }
    return true;
  }

  private FetchOutcome fetched(byte[] bytes, ContentType type, boolean truncated, String why) {
    String oddity = status == PART ? "a part that was not asked for" : why;
    return new Fetched(
        status,
        asked.url(),
        new Body(bytes),
        type,
        new PageHeaders(
            Headers.values(response, "X-Robots-Tag"),
            Headers.values(response, "Link").stream().map(Headers::utf8).toList(),
            Headers.utf8(Headers.first(response, "Refresh"))),
        // A part must not be kept by a 304 as if it were the whole.
        truncated || status == PART
            ? Validators.NONE
            : Headers.validators(response, Validators.NONE),
        truncated || status == PART,
        oddity.isEmpty() ? "" : "body: " + oddity,
        took());
  }

  private static ContentType named(ContentType type, String mime) {
    return new ContentType(mime, type.charset());
  }

  private boolean isWanted(String mime) {
    return limits.types().isEmpty() || limits.types().contains(mime);
  }

  private FetchOutcome unwanted(String mime) {
    abort.run();
    return refused("content type: " + mime + " is none of " + limits.types());
  }

  /** Reads the body of an answer whose status says it all, if that is cheap. */
  private void discard() {
    try {
      HttpEntity entity = response.getEntity();
      if (entity != null) {
        drain(entity.getContent());
      }
    } catch (IOException e) {
      abort.run();
    }
  }

  /** Reads to the end, so that the connection can be used again, unless that is far away. */
  private void drain(InputStream raw) throws IOException {
    byte[] rest = raw.readNBytes(DRAINED);
    if (rest.length == DRAINED) {
      abort.run();
    }
  }

  private Optional<Duration> retryAfter() {
    String date = Headers.first(response, "Date");
    return Headers.values(response, "Retry-After").stream()
        .flatMap(value -> RetryAfter.parse(value, date, clock.instant()).stream())
        .findFirst();
  }

  private Failed failed(String reason) {
    return new Failed(status, FailureKind.STATUS, reason, took());
  }

  private Refused refused(String reason) {
    return new Refused(status, reason, took());
  }

  private Duration took() {
    return Exchange.between(start, clock.instant());
  }
}
