package dev.fairfleet.scope;

import dev.fairfleet.frontier.CrawlDepth;
import dev.fairfleet.url.CrawlUrl;
import java.time.Instant;
import java.util.List;

/**
 * A URL that asks to be crawled, in parts.
 *
 * @param segments of the path, without what a slash at its end leaves over
 * @param parameters of the query, those without name or value included
 */
record Candidate(
    CrawlUrl url,
    CrawlDepth depth,
    Instant now,
    String pathAndQuery,
    List<String> segments,
    List<String> parameters) {
  Candidate(CrawlUrl url, CrawlDepth depth, Instant now) {
    this(url, depth, now, url.pathAndQuery());
  }

  private Candidate(CrawlUrl url, CrawlDepth depth, Instant now, String pathAndQuery) {
    this(url, depth, now, pathAndQuery, segments(pathAndQuery), parameters(pathAndQuery));
  }

  private static List<String> segments(String pathAndQuery) {
    int query = pathAndQuery.indexOf('?');
    int end = query < 0 ? pathAndQuery.length() : query;
    int last = pathAndQuery.charAt(end - 1) == '/' ? end - 1 : end;
    return last == 0 ? List.of() : List.of(pathAndQuery.substring(1, last).split("/", -1));
  }

  private static List<String> parameters(String pathAndQuery) {
    int query = pathAndQuery.indexOf('?');
    return query < 0 ? List.of() : List.of(pathAndQuery.substring(query + 1).split("&", -1));
  }
}
