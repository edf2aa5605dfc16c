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

  @ParameterizedTest(name = "P02, P04: {0}")
  @ValueSource(ints = {429, 500, 502, 503, 504, 599})
  void ofStatus_serverOverloadedOrBroken_isUnreachable(int status) {
    RobotsRules rules = RobotsRules.ofStatus(status, Optional.empty());

    assertThat(check(rules, "/"))
        .isEqualTo(
            new Unreachable("robots.txt was answered with status " + status, RobotsRules.RETRY));
    assertThat(rules.fresh()).isEqualTo(RobotsRules.RETRY);
  }

  @Test
  void ofStatus_longRetryAfter_isWaitedFor_P04() {
    Duration asked = RobotsRules.RETRY.plusSeconds(1);

    assertThat(RobotsRules.ofStatus(429, Optional.of(asked)).fresh()).isEqualTo(asked);
    assertThat(RobotsRules.ofStatus(429, Optional.of(Duration.ofSeconds(1))).fresh())
        .isEqualTo(RobotsRules.RETRY);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 400, 401, 403, 404, 410, 451})
  void ofStatus_noSuchFile_allowsAll(int status) {
    RobotsRules rules = RobotsRules.ofStatus(status, Optional.empty());

    assertThat(check(rules, "/x")).isEqualTo(ALLOWED);
    assertThat(rules.fresh()).isEqualTo(RobotsRules.FRESH);
  }

  @Test
  void barred_nothingIsAllowed() {
    assertThat(check(RobotsRules.barred("why"), "/x")).isEqualTo(new Barred("why"));
  }

  @Test
  void check_longestRuleDecides_P05() {
    RobotsRules rules =
        parse(
            """
            User-agent: *
            Disallow: /w/
            Allow: /w/ok.html
            Disallow: /tie
            Allow: /tie
            """);

    assertThat(check(rules, "/w/ok.html")).isEqualTo(ALLOWED);
    assertThat(check(rules, "/w/no.html")).isEqualTo(new Barred("Disallow: /w/"));
    assertThat(check(rules, "/tie/x")).isEqualTo(ALLOWED);
  }

  @Test
  void check_encodedSeparators_stayEncoded_P07() {
    RobotsRules rules =
        parse(
            """
            User-agent: *
            Disallow: /*%2F*
            Disallow: /s-%2A.html
            """);

    assertThat(check(rules, "/a/b")).isEqualTo(ALLOWED);
    assertThat(check(rules, "/a%2Fb")).isEqualTo(new Barred("Disallow: /*%2F*"));
    assertThat(check(rules, "/s-*.html")).isEqualTo(new Barred("Disallow: /s-%2A.html"));
    assertThat(check(rules, "/s-x.html")).isEqualTo(ALLOWED);
  }

  @Test
  void check_groupsOfOneAgent_areJoined_P09() {
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

    assertThat(check(rules, "/a")).isEqualTo(new Barred("Disallow: /a"));
    assertThat(check(rules, "/b")).isEqualTo(new Barred("Disallow: /b"));
    assertThat(check(rules, "/c")).isEqualTo(ALLOWED);
  }

  @Test
  void crawlDelay_overFiveMinutes_isKeptAndBarsNothing_P11() {
    RobotsRules rules = parse("User-agent: *\nCrawl-delay: 301\nDisallow: /x");

    assertThat(rules.crawlDelay()).isEqualTo(Duration.ofSeconds(301));
    assertThat(check(rules, "/")).isEqualTo(ALLOWED);
    assertThat(check(rules, "/x")).isInstanceOf(Barred.class);
  }

  @ParameterizedTest(name = "P12: {0}")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "0.2, PT0.2S",
        "2, PT2S",
        "abc, PT0S",
        "-1, PT0S",
        "-0.5, PT0S",
        "1e9, PT0S",
        "``, PT0S",
        "999999999999.5, PT24H"
      })
  void crawlDelay_oddValues_areBounded(String value, Duration expected) {
    RobotsRules rules = parse("User-agent: *\nCrawl-delay: " + value + "\nDisallow: /x");

    assertThat(rules.crawlDelay()).isEqualTo(expected);
    assertThat(check(rules, "/")).isEqualTo(ALLOWED);
  }

  @Test
  void parse_ruleAt400KiB_isObeyed_P18() {
    String comments = "# a comment of thirty-two bytes..\n".repeat(400 * 1024 / 34);

    assertThat(check(parse("User-agent: *\n" + comments + "Disallow: /x"), "/x"))
        .isEqualTo(new Barred("Disallow: /x"));
  }

  @Test
  void parse_ruleBeyondLimit_isIgnored_P18() {
    String comments = "#".repeat(RobotsRules.MAX_BYTES);

    assertThat(check(parse("User-agent: *\n" + comments + "\nDisallow: /x"), "/x"))
        .isEqualTo(ALLOWED);
  }

  @ParameterizedTest(name = "P38: {0}")
  @ValueSource(strings = {"//barred/x", "///barred//x", "/barred//x?u=http://b.test/"})
  void check_moreSlashes_doNotSlipPast(String path) {
    RobotsRules rules = parse("User-agent: *\nDisallow: /barred/");

    assertThat(check(rules, path)).isEqualTo(new Barred("Disallow: /barred/"));
  }

  @Test
  void check_slashesInQuery_areLeftAlone() {
    RobotsRules rules = parse("User-agent: *\nDisallow: /*u=http:/b");

    assertThat(check(rules, "/x?u=http://b")).isEqualTo(ALLOWED);
  }

  @Test
  void parse_errorPage_barsNothing() {
    byte[] page = "<html><body>Disallow: /</body></html>".getBytes(StandardCharsets.UTF_8);

    assertThat(check(RobotsRules.parse(page, "text/html", "ourbot"), "/")).isEqualTo(ALLOWED);
    assertThat(check(RobotsRules.parse(new byte[0], "", "ourbot"), "/")).isEqualTo(ALLOWED);
  }

  @Test
  void parse_robotsTxtItself_isAlwaysAllowed() {
    RobotsRules rules = parse("User-agent: *\nDisallow: /\nSitemap: http://a.test/map.xml");

    assertThat(check(rules, "/robots.txt")).isEqualTo(ALLOWED);
    assertThat(check(rules, "/")).isEqualTo(new Barred("Disallow: /"));
    assertThat(rules.sitemaps()).containsExactly("http://a.test/map.xml");
  }

  private static RobotsRules parse(String text) {
    return RobotsRules.parse(text.getBytes(StandardCharsets.UTF_8), "text/plain", "OurBot");
  }

  private static RobotsAnswer check(RobotsRules rules, String path) {
    return rules.check(CrawlUrl.of("http://a.test" + path));
  }
}
