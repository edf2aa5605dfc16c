package dev.fairfleet.url;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

class CrawlUrlPropertyTest {
  private static final CrawlUrl PAGE = CrawlUrl.of("http://a.test/d/e/page?q=1");

  @Property(tries = 3_000)
  void parse_canonicalForm_isItself(@ForAll("links") String link) {
    PAGE.resolve(link)
        .ifPresent(
            url -> {
              assertThat(CrawlUrl.parse(url.toString())).contains(url);
              assertThat(CrawlUrl.of(url.toString()).hostKey()).isEqualTo(url.hostKey());
            });
  }

  @Property(tries = 3_000)
  void resolve_canonicalForm_isItselfFromAnywhere(@ForAll("links") String link) {
    PAGE.resolve(link).ifPresent(url -> assertThat(PAGE.resolve(url.toString())).contains(url));
  }

  @Property(tries = 3_000)
  void toUri_ofAnyUrl_agreesWithIt(@ForAll("links") String link) {
    PAGE.resolve(link)
        .ifPresent(
            url -> {
              assertThat(url.toUri()).hasToString(url.toString());
              assertThat(url.toUri().getRawFragment()).isNull();
              assertThat(url.toUri().getRawUserInfo()).isNull();
              assertThat(url.toString())
                  .startsWith(url.scheme() + "://" + url.hostKey().host())
                  .endsWith(url.pathAndQuery())
                  .matches("[!-~]+");
            });
  }

  @Property(tries = 3_000)
  void parse_anyText_neverThrows(@ForAll String text) {
    assertThat(CrawlUrl.parse(text)).isNotNull();
    assertThat(PAGE.resolve(text)).isNotNull();
  }

  /** The quick way of a clean link must lead where the whole way leads. */
  @Property(tries = 3_000)
  void resolve_cleanLink_isWhatTheWholeWayMakesOfIt(@ForAll("cleanLinks") String link) {
    // A tab within changes nothing, but no text that holds one is clean.
    String detour = "\t" + link;

    assertThat(PAGE.resolve(link)).isEqualTo(PAGE.resolve(detour));
    assertThat(CrawlUrl.parse(link)).isEqualTo(CrawlUrl.parse(detour));
    assertThat(PAGE.resolve(link).map(CrawlUrl::hostKey))
        .isEqualTo(PAGE.resolve(detour).map(CrawlUrl::hostKey));
  }

  @Property
  void parse_spaceAround_changesNothing(@ForAll("links") String link) {
    Optional<CrawlUrl> plain = PAGE.resolve(link);

    assertThat(PAGE.resolve(" \n" + link + "\t ")).isEqualTo(plain);
  }

  /** Text made of what URLs are made of, so that most of it gets past the first check. */
  @Provide
  Arbitrary<String> links() {
    Arbitrary<String> pieces =
        Arbitraries.frequencyOf(
            Tuple.of(
                8,
                Arbitraries.of(
                    "/",
                    "..",
                    ".",
                    "//",
                    "?",
                    "&",
                    "=",
                    "#",
                    "%",
                    "%2",
                    "%2e",
                    "%2F",
                    "%C3%BC",
                    ":",
                    "@",
                    ";",
                    "\\",
                    "|",
                    " ",
                    "[",
                    "]",
                    "a",
                    "B",
                    "b.test",
                    "80",
                    "127.0.0.1",
                    "0x7f",
                    "::ffff:",
                    "~",
                    "'",
                    "^",
                    "%7e",
                    "ü",
                    "。",
                    "\uD800",
                    "xn--",
                    "_",
                    "+")),
            Tuple.of(1, Arbitraries.strings().ofMaxLength(3)));
    Arbitrary<String> starts =
        Arbitraries.of(
            "", "http://", "https://", "http://b.test", "http://[::1]", "/", "//", "http:");
    return starts.flatMap(
        start -> pieces.list().ofMaxSize(8).map(list -> start + String.join("", list)));
  }

  @Provide
  Arbitrary<String> cleanLinks() {
    Arbitrary<String> starts =
        Arbitraries.of("", "http://", "https://", "http://b.test", "https://b.test/x", "/");
    Arbitrary<String> pieces =
        Arbitraries.of(
            "a", "b.test", "1", ".", "..", "/", "/", "?", "&", "=", "#", ":", ";", "-", "_", "'",
            "0x1", "127", "~", "@", "xn--a");
    return starts.flatMap(
        start -> pieces.list().ofMaxSize(8).map(list -> start + String.join("", list)));
  }
}
