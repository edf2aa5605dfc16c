package dev.fairfleet.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.robots.RobotsAnswer.Allowed;
import dev.fairfleet.robots.RobotsAnswer.Barred;
import dev.fairfleet.robots.RobotsAnswer.Unreachable;
import dev.fairfleet.url.CrawlUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RobotsRulesTest {
  private static final Allowed ALLOWED = new Allowed();
  private static final Duration LONGEST_DELAY = Duration.ofHours(1);

  @Test
  void barred_anything_isBarredForThatReasonExceptTheFileItself() {
    assertThat(check(RobotsRules.barred("why"), "/x")).isEqualTo(new Barred("why"));
    assertThat(check(RobotsRules.barred("why"), "/robots.txt")).isEqualTo(ALLOWED);
  }

  @Test
  void unreachable_anything_waits() {
    Unreachable answer = new Unreachable("why", Duration.ofSeconds(45));

    assertThat(check(RobotsRules.unreachable("why", Duration.ofSeconds(45)), "/x"))
        .isEqualTo(answer);
    assertThat(check(RobotsRules.unreachable("why", Duration.ofSeconds(45)), "/robots.txt"))
        .isEqualTo(answer);
  }

  @Test
  void check_longestRule_decides_p05() {
    RobotsRules rules =
        parse(
            """
            User-agent: *
            Disallow: /w/
            Allow: /w/ok.html
            Disallow: /tie
            Allow: /tie
            """);

    assertThat(check(rules, "/w/ok.html"))
        .isEqualTo(new Allowed(Optional.of("Allow: /w/ok.html (line 3)")));
    assertThat(check(rules, "/w/no.html")).isEqualTo(new Barred("Disallow: /w/ (line 2)"));
    assertThat(check(rules, "/tie/x")).isEqualTo(new Allowed(Optional.of("Allow: /tie (line 5)")));
    assertThat(check(rules, "/other")).isEqualTo(ALLOWED);
  }

  @Test
  void check_severalOfOneLength_namesTheFirst() {
    RobotsRules rules = parse("User-agent: *\nDisallow: /ab\nDisallow: /*b\nDisallow: /ab");

    assertThat(check(rules, "/ab")).isEqualTo(new Barred("Disallow: /ab (line 2)"));
  }

  @Test
  void check_rule_isNamedAsItWasWritten() {
    RobotsRules rules =
        parse("\uFEFFuser-agent : ourbot # us\r\n\r\n  DISALLOW:/caf\u00E9 # no\r\n");

    assertThat(check(rules, "/caf%C3%A9/x")).isEqualTo(new Barred("Disallow: /caf\u00E9 (line 3)"));
  }

  @Test
  void check_encodedSeparators_stayEncoded_p07() {
    RobotsRules rules =
        parse(
            """
            User-agent: *
            Disallow: /*%2F*
            Disallow: /s-%2A.html
            Disallow: /t-%2a$
            """);

    assertThat(check(rules, "/a/b")).isEqualTo(ALLOWED);
    assertThat(check(rules, "/a%2Fb")).isEqualTo(new Barred("Disallow: /*%2F* (line 2)"));
    assertThat(check(rules, "/a?b=%2F")).isEqualTo(new Barred("Disallow: /*%2F* (line 2)"));
    assertThat(check(rules, "/s-*.html")).isEqualTo(new Barred("Disallow: /s-%2A.html (line 3)"));
    assertThat(check(rules, "/s-x.html")).isEqualTo(ALLOWED);
    assertThat(check(rules, "/t-*")).isEqualTo(new Barred("Disallow: /t-%2a$ (line 4)"));
    assertThat(check(rules, "/t-*x")).isEqualTo(ALLOWED);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "/a|b, /a%7Cb",
        "/a%7cb, /a|b",
        "/it's, /it%27s",
        "/it%27s, /it's",
        "/[x], /%5Bx%5D",
        "/a%21b, /a!b",
        "/two words, /two%20words",
        "/100%, /100%25",
        "/~joe, /%7Ejoe",
        "/%7Ejoe, /~joe",
        "/?q=a%2Fb, /?q=a/b",
        "/?q=a/b, /?q=a%2Fb",
        "/*?q=*/b, /x?q=a%2Fb",
        "/%E9, /%e9",
      })
  void check_spellingsOfOnePath_areOne(String rule, String path) {
    assertThat(check(parse("User-agent: *\nDisallow: " + rule), path)).isInstanceOf(Barred.class);
  }

  @ParameterizedTest
  @CsvSource({
    "/a%2Fb, /a/b",
    "/a/b, /a%2Fb",
    "/a?b, /a%3Fb",
    "/a%3Fb, /a?b",
    "/?a&b, /?a%26b",
    "/?a=b, /?a%3Db",
    "/?a+b, /?a%2Bb",
    "/a;b, /a%3Bb",
    "/a%2525, /a%25",
    "/a$b, /a",
    "/a$b, /axb",
    "/*/b, /x?q=a%2Fb",
  })
  void check_otherPaths_areOthers(String rule, String path) {
    assertThat(check(parse("User-agent: *\nDisallow: " + rule), path)).isEqualTo(ALLOWED);
  }

  @ParameterizedTest
  @CsvSource({
    "/*.php$, /a.php.php, true",
    "/*.php$, /a.php5.php, true",
    "/*a*b$, /xaxbxb, true",
    "/*ab*ab$, /xab, false",
    "/a*a$, /a, false",
    "/a*a$, /aa, true",
    "/**a**, /xa, true",
    "*, /x, true",
    "*$, /x, true",
    "$, /x, false",
    "/$$, /$, true",
    "/*$, /x, true",
    "x, /x, false",
    "*x, /ax, true",
    "/a*, /a, true",
    "/a*$, /a, true",
  })
  void check_starsAndEnd_matchAsTheRfcSays(String rule, String path, boolean barred) {
    assertThat(check(parse("User-agent: *\nDisallow: " + rule), path) instanceof Barred)
        .isEqualTo(barred);
  }

  @Test
  void check_latin1File_isComparedByItsBytes() {
    byte[] latin1 = "User-agent: *\nDisallow: /caf\u00E9".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(check(RobotsRules.parse(latin1, "ourbot", LONGEST_DELAY), "/caf%E9"))
        .isInstanceOf(Barred.class);
  }

  @Test
  void check_utf16FileWithByteOrderMark_isRead() {
    byte[] utf16 = "User-agent: *\nDisallow: /caf\u00E9".getBytes(StandardCharsets.UTF_16);

    assertThat(check(RobotsRules.parse(utf16, "ourbot", LONGEST_DELAY), "/caf%C3%A9"))
        .isEqualTo(new Barred("Disallow: /caf\u00E9 (line 2)"));
  }

  @Test
  void check_groupsOfOneAgent_areJoined_p09() {
    RobotsRules rules =
        parse(
            """
            User-agent: *
            Disallow: /

            User-agent: ourbot
            Disallow: /a

            User-agent: other
            User-agent: OURBOT
            Disallow: /b
            """);

    assertThat(check(rules, "/a")).isEqualTo(new Barred("Disallow: /a (line 5)"));
    assertThat(check(rules, "/b")).isEqualTo(new Barred("Disallow: /b (line 9)"));
    assertThat(check(rules, "/c")).isEqualTo(ALLOWED);
  }

  @ParameterizedTest
  @CsvSource({
    "ourbot, true",
    "OurBot/2.1, true",
    "ourbot (+http://a.test/), true",
    "ourbot-images, false",
    "our, false",
    "ourbots, false",
    "'', false",
    "*bot, false",
  })
  void parse_productToken_isComparedUpToTheFirstOtherCharacter(String agent, boolean ours) {
    RobotsRules rules = parse("User-agent: " + agent + "\nDisallow: /");

    assertThat(check(rules, "/") instanceof Barred).isEqualTo(ours);
  }

  @ParameterizedTest
  @ValueSource(strings = {"useragent: *\ndisallow: /", "User Agent: *\nDisalow: /"})
  void parse_commonMisspellings_bar(String robots) {
    assertThat(check(parse(robots), "/")).isInstanceOf(Barred.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Allowed", "Alow", "allow-from"})
  void parse_misspeltAllow_allowsNothing(String key) {
    assertThat(check(parse("User-agent: *\nDisallow: /\n" + key + ": /x"), "/x"))
        .isInstanceOf(Barred.class);
  }

  /** No record of the RFC, so it ends no group; see RFC 9309, section 2.2.4. */
  @Test
  void parse_crawlDelayBetweenAgents_endsNoGroup() {
    RobotsRules rules = parse("User-agent: ourbot\nCrawl-delay: 5\nUser-agent: b\nDisallow: /x");

    assertThat(check(rules, "/x")).isInstanceOf(Barred.class);
    assertThat(rules.crawlDelay()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void crawlDelay_ofOtherGroups_isNotOurs() {
    assertThat(
            parse("User-agent: *\nCrawl-delay: 9\nDisallow:\nUser-agent: ourbot\nAllow: /")
                .crawlDelay())
        .isZero();
    assertThat(
            parse("User-agent: ourbot\nAllow: /\nUser-agent: *\nCrawl-delay: 9\nDisallow:")
                .crawlDelay())
        .isZero();
  }

  @Test
  void crawlDelay_several_isTheLongest() {
    assertThat(
            parse("User-agent: ourbot\nCrawl-delay: 2\nCrawl-delay: 7\nCrawl-delay: 5")
                .crawlDelay())
        .isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void crawlDelay_upToTheLongest_isKeptAndBarsNothing_p11() {
    RobotsRules rules = parse("User-agent: *\nCrawl-delay: 3600\nDisallow: /x");

    assertThat(rules.crawlDelay()).isEqualTo(Duration.ofHours(1));
    assertThat(check(rules, "/")).isEqualTo(ALLOWED);
    assertThat(check(rules, "/x")).isInstanceOf(Barred.class);
  }

  @Test
  void crawlDelay_longerThanTheLongest_barsEverythingAndSaysWhy_p11() {
    RobotsRules rules = parse("User-agent: *\nDisallow: /x\nCrawl-delay: 3600.001");

    assertThat(check(rules, "/"))
        .isEqualTo(
            new Barred(
                "Crawl-delay: 3600.001 (line 3) is longer than 1 h, the longest this fleet waits"));
    assertThat(check(rules, "/robots.txt")).isEqualTo(ALLOWED);
    assertThat(rules.crawlDelay()).isEqualTo(Duration.ofHours(1));
    assertThat(
            RobotsRules.parse(
                    "User-agent: *\nCrawl-delay: 1e9".getBytes(StandardCharsets.UTF_8),
                    "ourbot",
                    Duration.ofSeconds(5_430))
                .check("/x"))
        .isEqualTo(
            new Barred(
                "Crawl-delay: 1e9 (line 2) is longer than 1 h 30 min 30 s, the longest this fleet"
                    + " waits"));
  }

  @ParameterizedTest(name = "P12: {0}")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "0.2, PT0.2S",
        "2, PT2S",
        ".5, PT0.5S",
        "1., PT1S",
        "1e2, PT100S",
        "0, PT0S",
        "abc, PT0S",
        "-1, PT0S",
        "-0.5, PT0S",
        "``, PT0S",
        "NaN, PT0S",
        "Infinity, PT0S",
        "0x1p3, PT0S",
        "1d, PT0S",
        "1e-999999999, PT0S",
      })
  void crawlDelay_oddValues_areBounded_p12(String value, Duration expected) {
    RobotsRules rules = parse("User-agent: *\nCrawl-delay: " + value + "\nDisallow: /x");

    assertThat(rules.crawlDelay()).isEqualTo(expected);
    assertThat(check(rules, "/")).isEqualTo(ALLOWED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1e9", "1e999999999", "999999999999.5", "99999999999999999999999999"})
  void crawlDelay_enormous_isSkippedWithTheLine_p12(String value) {
    assertThat(check(parse("User-agent: *\nCrawl-delay: " + value), "/"))
        .isInstanceOfSatisfying(
            Barred.class,
            barred -> assertThat(barred.rule()).startsWith("Crawl-delay: " + value + " (line 2)"));
  }

  @Test
  void parse_ruleAt400KiB_isObeyed_p18() {
    String comments = "# a comment of thirty-four bytes.\n".repeat(400 * 1024 / 34);

    assertThat(check(parse("User-agent: *\n" + comments + "Disallow: /x"), "/x"))
        .isInstanceOf(Barred.class);
  }

  @Test
  void parse_ruleAroundTheLimit_isReadIfItsLineEndsWithin_p18() {
    String before = "User-agent: *\n";
    String rule = "Disallow: /x\n";
    int room = RobotsRules.MAX_BYTES - before.length() - rule.length();
    String fits = before + "#".repeat(room - 1) + "\n" + rule + "# more";
    String ends = before + "#".repeat(room - 1) + "\n" + "Disallow: /x ";
    String doesNot = before + "#".repeat(room) + "\n" + rule + "# more";

    assertThat(check(parse(fits), "/x")).isInstanceOf(Barred.class);
    assertThat(ends).hasSize(RobotsRules.MAX_BYTES);
    assertThat(check(parse(ends), "/x")).isInstanceOf(Barred.class);
    assertThat(check(parse(doesNot), "/x")).isEqualTo(ALLOWED);
  }

  /** P18: {@code Allow: /} is what half of {@code Allow: /public} would say. */
  @Test
  void text_truncatedInALine_dropsIt_p18() {
    byte[] cut = "User-agent: *\nDisallow: /\nAllow: /".getBytes(StandardCharsets.UTF_8);

    assertThat(RobotsFile.Text.of(cut, true).octets()).isEqualTo("User-agent: *\nDisallow: /\n");
    assertThat(RobotsFile.Text.of(cut, false).octets()).endsWith("Allow: /");
    assertThat(RobotsFile.Text.of("no line ends".getBytes(StandardCharsets.UTF_8), true).octets())
        .isEmpty();
  }

  @ParameterizedTest(name = "P38: {0}")
  @ValueSource(
      strings = {"//barred/x", "///barred//x", "/barred//x?u=http://b.test/", "/y/../barred/x"})
  void check_moreSlashes_doNotSlipPast_p38(String path) {
    RobotsRules rules = parse("User-agent: *\nDisallow: /barred/");

    assertThat(check(rules, path)).isEqualTo(new Barred("Disallow: /barred/ (line 2)"));
  }

  @Test
  void check_ruleWithSeveralSlashes_barsWhatItNames() {
    RobotsRules rules = parse("User-agent: *\nDisallow: /a//b");

    assertThat(check(rules, "/a//b")).isInstanceOf(Barred.class);
    assertThat(check(rules, "/a/b")).isEqualTo(ALLOWED);
  }

  @Test
  void check_slashesInQuery_areLeftAlone_p38() {
    RobotsRules rules = parse("User-agent: *\nDisallow: /*u=http:/b");

    assertThat(check(rules, "/x?u=http://b")).isEqualTo(ALLOWED);
  }

  @Test
  void parse_errorPage_barsNothing() {
    byte[] page = "<html><body>Disallow: /</body></html>".getBytes(StandardCharsets.UTF_8);

    assertThat(check(RobotsRules.parse(page, "ourbot", LONGEST_DELAY), "/")).isEqualTo(ALLOWED);
    assertThat(check(RobotsRules.parse(new byte[0], "ourbot", LONGEST_DELAY), "/"))
        .isEqualTo(ALLOWED);
  }

  @Test
  void sitemaps_several_areInOrderAndOnce() {
    RobotsRules rules =
        parse(
            """
            Sitemap: http://a.test/b.xml
            User-agent: *
            sitemap:http://a.test/a.xml # comment
            Sitemap: /caf\u00E9.xml
            Sitemap: http://a.test/b.xml
            Sitemap:
            """);

    assertThat(rules.sitemaps())
        .containsExactly("http://a.test/b.xml", "http://a.test/a.xml", "/caf\u00E9.xml");
  }

  @Test
  void weight_growsWithOurRulesOnly() {
    RobotsRules small = parse("User-agent: *\nDisallow: /a");
    String more = "Disallow: /abc\n".repeat(1_000);

    assertThat(parse("User-agent: *\nDisallow: /a\nUser-agent: other\n" + more).weight())
        .isEqualTo(small.weight());
    assertThat(parse("User-agent: *\n" + more).weight()).isGreaterThan(100_000);
  }

  private static RobotsRules parse(String text) {
    return RobotsRules.parse(text.getBytes(StandardCharsets.UTF_8), "OurBot", LONGEST_DELAY);
  }

  private static RobotsAnswer check(RobotsRules rules, String path) {
    return rules.check(CrawlUrl.of("http://a.test" + path));
  }
}
