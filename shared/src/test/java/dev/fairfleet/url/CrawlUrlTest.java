package dev.fairfleet.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CrawlUrlTest {
  private static final CrawlUrl PAGE = CrawlUrl.of("http://a.test/d/e/page?q=1");

  @ParameterizedTest(name = "P29: {0}")
  @ValueSource(
      strings = {
        "http://a.test/x",
        "HTTP://A.TEST/x",
        "http://a.test./x",
        "http://a%2Etest/x",
        "http://a.test:80/x",
        "http://a.test:/x",
        "http://a.test:0080/x",
        "http://user:secret@a.test/x",
        "http://a.test/x#top",
        "http://a.test/./y/../x",
        "http://a.test/%78",
        "http://a.test\\x",
        "\u0000 http://a.\ttest/\nx \u001f"
      })
  void parse_spellingOfOneUrl_isEqual(String spelling) {
    assertThat(CrawlUrl.parse(spelling)).contains(CrawlUrl.of("http://a.test/x"));
    assertThat(CrawlUrl.of(spelling).hostKey()).isEqualTo(new HostKey("a.test", 80));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://bücher.test/", "http://b%C3%BCcher.test", "http://BÜCHER.test."})
  void parse_internationalName_isPunycode(String spelling) {
    assertThat(CrawlUrl.of(spelling)).hasToString("http://xn--bcher-kva.test/");
  }

  @Test
  void parse_httpsDefaultPort_isNotHttp() {
    assertThat(CrawlUrl.of("https://a.test:443/")).hasToString("https://a.test/");
    assertThat(CrawlUrl.of("http://a.test:443/")).hasToString("http://a.test:443/");
  }

  @ParameterizedTest(name = "<{0}>")
  @ValueSource(
      strings = {
        "",
        " ",
        "a.test/x",
        "/x",
        "//a.test/x",
        "mailto:x@a.test",
        "javascript:void(0)",
        "ftp://a.test/",
        "file:///etc/passwd",
        "http:",
        "http://",
        "http://:80/",
        "http://./",
        "http://a..test/",
        "http://a.test../",
        "http://a test/",
        "http://a%2Fb.test/",
        "http://a%40b.test/",
        "http://a%zz.test/",
        "http://a.test:0/",
        "http://a.test:65536/",
        "http://a.test:99999999999/",
        "http://a.test:-1/",
        "http://a.test:x/",
        "http://1.2.3.256/",
        "http://1.2.3.4.5/",
        "http://0x100000000/",
        "http://a.1x.0x/",
        "http://a'b.test/",
        "http://[::1/",
        "http://[::g]/",
        "http://[fe80::1%25eth0]/"
      })
  void parse_noWebUrl_isNothing(String text) {
    assertThat(CrawlUrl.parse(text)).isEmpty();
  }

  @Test
  void parse_underscoreInHost_isAccepted() {
    CrawlUrl url = CrawlUrl.of("http://my_shop.a.test:8080/x");

    assertThat(url.hostKey()).isEqualTo(new HostKey("my_shop.a.test", 8080));
    assertThat(url.toUri()).hasToString("http://my_shop.a.test:8080/x");
  }

  @Test
  void parse_longestLabelAndOneMore_decidesAt63() {
    assertThat(CrawlUrl.parse("http://" + "a".repeat(63) + ".test/")).isPresent();
    assertThat(CrawlUrl.parse("http://" + "a".repeat(64) + ".test/")).isEmpty();
  }

  /** P83, P94: so no URL makes a message or an item too large; keys are hashes. */
  @Test
  void parse_longestUrlAndOneMore_decidesAtMaxLength() {
    String longest = "http://a.test/" + "x".repeat(CrawlUrl.MAX_LENGTH - 14);

    assertThat(CrawlUrl.of(longest).toString()).hasSize(CrawlUrl.MAX_LENGTH);
    assertThat(CrawlUrl.of(longest).hash().value()).hasSize(22);
    assertThat(CrawlUrl.parse(longest + "x")).isEmpty();
    assertThat(CrawlUrl.parse("http://a.test/" + "x".repeat(10_000_000))).isEmpty();
  }

  @Test
  void of_noUrl_saysWhatIsAllowed() {
    assertThatThrownBy(() -> CrawlUrl.of("nonsense"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("\"nonsense\" is no absolute http or https URL of at most 4096 characters");
  }

  @Test
  void resolve_spaceBeforeAddress_isDropped_P19() {
    assertThat(PAGE.resolve(" http://b.test/")).contains(CrawlUrl.of("http://b.test/"));
  }

  @Test
  void resolve_onRootBase_doublesNothing_P21() {
    CrawlUrl base = PAGE.resolve("/").orElseThrow();

    assertThat(base.resolve("d/z")).contains(CrawlUrl.of("http://a.test/d/z"));
  }

  @ParameterizedTest(name = "P23: {0}")
  @CsvSource({
    "../../../f/i.jpg, http://a.test/f/i.jpg",
    "../../../../..x, http://a.test/..x",
    "%2e%2E/y, http://a.test/d/y",
    "./, http://a.test/d/e/",
    "., http://a.test/d/e/",
    ".., http://a.test/d/",
    "/a/b/../../../.., http://a.test/",
    "/a//b/./c, http://a.test/a//b/c",
    "/..//../x, http://a.test/x"
  })
  void resolve_dotSegments_areResolved(String reference, String expected) {
    assertThat(PAGE.resolve(reference).orElseThrow()).hasToString(expected);
  }

  @ParameterizedTest(name = "P25: {0}")
  @CsvSource({
    "/90%+of+x, /90%25+of+x",
    "/100%, /100%25",
    "/%2, /%252",
    "/%zz, /%25zz",
    "/%e4%f6, /%E4%F6",
    "/%2%35, /%2525"
  })
  void resolve_lonePercent_isEncoded(String reference, String expected) {
    assertThat(PAGE.resolve(reference).orElseThrow()).hasToString("http://a.test" + expected);
  }

  @ParameterizedTest(name = "P27: {0}")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "/s?q=a||1|2, /s?q=a%7C%7C1%7C2",
        "/s?m=two words, /s?m=two%20words",
        "/s?x=[1]{2}^\", /s?x=%5B1%5D%7B2%7D%5E%22",
        "/s?x=a\\b, /s?x=a%5Cb",
        "/two words/<b>, /two%20words/%3Cb%3E",
        "/ü?ü, /%C3%BC?%C3%BC"
      })
  void resolve_oddCharacters_areEncoded(String reference, String expected) {
    CrawlUrl url = PAGE.resolve(reference).orElseThrow();

    assertThat(url).hasToString("http://a.test" + expected);
    assertThat(url.toUri()).hasToString("http://a.test" + expected);
  }

  @Test
  void resolve_loneSurrogate_isReplaced() {
    assertThat(PAGE.resolve("/\uD800x").orElseThrow()).hasToString("http://a.test/%EF%BF%BDx");
    assertThat(PAGE.resolve("/\uD83D\uDE00").orElseThrow())
        .hasToString("http://a.test/%F0%9F%98%80");
  }

  @ParameterizedTest(name = "P31: {0}")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "#, http://a.test/d/e/page?q=1",
        "#a, http://a.test/d/e/page?q=1",
        "``, http://a.test/d/e/page?q=1",
        "/p#b, http://a.test/p",
        "/p?page=2#c, http://a.test/p?page=2",
        "?page=2#content, http://a.test/d/e/page?page=2",
        "#a?b, http://a.test/d/e/page?q=1"
      })
  void resolve_fragment_isDroppedAndQueryKept(String reference, String expected) {
    assertThat(PAGE.resolve(reference).orElseThrow()).hasToString(expected);
  }

  @Test
  void resolve_linkWithoutProtocol_isAPath_P34() {
    assertThat(PAGE.resolve("www.b.test/x").orElseThrow())
        .hasToString("http://a.test/d/e/www.b.test/x");
  }

  @Test
  void resolve_twoSlashes_areAHostOrStay_P38() {
    assertThat(PAGE.resolve("//barred/x").orElseThrow()).hasToString("http://barred/x");
    assertThat(CrawlUrl.of("http://a.test//barred/x")).hasToString("http://a.test//barred/x");
    assertThat(PAGE.resolve("/./barred/x").orElseThrow()).hasToString("http://a.test/barred/x");
    assertThat(PAGE.resolve("/y/../barred/x").orElseThrow()).hasToString("http://a.test/barred/x");
  }

  @ParameterizedTest(name = "P39: {0}")
  @CsvSource({
    "http://[::1]:8080/, http://[::1]:8080/",
    "http://[0:0::0:1]:8080, http://[::1]:8080/",
    "http://[::FFFF:127.0.0.1]/, http://127.0.0.1/",
    "http://[::ffff:7f00:1]/, http://127.0.0.1/",
    "http://[::ffff:0:0]/, http://0.0.0.0/",
    "http://[::ffff:1:2:3]/, http://[::ffff:1:2:3]/",
    "http://[2001:DB8::1]/x?b&a, http://[2001:db8::1]/x?b&a"
  })
  void parse_ipv6Literal_isAccepted(String text, String expected) {
    assertThat(CrawlUrl.of(text)).hasToString(expected);
    assertThat(CrawlUrl.parse(expected)).contains(CrawlUrl.of(text));
  }

  @ParameterizedTest(name = "<{0}>")
  @CsvSource({
    "http:x, http://a.test/d/e/x",
    "HTTP:/x, http://a.test/x",
    "https://b.test/x, https://b.test/x",
    "x:y/z, ",
    "./x:y/z, http://a.test/d/e/x:y/z",
    "https:x, https://x/",
    "http:///b.test/x, http://b.test/x",
    "\\\\b.test\\x, http://b.test/x"
  })
  void resolve_schemes_areTold(String reference, String expected) {
    assertThat(PAGE.resolve(reference).map(CrawlUrl::toString).orElse(null)).isEqualTo(expected);
  }

  /** P42: what some resolvers take for an address is one, so that the address guard sees it. */
  @ParameterizedTest(name = "P42: {0}")
  @CsvSource({
    "http://2130706433/, 127.0.0.1",
    "http://0x7f.1/, 127.0.0.1",
    "http://0X7F000001/, 127.0.0.1",
    "http://127.1/, 127.0.0.1",
    "http://0177.0.0.1/, 127.0.0.1",
    "http://017700000001/, 127.0.0.1",
    "http://127.0.0.1./, 127.0.0.1",
    "http://%31%32%37.0.0.1/, 127.0.0.1",
    "http://\uff11\uff12\uff17.0.0.1/, 127.0.0.1",
    "http://127\u30020\u30020\u30021/, 127.0.0.1",
    "http://[::ffff:10.0.0.1]/, 10.0.0.1",
    "http://[::FFFF:a00:1]/, 10.0.0.1",
    "http://[0:0:0:0:0:ffff:0a00:0001]/, 10.0.0.1",
    "http://0/, 0.0.0.0",
    "http://0x/, 0.0.0.0",
    "http://100.64.1/, 100.64.0.1",
    "http://0xa9fea9fe/, 169.254.169.254"
  })
  void parse_spellingOfAnAddress_isTheAddress(String text, String host) {
    assertThat(CrawlUrl.of(text).hostKey()).isEqualTo(new HostKey(host, 80));
    assertThat(CrawlUrl.of(text)).hasToString("http://" + host + "/");
  }

  @ParameterizedTest(name = "P44: {0}")
  @CsvSource({
    "/two words.pdf, http://a.test/two%20words.pdf",
    "/two+words.pdf, http://a.test/two+words.pdf",
    "x, http://a.test/d/e/x",
    "?q=1, http://a.test/d/e/page?q=1",
    "//b.test/, http://b.test/",
    "'', http://a.test/d/e/page?q=1"
  })
  void resolve_locationOfARedirect_isResolvedAsALink(String location, String expected) {
    assertThat(PAGE.resolve(location).orElseThrow()).hasToString(expected);
  }

  @ParameterizedTest(name = "<{0}>")
  @CsvSource({
    "/p?b=2&a=1, /p?b=2&a=1",
    "/p?&&a&, /p?&&a&",
    "/p?, /p",
    "/p?#x, /p",
    "/p?&, /p?&",
    "/p??, /p??",
    "/p?a=, /p?a=",
    "/p?a=x=y&a%20b, /p?a=x=y&a%20b"
  })
  void resolve_query_keepsItsOrder(String reference, String expected) {
    assertThat(PAGE.resolve(reference).orElseThrow().pathAndQuery()).isEqualTo(expected);
  }

  @Test
  void pathAndQuery_ofRoot_isASlash() {
    assertThat(CrawlUrl.of("https://a.test").pathAndQuery()).isEqualTo("/");
    assertThat(CrawlUrl.of("https://a.test").scheme()).isEqualTo("https");
  }

  @Test
  void hash_ofEqualUrls_isEqual() {
    assertThat(CrawlUrl.of("http://a.test").hash()).isEqualTo(CrawlUrl.of("http://A.test/").hash());
    assertThat(CrawlUrl.of("http://a.test/x").hash())
        .isNotEqualTo(CrawlUrl.of("https://a.test/x").hash());
  }
}
