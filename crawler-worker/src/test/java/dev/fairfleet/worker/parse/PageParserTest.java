package dev.fairfleet.worker.parse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.frontier.Validators;
import dev.fairfleet.record.CrawlRecord;
import dev.fairfleet.site.CrawlId;
import dev.fairfleet.site.ExtractionRules;
import dev.fairfleet.site.LinkPolicy;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageParserTest {
  private static final CrawlUrl URL = CrawlUrl.of("http://a.test/d/e/page?q=1");
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final CrawlId CRAWL = new CrawlId("20261130T120000.000Z");
  private static final Site SITE = site(ExtractionRules.DEFAULT);

  private final PageParser parser = new PageParser(ParseLimits.DEFAULT, "OurBot", () -> NOW);

  @Test
  void parse_links_areResolvedOnceInOrder() {
    assertThat(
            links(
                """
                <a href=x>1</a> <area href="/y"> <a href=' http://b.test/ '>2</a> <a href=./x>3</a>
                <a>no</a> <a name=z>no</a> <a href=mailto:x@a.test>no</a> <a href="javascript:x()">no
                </a> <link href=/style.css> <img src=/i.jpg> <A HREF="../z">4</A>
                """))
        .containsExactly(
            "http://a.test/d/e/x", "http://a.test/y", "http://b.test/", "http://a.test/d/z");
  }

  @Test
  void parse_base_appliesToAllLinks_P21() {
    assertThat(links("<base href='/'><a href=d/z>x</a>")).containsExactly("http://a.test/d/z");
    assertThat(links("<a href=d/z>x</a><base href='http://b.test/'><base href='http://c.test/'>"))
        .containsExactly("http://b.test/d/z");
    assertThat(links("<base href='javascript:x'><a href=d/z>x</a>"))
        .containsExactly("http://a.test/d/e/d/z");
  }

  @Test
  void parse_frames_areLinks() {
    assertThat(
            links("<frameset><frame src=overview.html><frame src='/all.html'><frame></frameset>"))
        .containsExactly("http://a.test/d/e/overview.html", "http://a.test/all.html");
    assertThat(links("<iframe src=part.html></iframe><iframe></iframe>"))
        .containsExactly("http://a.test/d/e/part.html");
  }

  @Test
  void parse_badLinks_doNotHarmOthers_P25_P27() {
    assertThat(links("<a href='/100%'>1</a><a href='http://[x/'>2</a><a href='/s?q=a||1'>3</a>"))
        .containsExactly("http://a.test/100%25", "http://a.test/s?q=a%7C%7C1");
  }

  @Test
  void parse_linksToItself_areDropped_P31() {
    assertThat(
            links(
                "<a href='#'>1</a><a href='#a'>2</a><a href=''>3</a><a href='page?q=1#x'>4</a>"
                    + "<a href='?page=2#c'>5</a>"))
        .containsExactly("http://a.test/d/e/page?page=2");
  }

  @Test
  void parse_relNofollow_isNotFollowed() {
    assertThat(
            links(
                "<a rel='external NoFollow' href=/1>1</a><a rel=nofollowing href=/2>2</a>"
                    + "<a href=/3 rel=nofollow>3</a><a href=/3>3</a>"))
        .containsExactly("http://a.test/2", "http://a.test/3");
  }

  @ParameterizedTest(name = "P64: {0}")
  @ValueSource(
      strings = {
        "<META NAME=\"ROBOTS\" CONTENT=\"NONE\">",
        "<meta name=robots content='noindex, nofollow'>",
        "<meta name=robots content='index,follow'><meta name=robots content=none>",
        "<meta name=\"robots\"content=\"nofollow noindex\">"
      })
  void parse_metaRobots_isObeyed(String meta) {
    ParsedPage page = parse(meta + "<title>T</title><a href=/x>x</a>");

    assertThat(page.links()).isEmpty();
    assertThat(page.record()).isEmpty();
    assertThat(page.oddity()).isEqualTo("meta robots: noindex nofollow");
  }

  @Test
  void parse_metaRobotsOfOneKind_leavesTheOther_P64() {
    ParsedPage noindex = parse("<meta name=robots content=noindex><a href=/x>x</a>");
    ParsedPage nofollow = parse("<meta name=robots content=nofollow><a href=/x>x</a>");

    assertThat(noindex.links()).hasSize(1);
    assertThat(noindex.record()).isEmpty();
    assertThat(nofollow.links()).isEmpty();
    assertThat(nofollow.record()).isPresent();
  }

  @Test
  void parse_metaRobotsInComment_isIgnored_P64() {
    ParsedPage page = parse("<!-- <meta name=robots content=none> --><a href=/x>x</a>");

    assertThat(page.links()).hasSize(1);
    assertThat(page.oddity()).isEmpty();
  }

  @Test
  void parse_linksAtCapAndOneMore_cutsBeyondIt_P63() {
    PageParser small = new PageParser(new ParseLimits(2, 100, 100), "ourbot", () -> NOW);
    String two = "<a href=/1>1</a><a href=/2>2</a><a href=/1>again</a><a href=#>self</a>";

    assertThat(small.parse(page(two), SITE, CRAWL).linksCut()).isFalse();
    ParsedPage cut = small.parse(page(two + "<a href=/3>3</a>"), SITE, CRAWL);
    assertThat(cut.links()).hasSize(2);
    assertThat(cut.linksCut()).isTrue();
    assertThat(cut.oddity()).isEqualTo("links: more than 2, the rest is not followed");
  }

  @ParameterizedTest(name = "P63: {0}")
  @ValueSource(strings = {"<span>", "<i>", "<div>", "<b><p>", "<table><tr><td>", "<svg>", "<a>"})
  @Timeout(60)
  void parse_deepNesting_isBounded(String tag) {
    ParsedPage page = parse("<title>T</title>" + tag.repeat(100_000) + "x<a href=/x>x</a>");

    assertThat(page.links()).containsExactly(CrawlUrl.of("http://a.test/x"));
  }

  @Test
  @Timeout(60)
  void parse_hugeParts_areBounded_P63() {
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 200_000; i++) {
      many.append("<a href=/").append(i).append(">x</a>");
    }

    assertThat(parse(many.toString()).links()).hasSize(ParseLimits.DEFAULT.links());
    assertThat(links("<a title='" + "x".repeat(5_000_000) + "' href=/x>x</a>")).hasSize(1);
    assertThat(links("<a href='/" + "x".repeat(5_000_000) + "'>x</a><a href=/x>x</a>")).hasSize(1);
    assertThat(links("<a href=/x>x</a><!-- " + "x".repeat(10_000_000))).hasSize(1);
  }

  @Test
  void parse_relOfOtherKinds_isSkippedIfTheSiteSaysSo() {
    String html =
        "<a rel=ugc href=/1>1</a><a rel='x SPONSORED' href=/2>2</a><a rel=nofollow href=/3>3</a>";
    Site strict = site(new LinkPolicy(Set.of("ugc", "sponsored")));

    assertThat(links(html)).containsExactly("http://a.test/1", "http://a.test/2");
    assertThat(parser.parse(page(html), strict, CRAWL).links())
        .containsExactly(CrawlUrl.of("http://a.test/3"));
  }

  @Test
  void parse_linkElements_onlyFeedsAndSeriesAreFollowed() {
    assertThat(
            links(
                """
                <link rel=alternate hreflang=de href=/de><link rel=stylesheet href=/s.css>
                <link rel="ALTERNATE" type="application/rss+xml" href=/feed>
                <link rel=alternate type=application/atom+xml href=/atom>
                <link rel=alternate type=application/json href=/json>
                <link rel=next href=/2><link rel=prev href=/0><link rel="next nofollow" href=/no>
                """))
        .containsExactly(
            "http://a.test/feed", "http://a.test/atom", "http://a.test/2", "http://a.test/0");
  }

  @Test
  void parse_baseWithoutHttp_isIgnoredAndSoAreLaterOnes_P21() {
    assertThat(links("<base target=_top><base href=/b/><a href=x>x</a>"))
        .containsExactly("http://a.test/b/x");
    assertThat(links("<base href='data:x'><base href=/b/><a href=x>x</a>"))
        .containsExactly("http://a.test/d/e/x");
    assertThat(links("<base href='../'><a href=x>x</a>")).containsExactly("http://a.test/d/x");
  }

  @Test
  void parse_xRobotsTag_joinsWithMeta_P65() {
    ParsedPage page =
        parse(
            "<meta name=robots content=nofollow><a href=/x>x</a>",
            headers(List.of("ourbot: noindex", "otherbot: none"), List.of(), ""));

    assertThat(page.links()).isEmpty();
    assertThat(page.record()).isEmpty();
    assertThat(page.oddity()).isEqualTo("X-Robots-Tag: noindex; meta robots: nofollow");
  }

  @Test
  void parse_agentlessLineBesideANamedOne_counts_P65() {
    ParsedPage page =
        parse("<a href=/x>x</a>", headers(List.of("nofollow", "ourbot: noindex"), List.of(), ""));

    assertThat(page.oddity()).isEqualTo("X-Robots-Tag: noindex nofollow");
    assertThat(parse("<a href=/x>", headers(List.of("otherbot: none"), List.of(), "")).oddity())
        .isEmpty();
  }

  @Test
  void parse_metaThatNamesUs_isObeyed_P64() {
    assertThat(parse("<meta name=ourBOT content=noindex>").record()).isEmpty();
    assertThat(parse("<meta name=otherbot content=noindex>").record()).isPresent();
  }

  @Test
  void parse_canonical_isOneOrNone() {
    assertThat(parse("<link rel=canonical href=x>").canonical())
        .contains(CrawlUrl.of("http://a.test/d/e/x"));
    assertThat(parse("<base href=/b/><link rel='CANONICAL' href=x><link rel=canonical href=/b/x>"))
        .returns(Optional.of(CrawlUrl.of("http://a.test/b/x")), ParsedPage::canonical);
    assertThat(parse("<p>x", headers(List.of(), List.of("<x>; rel=canonical"), "")).canonical())
        .contains(CrawlUrl.of("http://a.test/d/e/x"));

    assertThat(parse("<p>x<link rel=canonical href=x>").canonical()).isEmpty();
    assertThat(parse("<link rel=canonical href=''>").canonical()).isEmpty();
    ParsedPage two =
        parse(
            "<link rel=canonical href=/x>",
            headers(List.of(), List.of("</y>; rel=\"canonical\""), ""));
    assertThat(two.canonical()).isEmpty();
    assertThat(two.oddity()).isEqualTo("canonical: 2 that differ");
    ParsedPage mail = parse("<link rel=canonical href='mailto:x@a.test'>");
    assertThat(mail.canonical()).isEmpty();
    assertThat(mail.oddity()).isEqualTo("canonical: no http or https URL");
  }

  @Test
  void parse_refreshAtOnce_isARedirectAndALaterOneALink() {
    ParsedPage atOnce = parse("<META HTTP-EQUIV=Refresh CONTENT='1; URL=/x'>");
    ParsedPage later = parse("<meta http-equiv=refresh content='2; url=/x'>");
    ParsedPage header = parse("<p>", headers(List.of(), List.of(), "0;url=y"));

    assertThat(atOnce.refresh()).contains(CrawlUrl.of("http://a.test/x"));
    assertThat(later.refresh()).isEmpty();
    assertThat(later.links()).containsExactly(CrawlUrl.of("http://a.test/x"));
    assertThat(header.refresh()).contains(CrawlUrl.of("http://a.test/d/e/y"));
  }

  @Test
  void parse_refreshThatLeadsNowhere_isNone() {
    assertThat(parse("<meta http-equiv=refresh content=0>").refresh()).isEmpty();
    assertThat(parse("<meta http-equiv=refresh content='0;url=page?q=1#x'>").refresh()).isEmpty();
    assertThat(parse("<meta http-equiv=refresh content='0;url=javascript:x'>").refresh()).isEmpty();
    ParsedPage scriptless =
        parse("<noscript><meta http-equiv=refresh content='0;url=/nojs'></noscript>");
    assertThat(scriptless.refresh()).isEmpty();
    assertThat(scriptless.links()).containsExactly(CrawlUrl.of("http://a.test/nojs"));
  }

  @Test
  void parse_nofollow_holdsForLinksButNotForARedirect() {
    ParsedPage page =
        parse(
            "<meta name=robots content=nofollow><meta http-equiv=refresh content='0;url=/x'>",
            headers(List.of(), List.of("</next>; rel=next"), "9;url=/slow"));

    assertThat(page.refresh()).contains(CrawlUrl.of("http://a.test/x"));
    assertThat(page.links()).isEmpty();
  }

  @Test
  void parse_cutBody_isRemembered() {
    Fetched cut =
        new Fetched(
            200,
            URL,
            new Body("<a href=/x>".getBytes(UTF_8)),
            new ContentType("text/html", ""),
            PageHeaders.NONE,
            Validators.NONE,
            true,
            "body: cut at 2 MiB",
            Duration.ZERO);

    assertThat(parser.parse(cut, SITE, CRAWL).oddity()).isEqualTo("body: cut at 2 MiB");
  }

  @Test
  void parse_xhtml_emptyElementsEnd_P61() {
    ParsedPage page =
        xml(
            "application/xhtml+xml",
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title/>"
                + "<script src='/s.js'/><link rel='canonical' href='/c'/></head>"
                + "<body><textarea/><a href='/x?a=1&amp;b=2'/></body></html>");

    assertThat(page.links()).containsExactly(CrawlUrl.of("http://a.test/x?a=1&b=2"));
    assertThat(page.canonical()).contains(CrawlUrl.of("http://a.test/c"));
  }

  @ParameterizedTest(name = "P61: {0}")
  @ValueSource(strings = {"text/xml", "application/xml", "application/xhtml+xml"})
  void parse_xhtmlServedAsXml_isAPage(String mime) {
    ParsedPage page =
        xml(
            mime,
            "<?xml version='1.0' encoding='utf-8'?><!DOCTYPE html><!-- <rss> -->"
                + "<html><title>T</title><a href='/x'/></html>");

    assertThat(page.links()).containsExactly(CrawlUrl.of("http://a.test/x"));
    assertThat(page.record()).isPresent();
  }

  @Test
  void parse_feed_holdsLinksAndNoRecord() {
    ParsedPage page =
        xml(
            "application/rss+xml",
            "<rss><channel><link>/home</link><item><link>/1</link></item></channel></rss>");

    assertThat(page.links()).containsExactly(CrawlUrl.of("http://a.test/1"));
    assertThat(page.record()).isEmpty();
    assertThat(xml("text/xml", "<svg/>").oddity()).isEqualTo("sitemap: <svg> is none");
  }

  @ParameterizedTest(name = "P63: {0}")
  @ValueSource(strings = {"<a>", "<p x='", "<b c=d "})
  @Timeout(60)
  void parse_deepXhtml_isBounded(String tag) {
    ParsedPage page = xml("application/xhtml+xml", "<html>" + tag.repeat(100_000));

    assertThat(page.links()).isEmpty();
  }

  @Test
  void parse_stackTooSmall_isAnOddity_P63() throws InterruptedException {
    // As deep as is allowed here, on a stack that holds a fraction of it.
    PageParser deep = new PageParser(new ParseLimits(10, 100, 1_000_000), "ourbot", () -> NOW);
    AtomicReference<ParsedPage> parsed = new AtomicReference<>();
    String html = "<title>x</title>" + "<div>".repeat(20_000);
    Thread thread =
        new Thread(
            null, () -> parsed.set(deep.parse(page(html), SITE, CRAWL)), "small-stack", 200_000);
    thread.start();
    thread.join();

    assertThat(parsed.get()).isNotNull();
  }

  @Test
  void parse_noRules_recordsTitleAndDescription() {
    CrawlRecord record =
        parse("<title> A\n title</title><meta name=Description content=' About '>")
            .record()
            .orElseThrow();

    assertThat(record.fields())
        .containsExactly(Map.entry("description", "About"), Map.entry("title", "A title"));
    assertThat(record.naturalKey()).isEqualTo(URL.toString());
    assertThat(record.site()).isEqualTo(SITE.id());
    assertThat(record.crawl()).isEqualTo(CRAWL);
    assertThat(record.url()).isEqualTo(URL);
  }

  @Test
  void parse_naturalKey_namesTheThing() {
    Site shop =
        site(
            new ExtractionRules(
                Map.of("sku", "#sku", "seen", "#seen"), Optional.of("sku"), Set.of("seen")));

    CrawlRecord today = record(shop, "<p id=sku>7<p id=seen>today").orElseThrow();
    CrawlRecord later = record(shop, "<p id=sku> 7 <p id=seen>later").orElseThrow();

    assertThat(today.naturalKey()).isEqualTo("7");
    assertThat(today.contentHash()).isEqualTo(later.contentHash());
    assertThat(record(shop, "<p id=seen>today")).isEmpty();
    assertThat(record(shop, "<p id=sku> <p id=seen>today")).isEmpty();
  }

  @Test
  void parse_xhtml_isReadAndPlainTextIsNot_P61() {
    byte[] body =
        "<html xmlns='http://www.w3.org/1999/xhtml'><a href='/x'/></html>".getBytes(UTF_8);

    assertThat(parser.parse(page(body, "application/xhtml+xml"), SITE, CRAWL).links()).hasSize(1);
    assertThat(parser.parse(page(body, "text/plain"), SITE, CRAWL)).isEqualTo(ParsedPage.empty(""));
  }

  private ParsedPage parse(String html) {
    return parser.parse(page(html), SITE, CRAWL);
  }

  private ParsedPage parse(String html, PageHeaders headers) {
    return parser.parse(
        new Fetched(
            200,
            URL,
            new Body(html.getBytes(UTF_8)),
            new ContentType("text/html", "utf-8"),
            headers,
            Validators.NONE,
            false,
            "",
            Duration.ZERO),
        SITE,
        CRAWL);
  }

  private static PageHeaders headers(List<String> robots, List<String> links, String refresh) {
    return new PageHeaders(robots, links, refresh);
  }

  private ParsedPage xml(String mime, String text) {
    return parser.parse(page(text.getBytes(UTF_8), mime), SITE, CRAWL);
  }

  private List<String> links(String html) {
    return parse(html).links().stream().map(CrawlUrl::toString).toList();
  }

  private Optional<CrawlRecord> record(Site site, String html) {
    return parser.parse(page(html), site, CRAWL).record();
  }

  private static Fetched page(String html) {
    return page(html.getBytes(UTF_8), "text/html");
  }

  private static Fetched page(byte[] body, String mime) {
    return new Fetched(
        200,
        URL,
        new Body(body),
        new ContentType(mime, "utf-8"),
        Validators.NONE,
        false,
        Duration.ZERO);
  }

  private static Site site(LinkPolicy links) {
    return new Site(
        SITE.id(),
        SITE.roots(),
        SITE.scope(),
        SITE.limits(),
        SITE.extraction(),
        links,
        SITE.sitemaps(),
        SITE.recrawl());
  }

  private static Site site(ExtractionRules rules) {
    return new Site(
        new SiteId("a"),
        List.of(CrawlUrl.of("http://a.test/")),
        new Scope(Set.of(new HostKey("a.test", 80))),
        SiteLimits.POLITE,
        rules);
  }
}
