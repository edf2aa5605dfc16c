package dev.fairfleet.worker.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.ContentType;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever a file holds, it becomes entries or an oddity, and never an exception. */
class SitemapFuzzTest {
  private static final CrawlUrl FILE = CrawlUrl.of("http://a.test/sitemap.xml");

  private final SitemapReader reader = new SitemapReader(new SitemapLimits(10, 1_000));

  @Property
  void read_anyFile_isEntriesWithinTheirLimit(@ForAll("pieces") List<String> pieces) {
    Sitemap sitemap = reader.read(String.join("", pieces).getBytes(UTF_8), ContentType.NONE, FILE);

    assertThat(sitemap.entries().size() + sitemap.children().size()).isLessThanOrEqualTo(10);
    assertThat(sitemap.kind() == Sitemap.Kind.NONE).isEqualTo(isNone(sitemap));
  }

  @Property
  void read_anyTroubleWithinOneEntry_losesNoOther(@ForAll("trouble") String trouble) {
    Sitemap sitemap =
        reader.read(
            ("<urlset><url><loc>/1</loc></url><url><loc>/2"
                    + trouble
                    + "</loc></url><url><loc>/3</loc></url></urlset>")
                .getBytes(UTF_8),
            ContentType.NONE,
            FILE);

    assertThat(sitemap.entries())
        .extracting(entry -> entry.url().pathAndQuery())
        .contains("/1", "/3");
  }

  private static boolean isNone(Sitemap sitemap) {
    return sitemap.entries().isEmpty()
        && sitemap.children().isEmpty()
        && (sitemap.oddity().contains("is none") || sitemap.oddity().contains("neither XML"));
  }

  @Provide
  Arbitrary<List<String>> pieces() {
    return Arbitraries.oneOf(
            Arbitraries.of(
                "<urlset>",
                "<sitemapindex>",
                "<rss>",
                "<feed>",
                "<rdf:RDF>",
                "<url>",
                "</url>",
                "<loc>",
                "</loc>",
                "<sitemap>",
                "</sitemap>",
                "<item>",
                "</item>",
                "<entry>",
                "</entry>",
                "<link>",
                "</link>",
                "<link href='/x'/>",
                "<guid isPermaLink='false'>",
                "<lastmod>",
                "2026-11-30",
                "<pubDate>",
                "http://a.test/x?a=1&b=2",
                "/y",
                "\n",
                "&eacute;",
                "&x;",
                "<![CDATA[",
                "]]>",
                "<!--",
                "-->",
                "<!DOCTYPE x [",
                "]>",
                "<?xml",
                "?>",
                "\"",
                "'",
                "<",
                "/>",
                "\uFEFF",
                "<s:url xmlns:s='x'>"),
            Arbitraries.strings().ofMaxLength(8))
        .list()
        .ofMaxSize(30);
  }

  /** Text that opens nothing which would rightly hide what follows. */
  @Provide
  Arbitrary<String> trouble() {
    return Arbitraries.oneOf(
            Arbitraries.of(
                "<b>", "</b>", "&", "&x;", "&#", "]]>", "</loc>", "<b c=", "<b c='d", "<", "\0",
                " ", ">"),
            Arbitraries.strings().excludeChars('<', '!').ofMaxLength(8))
        .list()
        .ofMaxSize(6)
        .map(parts -> String.join("", parts));
  }
}
