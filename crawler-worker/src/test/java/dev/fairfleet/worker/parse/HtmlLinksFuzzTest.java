package dev.fairfleet.worker.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.Scope;
import dev.fairfleet.site.Site;
import dev.fairfleet.site.SiteId;
import dev.fairfleet.site.SiteLimits;
import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.url.HostKey;
import dev.fairfleet.worker.fetch.Body;
import dev.fairfleet.worker.fetch.ContentType;
import dev.fairfleet.worker.fetch.FetchOutcome.Fetched;
import dev.fairfleet.worker.fetch.PageHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a page holds, it becomes links and a record, and never an exception. */
class HtmlLinksFuzzTest {
  private static final CrawlUrl URL = CrawlUrl.of("http://a.test/d/page");
  private static final CrawlId CRAWL = new CrawlId("20261130T120000.000Z");
  private static final Site SITE =
      new Site(
          new SiteId("a"),
          List.of(CrawlUrl.of("http://a.test/")),
          new Scope(Set.of(new HostKey("a.test", 80))),
          SiteLimits.POLITE,
          ExtractionRules.DEFAULT);

  private final PageParser parser =
      new PageParser(new ParseLimits(20, 100, 50), "ourbot", () -> Instant.EPOCH);

  @Property
  void parse_anyPage_isLinksWithinTheirLimit(
      @ForAll("pieces") List<String> pieces,
      @ForAll("mimes") String mime,
      @ForAll("pieces") List<String> headers) {
    Fetched page =
        new Fetched(
            200,
            URL,
            new Body(String.join("", pieces).getBytes(UTF_8)),
            new ContentType(mime, ""),
            new PageHeaders(headers, headers, String.join("", headers)),
            Validators.NONE,
            false,
            "",
            Duration.ZERO);

    ParsedPage parsed = parser.parse(page, SITE, CRAWL);

    assertThat(parsed.links()).hasSizeLessThanOrEqualTo(20).doesNotContain(URL);
    assertThat(new HashSet<>(parsed.links())).hasSameSizeAs(parsed.links());
    assertThat(parsed.refresh().filter(URL::equals)).isEmpty();
  }

  @Provide
  Arbitrary<List<String>> pieces() {
    return Arbitraries.oneOf(
            Arbitraries.of(
                "<a href=",
                "<area href='",
                "<base href=\"",
                "<link rel=canonical href=",
                "/x",
                "<meta name=robots content=",
                "<meta http-equiv=refresh content='0;url=",
                "none",
                "<iframe src=",
                "noindex, ourbot: nofollow",
                "unavailable_after: 1 Jan 2030",
                "0;url=",
                "http://b.test/?a=1&b=2",
                "//c.test",
                "<>; rel=\"next\"",
                "</y>; rel=canonical",
                "<!--",
                "-->",
                "<![CDATA[",
                "]]>",
                "<?xml version='1.0'?>",
                "<!DOCTYPE html>",
                "<svg>",
                "<rss><item><link>",
                "</link></item>",
                "<html>",
                "<head>",
                "</head>",
                "<noscript>",
                "<table>",
                "<template>",
                "<title>",
                "<script>",
                "'",
                "\"",
                ">",
                " ",
                "&#x0;",
                "&amp;"),
            Arbitraries.strings().ofMaxLength(8))
        .list()
        .ofMaxSize(24);
  }

  @Provide
  Arbitrary<String> mimes() {
    return Arbitraries.of(
        "text/html", "application/xhtml+xml", "text/xml", "application/rss+xml", "text/plain");
  }
}
