package dev.fairfleet.worker.parse;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.url.CrawlUrl;
import dev.fairfleet.worker.fetch.ContentType;
import dev.fairfleet.worker.parse.Sitemap.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SitemapReaderTest {
  private static final CrawlUrl FILE = CrawlUrl.of("http://a.test/maps/sitemap.xml");
  private static final String DECLARATION = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
  private static final String OPEN =
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";

  private final SitemapReader reader = new SitemapReader(SitemapLimits.DEFAULT);

  @Test
  void read_urlset_holdsPagesAndWhenTheyChanged() {
    Sitemap sitemap =
        read(
            DECLARATION
                + OPEN
                + """
                <url>
                  <loc> http://a.test/1?a=1&amp;b=2
                  </loc><lastmod>2026-11-30T08:00:00+01:00</lastmod><priority>0.8</priority></url>
                <url><lastmod>soon</lastmod><loc>http://b.test/2</loc></url>
                <url><loc><![CDATA[http://a.test/3?x&y]]></loc></url>
                <url><loc>/4</loc></url>
                </urlset>
                """);

    assertThat(sitemap.kind()).isEqualTo(Kind.URLS);
    assertThat(sitemap.children()).isEmpty();
    assertThat(sitemap.entries())
        .containsExactly(
            entry("http://a.test/1?a=1&b=2", "2026-11-30T07:00:00Z"),
            entry("http://b.test/2"),
            entry("http://a.test/3?x&y"),
            entry("http://a.test/4"));
    assertThat(sitemap.oddity()).isEmpty();
  }

  @Test
  void read_index_holdsChildren() {
    Sitemap sitemap =
        read(
            "<sitemapindex><sitemap><loc>http://a.test/s1.xml.gz</loc><lastmod>2026-11</lastmod>"
                + "</sitemap><sitemap><loc>sitemap.xml</loc></sitemap></sitemapindex>");

    assertThat(sitemap.kind()).isEqualTo(Kind.INDEX);
    assertThat(sitemap.entries()).isEmpty();
    assertThat(sitemap.children())
        .containsExactly(
            entry("http://a.test/s1.xml.gz", "2026-11-01T00:00:00Z"), entry(FILE.toString()));
  }

  @Test
  void read_extensions_areNotTakenForPages() {
    assertThat(
            urls(
                """
                <s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">
                <s:url><s:loc>http://a.test/1</s:loc>
                  <image:image><image:loc>http://a.test/i.jpg</image:loc></image:image>
                  <xhtml:link rel="alternate" hreflang="de" href="http://a.test/de"/></s:url>
                <url><loc>http://a.test/other</loc></url>
                </s:urlset>
                """))
        .containsExactly("http://a.test/1");
  }

  @Test
  void read_rss_takesLinksElsePermalinks() {
    Sitemap sitemap =
        read(
            """
            <rss version="2.0"><channel><link>http://a.test/home</link>
            <image><url>http://a.test/i.png</url><link>http://a.test/home</link></image>
            <item><title>caf&eacute; & co</title><link>http://a.test/1</link>
              <atom:link rel="self" href="http://a.test/no"/>
              <pubDate>Mon, 30 Nov 2026 08:00:00 GMT</pubDate></item>
            <item><guid>http://a.test/2</guid></item>
            <item><guid isPermaLink="false">urn:x</guid><link>http://a.test/3</link></item>
            <item><guid isPermaLink="false">urn:y</guid></item>
            </channel></rss>
            """);

    assertThat(sitemap.kind()).isEqualTo(Kind.FEED);
    assertThat(sitemap.entries())
        .containsExactly(
            entry("http://a.test/1", "2026-11-30T08:00:00Z"),
            entry("http://a.test/2"),
            entry("http://a.test/3"));
    assertThat(sitemap.oddity()).isEqualTo("sitemap: 1 entry without a URL");
  }

  @Test
  void read_rdf_takesLinksElseWhatItIsAbout() {
    assertThat(
            read("""
                    <rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel><link>http://a.test/</link>
                    </channel><item rdf:about="http://a.test/1"><dc:date>2026-11-30</dc:date></item>
                    <item rdf:about="urn:x"><link>http://a.test/2</link></item></rdf:RDF>
                    """)
                .entries())
        .containsExactly(
            entry("http://a.test/1", "2026-11-30T00:00:00Z"), entry("http://a.test/2"));
  }

  @Test
  void read_atom_takesAlternateLinks() {
    assertThat(
            read("""
                    <feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.test/home"/>
                    <entry><link rel="edit" href="/no"/><link rel="alternate" href="/1?a=1&amp;b=2"/>
                      <published>2026-11-01</published><updated>2026-11-30</updated></entry>
                    <entry><link href='/2'/><link href="/later"/></entry></feed>
                    """)
                .entries())
        .containsExactly(
            entry("http://a.test/1?a=1&b=2", "2026-11-30T00:00:00Z"), entry("http://a.test/2"));
  }

  @Test
  void read_text_takesALineEach() {
    Sitemap sitemap = read("\uFEFFhttp://a.test/1\r\n\n  http://a.test/2 \nnonsense\n/relative");

    assertThat(sitemap.kind()).isEqualTo(Kind.TEXT);
    assertThat(sitemap.entries())
        .containsExactly(entry("http://a.test/1"), entry("http://a.test/2"));
    assertThat(sitemap.oddity()).isEqualTo("sitemap: 2 entries without a URL");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!DOCTYPE html><html><body><a href=/x>x</a></body></html>",
        "<error/>",
        "nothing here\nat all",
        "",
        "<",
        "<!--"
      })
  void read_otherFile_isNoSitemap(String text) {
    Sitemap sitemap = read(text);

    assertThat(sitemap.kind()).isEqualTo(Kind.NONE);
    assertThat(sitemap.entries()).isEmpty();
    assertThat(sitemap.oddity()).startsWith("sitemap: ");
  }

  @ParameterizedTest(name = "P70: {0}")
  @ValueSource(strings = {"\n", "\uFEFF", "\uFEFF \r\n\t", "<!-- x -->\n", ""})
  void read_somethingBeforeTheDeclaration_isSkipped(String before) {
    assertThat(urls(before + urlset(100, -1, ""))).hasSize(100);
  }

  @ParameterizedTest(name = "P70: {0}")
  @ValueSource(strings = {"text/html", "application/octet-stream", "application/pdf", ""})
  void read_anyContentType_isReadByItsFirstTag(String type) {
    byte[] body = urlset(3, -1, "").getBytes(UTF_8);

    assertThat(reader.read(body, ContentType.parse(type), FILE).entries()).hasSize(3);
  }

  @Test
  void read_anyEncoding_isRead_P70() {
    String text = DECLARATION + OPEN + "<url><loc>http://a.test/é</loc></url></urlset>";
    CrawlUrl expected = CrawlUrl.of("http://a.test/%C3%A9");

    for (byte[] body :
        List.of(
            text.getBytes(UTF_8),
            ("\uFEFF" + text).getBytes(UTF_16BE),
            ("\uFEFF" + text).getBytes(UTF_16LE),
            text.replace("UTF-8", "UTF-16").getBytes(UTF_16LE),
            text.getBytes(UTF_16BE),
            text.replace("UTF-8", "ISO-8859-1").getBytes(ISO_8859_1))) {
      assertThat(reader.read(body, ContentType.NONE, FILE).entries())
          .extracting(SitemapEntry::url)
          .containsExactly(expected);
    }
  }

  @Test
  void read_gzip_isUndoneByItsFirstBytes() {
    byte[] once = gzip(urlset(100, -1, "").getBytes(UTF_8));

    assertThat(read(once).entries()).hasSize(100);
    assertThat(read(gzip(once)).entries()).hasSize(100);
    assertThat(read(gzip(gzip(once))).kind()).isEqualTo(Kind.NONE);
  }

  @Test
  void read_gzipThatBreaksOff_keepsWhatWasBefore() {
    byte[] whole = gzip(urlset(10_000, -1, "").getBytes(UTF_8));

    Sitemap sitemap = read(Arrays.copyOf(whole, whole.length / 2));

    assertThat(sitemap.entries()).hasSizeGreaterThan(1_000);
    assertThat(sitemap.oddity()).startsWith("sitemap: its gzip breaks off");
    assertThat(read(new byte[] {0x1f, (byte) 0x8b, 1, 2}).kind()).isEqualTo(Kind.NONE);
  }

  @Test
  @Timeout(60)
  void read_bomb_isCutAtTheLimit_P52() {
    SitemapReader small = new SitemapReader(new SitemapLimits(1_000, 1 << 20));
    byte[] bomb = gzip(gzip(new byte[64 << 20]));

    Sitemap sitemap = small.read(bomb, ContentType.NONE, FILE);

    assertThat(sitemap.entries()).isEmpty();
    assertThat(sitemap.oddity()).contains("cut at 1048576 bytes");
  }

  @ParameterizedTest(name = "P71: {0}")
  @ValueSource(strings = {"", "<!-- padding padding -->"})
  void read_entities_areNotExpanded(String comment) {
    String dtd =
        """
        <!DOCTYPE urlset [
          <!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY web SYSTEM "http://b.test/hit">
          <!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
        ]>
        """;
    Sitemap sitemap =
        read(
            DECLARATION
                + comment.repeat(400)
                + dtd
                + OPEN
                + "<url><loc>http://a.test/&file;</loc></url><url><loc>&web;</loc></url>"
                + "<url><loc>http://a.test/&b;</loc></url><url><loc>http://a.test/1</loc></url>"
                + "</urlset>");

    assertThat(sitemap.entries()).containsExactly(entry("http://a.test/1"));
    assertThat(sitemap.oddity()).isEqualTo("sitemap: 3 entries without a URL");
  }

  @Test
  void read_entitiesOfRss_areNotExpanded_P71() {
    assertThat(
            read("<!DOCTYPE rss [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><rss><channel>"
                    + "<item><title>&x;</title><link>http://a.test/&x;</link></item>"
                    + "<item><link>http://a.test/1</link></item></channel></rss>")
                .entries())
        .containsExactly(entry("http://a.test/1"));
  }

  @Test
  void read_rawAmpersand_losesNothing_P73() {
    Sitemap sitemap = read(urlset(100, 50, "?a=1&b=2&copy=3"));

    assertThat(sitemap.entries()).hasSize(100);
    assertThat(sitemap.entries().get(50)).isEqualTo(entry("http://a.test/p50?a=1&b=2&copy=3"));
    assertThat(sitemap.oddity()).isEmpty();
  }

  @ParameterizedTest(name = "P73: {0}")
  @ValueSource(
      strings = {
        "</loc></loc>",
        "</loc><b>",
        "<b",
        "<",
        "\u0001",
        "</loc><x y=\"",
        "</loc><x y='z>",
        "</loc></url></url>",
        "</loc><url>",
        "&",
        "&nonsense;",
        "]]>",
        "<![CDATA[x]]>"
      })
  void read_oneBrokenEntry_losesAtMostThatOne(String trouble) {
    List<String> urls = urls(urlset(100, 50, trouble));

    assertThat(urls).contains("http://a.test/p49", "http://a.test/p51", "http://a.test/p99");
    assertThat(urls).hasSizeBetween(99, 100);
  }

  @Test
  void read_entriesAtCapAndOneMore_isCutBeyondIt_P73() {
    SitemapReader two = new SitemapReader(new SitemapLimits(2, 1 << 20));

    Sitemap at = two.read(urlset(2, -1, "").getBytes(UTF_8), ContentType.NONE, FILE);
    Sitemap over = two.read(urlset(3, -1, "").getBytes(UTF_8), ContentType.NONE, FILE);

    assertThat(at.oddity()).isEmpty();
    assertThat(over.entries()).hasSize(2);
    assertThat(over.oddity()).isEqualTo("sitemap: more than 2 entries, the rest is not read");
  }

  @Test
  void read_hugeUrl_isLost() {
    assertThat(urls(urlset(3, 1, "x".repeat(2_000_000))))
        .containsExactly("http://a.test/p0", "http://a.test/p2");
  }

  @ParameterizedTest(name = "P63: {0}")
  @ValueSource(
      strings = {"<a>", "<a b='", "<!--", "<![CDATA[", "<!DOCTYPE [", "&", "<url>", "<url"})
  @Timeout(60)
  void read_endlessNonsense_isBounded(String piece) {
    assertThat(read(OPEN + piece.repeat(1_000_000)).entries()).isEmpty();
  }

  private Sitemap read(String text) {
    return read(text.getBytes(UTF_8));
  }

  private Sitemap read(byte[] body) {
    return reader.read(body, ContentType.NONE, FILE);
  }

  private List<String> urls(String text) {
    return read(text).entries().stream().map(entry -> entry.url().toString()).toList();
  }

  private static SitemapEntry entry(String url) {
    return new SitemapEntry(CrawlUrl.of(url), Optional.empty());
  }

  private static SitemapEntry entry(String url, String modified) {
    return new SitemapEntry(CrawlUrl.of(url), Optional.of(Instant.parse(modified)));
  }

  private static String urlset(int size, int strange, String addition) {
    StringBuilder text = new StringBuilder(DECLARATION).append(OPEN);
    for (int i = 0; i < size; i++) {
      text.append("<url><loc>http://a.test/p")
          .append(i)
          .append(i == strange ? addition : "")
          .append("</loc></url>\n");
    }
    return text.append("</urlset>").toString();
  }

  private static byte[] gzip(byte[] body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(body);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }
}
