package dev.fairfleet.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.robots.RobotsAnswer.Unreachable;
import dev.fairfleet.url.CrawlUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;

/** Whatever stands in a robots.txt, it is read, and says the same each time. */
class RobotsFuzzTest {
  private static final Duration LONGEST_DELAY = Duration.ofHours(1);

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void parse_anyBytes_neverThrows(@ForAll @Size(max = 300) byte[] bytes) {
    checked(bytes, "/" + new String(bytes, StandardCharsets.ISO_8859_1));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void parse_nastyText_neverThrowsAndIsRepeatable(
      @ForAll("nasty") String text, @ForAll("nastyPaths") String path) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    RobotsAnswer answer = checked(bytes, path);

    assertThat(checked(bytes, path)).isEqualTo(answer);
    CrawlUrl.parse("http://a.test" + path).ifPresent(url -> checked(bytes, url.pathAndQuery()));
  }

  private static RobotsAnswer checked(byte[] bytes, String path) {
    RobotsRules rules = RobotsRules.parse(bytes, "ourbot", LONGEST_DELAY);
    RobotsAnswer answer = rules.check(path);
    assertThat(answer).isNotInstanceOf(Unreachable.class);
    assertThat(rules.crawlDelay()).isBetween(Duration.ZERO, LONGEST_DELAY);
    assertThat(rules.check("/robots.txt")).isInstanceOf(RobotsAnswer.Allowed.class);
    RobotsFile.Text cut = RobotsFile.Text.of(bytes, true);
    assertThat(cut.octets().length()).isLessThanOrEqualTo(2 * bytes.length);
    return answer;
  }

  @Provide
  Arbitrary<String> nasty() {
    return Arbitraries.frequencyOf(
            Tuple.of(
                8,
                Arbitraries.of(
                    "User-agent:",
                    "user-agent ",
                    "*",
                    "ourbot",
                    "Disallow:",
                    "Allow:",
                    "Crawl-delay:",
                    "Sitemap:",
                    " ",
                    "\n",
                    "\n",
                    "\r\n",
                    "\r",
                    "/",
                    "/a",
                    "*",
                    "$",
                    "%2F",
                    "%2",
                    "%",
                    "#",
                    ":",
                    "?",
                    "&",
                    "index.html",
                    "1e9",
                    "\t",
                    "\u0000",
                    "\uFEFF",
                    "\u0085",
                    "\u2028",
                    "\u00E9",
                    "\uD83D\uDE00",
                    "<br>")),
            Tuple.of(1, Arbitraries.strings().ofMaxLength(5)))
        .list()
        .ofMaxSize(60)
        .map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<String> nastyPaths() {
    return Arbitraries.of(
            "/", "a", "*", "$", "%2F", "%", "?", "#", "//", "..", "index.html", "\u00E9", "\uD83D")
        .list()
        .ofMaxSize(12)
        .map(pieces -> "/" + String.join("", pieces));
  }
}
