package dev.fairfleet.worker.fetch;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;
import java.time.Duration;
import java.util.Optional;

/** What one HTTP exchange came to. */
public sealed interface FetchOutcome {
  /** Returns the HTTP status; 0 if no answer came. */
  int status();

  /** Returns the time from the request to the last byte that was read. */
  Duration took();

  /**
   * The server answered 2xx with a body that is ours to read.
   *
   * @param url the URL that was asked for
   * @param contentType as the server named it; the mime type is what we take it for if the server
   *     named none
   * @param headers what else it says of the page
   * @param validators what to send with the next conditional GET
   * @param truncated whether the body went on beyond what is kept of it
   * @param oddity what is to be remembered of the body, as {@code body: cut at 2 MiB}; empty if
   *     there is nothing
   */
  record Fetched(
      int status,
      CrawlUrl url,
      Body body,
      ContentType contentType,
      PageHeaders headers,
      Validators validators,
      boolean truncated,
      String oddity,
      Duration took)
      implements FetchOutcome {
    /** Makes an outcome without headers and oddity. */
    public Fetched(
        int status,
        CrawlUrl url,
        Body body,
        ContentType contentType,
        Validators validators,
        boolean truncated,
        Duration took) {
      this(status, url, body, contentType, PageHeaders.NONE, validators, truncated, "", took);
    }
  }

  /**
   * The server answered 304: the page is as it was (RFC 9110, section 15.4.5).
   *
   * @param validators what to send with the next conditional GET: the new ones, or where the answer
   *     holds none, those that were sent
   */
  record NotModified(Validators validators, Duration took) implements FetchOutcome {
    @Override
    public int status() {
      return 304;
    }
  }

  /**
   * The server sent us elsewhere; nothing was followed.
   *
   * @param location where to, resolved against the URL that was asked for
   */
  record Redirected(int status, CrawlUrl location, Duration took) implements FetchOutcome {}

  /** The server answered 404 or 410. */
  record Gone(int status, Duration took) implements FetchOutcome {}

  /**
   * The server answered 429 or 503: it wants less.
   *
   * @param retryAfter how long it asked us to wait (RFC 9110, section 10.2.3), at most a day;
   *     nothing if it did not say, or not in a valid form
   */
  record Throttled(int status, Optional<Duration> retryAfter, Duration took)
      implements FetchOutcome {}

  /**
   * We will not read this page, and trying again would not help.
   *
   * @param reason the rule, a colon, and what it found, as {@code content type: audio/mpeg}
   */
  record Refused(int status, String reason, Duration took) implements FetchOutcome {}

  /**
   * The fetch failed, and may succeed another time.
   *
   * @param reason what went wrong, and what was allowed
   */
  record Failed(int status, FailureKind kind, String reason, Duration took)
      implements FetchOutcome {}
}
