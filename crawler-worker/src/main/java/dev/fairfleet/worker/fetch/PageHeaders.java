package dev.fairfleet.worker.fetch;

import java.util.List;

/**
 * The header fields that speak of the page, not of the exchange.
 *
 * <p>Only the first {@value #MOST} values of a field are kept, each cut to {@value #LONGEST}
 * characters.
 *
 * @param robotsTags values of {@code X-Robots-Tag}, in the order of the answer
 * @param links values of {@code Link} (RFC 8288), in the order of the answer
 * @param refresh value of {@code Refresh}; empty if there was none
 */
public record PageHeaders(List<String> robotsTags, List<String> links, String refresh) {
  /** What an answer says that has none of these fields. */
  public static final PageHeaders NONE = new PageHeaders(List.of(), List.of(), "");

  private static final int MOST = 64;
  private static final int LONGEST = 4_096;

  public PageHeaders {
    robotsTags = bounded(robotsTags);
    links = bounded(links);
    refresh = cut(refresh);
  }

  private static List<String> bounded(List<String> values) {
    return values.stream().limit(MOST).map(PageHeaders::cut).toList();
  }

  private static String cut(String value) {
    return value.length() <= LONGEST ? value : value.substring(0, LONGEST);
  }
}
