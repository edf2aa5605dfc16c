package dev.fairfleet.worker.parse;

import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.url.CrawlUrl;
import java.util.List;
import java.util.Optional;

/**
 * What a page holds for us.
 *
 * @param links where it links to, each once, in the order of the page, without the page itself;
 *     those that are marked nofollow are left out
 * @param linksCut whether there were more links than are taken from one page
 * @param record what was extracted; nothing if the page holds no natural key, is no HTML, or asked
 *     not to be indexed
 * @param oddity what is to be remembered of the page, as {@code meta robots: noindex}; empty if
 *     there is nothing
 */
public record ParsedPage(
    List<CrawlUrl> links, boolean linksCut, Optional<CrawlRecord> record, String oddity) {
  public ParsedPage {
    links = List.copyOf(links);
  }

  static ParsedPage empty(String oddity) {
    return new ParsedPage(List.of(), false, Optional.empty(), oddity);
  }
}
