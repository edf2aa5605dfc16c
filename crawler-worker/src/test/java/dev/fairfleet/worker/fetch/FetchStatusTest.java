package dev.fairfleet.worker.fetch;

import static dev.fairfleet.worker.fetch.TestWeb.head;
import static dev.fairfleet.worker.fetch.TestWeb.page;
import static dev.fairfleet.worker.fetch.TestWeb.status;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.FetchOutcome.Gone;
import dev.fairfleet.worker.fetch.FetchOutcome.NotModified;
import dev.fairfleet.worker.fetch.FetchOutcome.Redirected;
import dev.fairfleet.worker.fetch.FetchOutcome.Refused;
import dev.fairfleet.worker.fetch.FetchOutcome.Throttled;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FetchStatusTest extends FetcherFixture {
  @Test
  void fetch_unchangedPage_isNotModified_P46() {
    Validators old = new Validators("\"v1\"", "Sun, 29 Nov 2026 08:00:00 GMT");
    web.on("/", (request, out) -> out.write(head(304, "ETag: \"v2\"", "")));

    NotModified outcome = (NotModified) fetcher.fetch(web.url("/"), old);

    assertThat(outcome.validators()).isEqualTo(new Validators("\"v2\"", old.lastModified()));
    assertThat(web.requests().getFirst().headers())
        .containsEntry("if-none-match", old.etag())
        .containsEntry("if-modified-since", old.lastModified());
  }

  @ParameterizedTest(name = "P44: {0}")
  @CsvSource({
    "/two words.pdf, http://a.localhost:PORT/two%20words.pdf",
    "x, http://a.localhost:PORT/d/x",
    "?q=1, http://a.localhost:PORT/d/page?q=1",
    "//b.test/, http://b.test/",
    "https://b.test/x#y, https://b.test/x",
    "/ü, http://a.localhost:PORT/%C3%BC"
  })
  void fetch_redirect_isResolvedNotFollowed(String location, String target) {
    web.on("/d/page", status(302, "Location: " + location));

    Redirected redirected = (Redirected) fetch("/d/page");

    assertThat(redirected.location())
        .hasToString(target.replace("PORT", String.valueOf(web.port())));
    assertThat(web.requests()).hasSize(1);
  }

  @ParameterizedTest(name = "P46: {0}")
  @ValueSource(ints = {300, 301, 302, 303, 307, 308})
  void fetch_redirectStatusWithLocation_isRedirected(int status) {
    web.on("/", status(status, "Location: /x", "Location: /x"));

    assertThat(fetch("/"))
        .isInstanceOfSatisfying(
            Redirected.class, found -> assertThat(found.location()).isEqualTo(web.url("/x")));
  }

  @Test
  void fetch_oddLocations_areRefusedWithReason_P44() {
    web.on("/missing", status(302))
        .on("/empty", status(302, "Location: "))
        .on("/two", status(302, "Location: /a", "Location: /b"))
        .on("/mail", status(302, "Location: mailto:x@a.test"));

    assertRefused("/missing", 302, "redirect: status 302 without a location");
    assertRefused("/empty", 302, "redirect: status 302 without a location");
    assertRefused("/two", 302, "redirect: status 302 with several locations");
    assertRefused("/mail", 302, "redirect: status 302 to no http or https URL");
  }

  @ParameterizedTest(name = "P46: {0}")
  @ValueSource(ints = {305, 306, 399, 400, 401, 403, 451})
  void fetch_otherStatus_isFinal(int status) {
    web.on("/", status(status, "Location: /x"));

    assertRefused("/", status, "status: " + status + " is final");
  }

  @Test
  void fetch_300WithoutLocation_isFinal_P46() {
    web.on("/", status(300));

    assertRefused("/", 300, "redirect: status 300 without a location");
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 410})
  void fetch_missingPage_isGone(int status) {
    web.on("/", status(status));

    assertThat(fetch("/"))
        .isInstanceOfSatisfying(Gone.class, gone -> assertThat(gone.status()).isEqualTo(status));
  }

  @Test
  void fetch_throttled_tellsHowLong_P58() {
    web.on("/429", status(429, "Retry-After: 20"))
        .on("/503", status(503, "Retry-After: nonsense", "Retry-After: 7"))
        .on("/bare", status(503));

    assertThat(((Throttled) fetch("/429")).retryAfter()).contains(Duration.ofSeconds(20));
    assertThat(((Throttled) fetch("/503")).retryAfter()).contains(Duration.ofSeconds(7));
    assertThat(((Throttled) fetch("/bare")).retryAfter()).isEqualTo(Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 504, 408, 425})
  void fetch_serverTrouble_isFailed(int status) {
    web.on("/", status(status));

    assertFailed("/", status, FailureKind.STATUS, "status " + status);
  }

  @ParameterizedTest(name = "P44: {0}")
  @CsvSource({
    "'', http://a.localhost:PORT/d/page",
    "'#x', http://a.localhost:PORT/d/page",
    "'  /x  ', http://a.localhost:PORT/x",
    "../../../x, http://a.localhost:PORT/x",
    "HTTP://B.TEST:80, http://b.test/",
    "/a+b c, http://a.localhost:PORT/a+b%20c"
  })
  void fetch_strangeLocation_isResolvedAsBrowsersDo(String location, String target) {
    web.on("/d/page", status(302, "Location: " + location));

    String expected = target.replace("PORT", String.valueOf(web.port()));
    FetchOutcome outcome = fetch("/d/page");

    if (location.isEmpty()) {
      assertThat(outcome).isInstanceOf(Refused.class);
    } else {
      assertThat(((Redirected) outcome).location()).hasToString(expected);
    }
  }

  @Test
  void fetch_unchangedPageWithoutAnyHeader_keepsWhatWasSent_P57() {
    Validators old = new Validators("\"v1\"", "");
    web.on("/", (request, out) -> out.write(head(304, "")));

    NotModified outcome = (NotModified) fetcher.fetch(web.url("/"), old);

    assertThat(outcome.validators()).isEqualTo(old);
  }

  @ParameterizedTest
  @ValueSource(ints = {999, 600})
  void fetch_statusBeyondAllClasses_isFinal(int status) {
    web.on("/", status(status));

    assertRefused("/", status, "status: " + status + " is final");
  }

  @ParameterizedTest(name = "P59: {0}")
  @ValueSource(strings = {"-5", "1.5", "abc", "", "Sun, 99 Nov 1994"})
  void fetch_invalidRetryAfter_isAsIfThereWereNone(String value) {
    web.on("/", status(503, "Retry-After: " + value));

    assertThat(((Throttled) fetch("/")).retryAfter()).isEqualTo(Optional.empty());
  }

  @Test
  void fetch_retryAfterByAWrongClock_isCountedFromItsDate_P59() {
    web.on(
        "/",
        status(
            429,
            "Date: Sun, 06 Nov 1994 08:49:37 GMT",
            "Retry-After: Sun, 06 Nov 1994 08:49:57 GMT"));

    assertThat(((Throttled) fetch("/")).retryAfter()).contains(Duration.ofSeconds(20));
  }

  @Test
  void fetch_headersOfThePage_areReturned_P65() {
    web.on(
        "/",
        page(
            "text/html",
            new byte[0],
            "X-Robots-Tag: nofollow",
            "X-Robots-Tag: ourbot: noindex",
            "Link: </ü>; rel=canonical",
            "Refresh: 0;url=/x"));

    assertThat(((Fetched) fetch("/")).headers())
        .isEqualTo(
            new PageHeaders(
                List.of("nofollow", "ourbot: noindex"),
                List.of("</ü>; rel=canonical"),
                "0;url=/x"));
  }
}
