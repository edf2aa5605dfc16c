package dev.fairfleet.url;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Nothing that stands in a page may throw, and all that comes out must hold what it promises.
 *
 * <p>A million inputs: {@code mvn -pl shared test -Dtest='*FuzzTest' -Dfuzz.tries=1000000}.
 */
class CrawlUrlFuzzTest {
  private static final String[] FRAGMENTS = {
    "http:",
    "https:",
    "HTTP://",
    "ftp://",
    "data:,",
    "//",
    "/",
    "\\",
    "\\\\",
    "?",
    "#",
    "&",
    "=",
    ";",
    "@",
    ":",
    ":80",
    ":443",
    ":0",
    ":65536",
    ":99999999999",
    "%",
    "%2",
    "%2e",
    "%2E%2e",
    "%00",
    "%0d%0a",
    "%zz",
    "%ff",
    "%C3%BC",
    "%E3%80%82",
    "..",
    ".",
    "...",
    "/./",
    "/../",
    " ",
    "\t",
    "\n",
    "\r",
    "\u0000",
    "\u007f",
    "\u00a0",
    "\u00ad",
    "\u200d",
    "\u202e",
    "\u3002",
    "\uff0e",
    "\ufeff",
    "\ufffd",
    "\uffff",
    "\ud800",
    "\udc00",
    "\ud83d\ude00",
    "[",
    "]",
    "[::1]",
    "[::ffff:1.2.3.4]",
    "[1::2::3]",
    "[fe80::1%25eth0]",
    "127.0.0.1",
    "0x7f",
    "0177",
    "1.2.3",
    "999",
    "4294967296",
    "18446744073709551616",
    "xn--",
    "xn--a",
    "xn--zca",
    "xn--bcher-kva",
    "b\u00fccher",
    "\u00df",
    "\u0130",
    "\u0645",
    "a.test",
    "b.test.",
    "-",
    "_",
    "~",
    "'",
    "\"",
    "<",
    ">",
    "`",
    "{",
    "|",
    "}",
    "^",
    "+",
    "*",
    "$",
    "a",
    "Z",
    "0",
    "jsessionid=1",
    "utm_source=x",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
  };

  private static final IgnoredParameters IGNORED = IgnoredParameters.DEFAULT;

  @Property
  void resolve_anything_isCanonicalOrNothing(
      @ForAll("nasty") String base, @ForAll("nasty") String reference) {
    CrawlUrl page = CrawlUrl.parse("http://" + base).orElse(CrawlUrl.of("https://a.test/d/e?q"));
    check(CrawlUrl.parse(reference));
    check(page.resolve(reference));
  }

  private static void check(Optional<CrawlUrl> found) {
    if (found.isEmpty()) {
      return;
    }
    CrawlUrl url = found.get();
    String text = url.toString();
    CrawlUrl again = CrawlUrl.of(text);
    assertThat(again).isEqualTo(url);
    assertThat(again.hostKey()).isEqualTo(url.hostKey());
    assertThat(again.hash()).isEqualTo(url.hash());
    assertThat(text).matches("https?://[!-~]+").hasSizeLessThanOrEqualTo(CrawlUrl.MAX_LENGTH);
    assertThat(text).doesNotContain("#").doesNotContain("\\");
    assertThat(url.toUri()).hasToString(text);
    CrawlUrl without = IGNORED.apply(url);
    assertThat(IGNORED.apply(without)).isEqualTo(without);
    assertThat(without.hostKey()).isEqualTo(url.hostKey());
  }

  @Provide
  Arbitrary<String> nasty() {
    Arbitrary<String> piece =
        Arbitraries.frequencyOf(
            Tuple.of(12, Arbitraries.of(FRAGMENTS)),
            Tuple.of(1, Arbitraries.strings().ofMaxLength(6)));
    return piece.list().ofMaxSize(12).map(pieces -> String.join("", pieces));
  }
}
