package dev.fairfleet.worker;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.Body;
import dev.fairfleet.worker.fetch.ContentType;
import dev.fairfleet.worker.fetch.FetchOutcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;

/** Answers of a server that never was. */
final class Html {
  private Html() {}

  /** Returns a page that links to others. */
  static String page(String title, String... links) {
    StringBuilder html = new StringBuilder("<title>" + title + "</title>");
    Stream.of(links).forEach(link -> html.append("<a href='").append(link).append("'>x</a>"));
    return html.toString();
  }

  /** Returns a page that was fetched whole. */
  static FetchOutcome.Fetched fetched(CrawlUrl url, String html) {
    return fetched(url, html, Validators.NONE);
  }

  static FetchOutcome.Fetched fetched(CrawlUrl url, String html, Validators validators) {
    return new FetchOutcome.Fetched(
        200,
        url,
        new Body(html.getBytes(StandardCharsets.UTF_8)),
        ContentType.parse("text/html; charset=utf-8"),
        validators,
        false,
        Duration.ofMillis(1));
  }
}
