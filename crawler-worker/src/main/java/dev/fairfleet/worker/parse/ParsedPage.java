package dev.fairfleet.worker.parse;

import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.url.CrawlUrl;
import java.util.List;
import java.util.Optional;

/**
 * What a page holds for us.
 *
 * @param links where it links to, each once, in the order of the page, without the page itself;
 *     those that are marked not to be followed are left out
 * @param linksCut whether there were more links than are taken from one page
 * @param canonical the one URL by which the page wants to be known (RFC 6596), in scope or not; it
 *     may be the page's own. Nothing if it names none, or several that differ
 * @param refresh where the page sends its reader at once, as a redirect would; whether it wants its
 *     links followed does not matter for that
 * @param record what was extracted; nothing if the page holds no natural key, is no HTML, or asked
 *     not to be indexed
 * @param oddity what is to be remembered of the page, as {@code meta robots: noindex}; empty if
 *     there is nothing
 */
public record ParsedPage(
    List<CrawlUrl> links,
    boolean linksCut,
    Optional<CrawlUrl> canonical,
    Optional<CrawlUrl> refresh,
    Optional<CrawlRecord> record,
    String oddity) {
  public ParsedPage {
    links = List.copyOf(links);
  }

  static ParsedPage empty(String oddity) {
    return new ParsedPage(
        List.of(), false, Optional.empty(), Optional.empty(), Optional.empty(), oddity);
  }
}
