package dev.fairfleet.robots;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example of RFC 9309 (https://www.rfc-editor.org/rfc/rfc9309), by section. */
class Rfc9309Test {
  private static final String[] SIMPLE = {
    "User-Agent: *",
    "Disallow: *.gif$",
    "Disallow: /example/",
    "Allow: /publications/",
    "",
    "User-Agent: foobot",
    "Disallow:/",
    "Allow:/example/page.html",
    "Allow:/example/allowed.gif",
    "",
    "User-Agent: barbot",
    "User-Agent: bazbot",
    "Disallow: /example/page.html",
    "",
    "User-Agent: quxbot",
  };

  private static final String[] TWO_GROUPS = {
    "user-agent: ExampleBot",
    "disallow: /foo",
    "disallow: /bar",
    "",
    "user-agent: ExampleBot",
    "disallow: /baz",
  };

  private static final String[] EVERYBODY_AND_BAZBOT = {
    "user-agent: *", "disallow: /foo", "disallow: /bar", "", "user-agent: BazBot", "disallow: /baz",
  };

  static Stream<RobotsCase> examples() {
    return Stream.of(
        RobotsCase.of("2.2.1 groups of one token are one", "ExampleBot", TWO_GROUPS)
            .allows("/", "/fo")
            .bars("/foo", "/bar", "/baz"),
        RobotsCase.of("2.2.1 tokens are compared without case", "eXAMPLEbOT", TWO_GROUPS)
            .bars("/foo", "/bar", "/baz"),
        RobotsCase.of("2.2.1 no group of ours, one of *", "ExampleBot", EVERYBODY_AND_BAZBOT)
            .allows("/baz")
            .bars("/foo", "/bar"),
        RobotsCase.of("2.2.1 a group of ours", "BazBot", EVERYBODY_AND_BAZBOT)
            .allows("/foo", "/bar")
            .bars("/baz"),
        RobotsCase.of(
                "2.2.1 no group at all applies", "ExampleBot", "user-agent: BazBot", "disallow: /")
            .allows("/"),
        RobotsCase.of("2.2.1 no groups at all", "ExampleBot", "").allows("/"),
        RobotsCase.of("2.2.2 case of paths counts", "a", "user-agent: a", "disallow: /X")
            .allows("/x")
            .bars("/X"),
        RobotsCase.of(
                "2.2.2 equivalent rules: allow", "a", "user-agent: a", "disallow: /x", "allow: /x")
            .allows("/x"),
        RobotsCase.of(
                "2.2.2 equivalent rules in the other order",
                "a",
                "user-agent: a",
                "allow: /x",
                "disallow: /x")
            .allows("/x"),
        RobotsCase.of("2.2.2 robots.txt is allowed", "a", "user-agent: a", "disallow: /")
            .allows("/robots.txt")
            .bars("/", "/robots.txt.bak", "/a/robots.txt"),
        RobotsCase.of(
                "2.2.2 rules outside groups", "a", "disallow: /x", "user-agent: a", "disallow: /y")
            .allows("/x")
            .bars("/y"),
        RobotsCase.of(
                "2.2.3 #", "a", "user-agent: a", "allow: /x # comment in line", "# at the end")
            .allows("/x"),
        RobotsCase.of(
                "2.2.3 #, barring", "a", "user-agent: a # us", "disallow: / # comment in line")
            .bars("/x"),
        RobotsCase.of("2.2.3 $", "a", "user-agent: a", "disallow: /", "allow: /this/path/exactly$")
            .allows("/this/path/exactly")
            .bars("/this/path/exactly/", "/this/path/exactly?x", "/this/path/exactly$"),
        RobotsCase.of("2.2.3 *", "a", "user-agent: a", "disallow: /", "allow: /this/*/exactly")
            .allows("/this/path/exactly", "/this/a/b/exactly")
            .bars("/this/exactly"),
        RobotsCase.of(
                "2.2.3 verbatim",
                "a",
                "user-agent: a",
                "disallow: /path/file-with-a-%2A.html",
                "disallow: /path/foo-%24")
            .allows("/path/file-with-a-b.html", "/path/foo-")
            .bars("/path/file-with-a-*.html", "/path/foo-$", "/path/foo-%24"),
        RobotsCase.of(
                "2.2.4 other records end no group",
                "a",
                "user-agent: a",
                "sitemap: https://a.test/map.xml",
                "user-agent: b",
                "disallow: /x")
            .bars("/x"),
        RobotsCase.of("5.1 *", "anybot", SIMPLE)
            .allows("/publications/", "/publications/x", "/", "/a.gif?x")
            .bars("/example/", "/example/page.html", "/a.gif", "/b/c.gif"),
        RobotsCase.of("5.1 foobot", "foobot", SIMPLE)
            .allows("/example/page.html", "/example/allowed.gif", "/example/page.html5")
            .bars("/", "/publications/", "/example/"),
        RobotsCase.of("5.1 barbot", "barbot", SIMPLE)
            .allows("/", "/a.gif", "/example/")
            .bars("/example/page.html"),
        RobotsCase.of("5.1 bazbot", "bazbot", SIMPLE)
            .allows("/", "/a.gif", "/example/")
            .bars("/example/page.html"),
        RobotsCase.of("5.1 quxbot", "quxbot", SIMPLE).allows("/", "/example/", "/a.gif"),
        RobotsCase.of(
                "5.2",
                "foobot",
                "User-Agent: foobot",
                "Allow: /example/page/",
                "Disallow: /example/page/disallowed.gif")
            .allows("/example/page/", "/example/page/allowed.gif")
            .bars("/example/page/disallowed.gif"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("examples")
  void check_exampleOfTheRfc_isAnsweredAsItSays(RobotsCase each) {
    each.check();
  }

  /** The table of section 2.2.2: path in the file, encoded path, path to match. */
  @ParameterizedTest
  @CsvSource({
    "/foo/bar?baz=quz, /foo/bar?baz=quz, /foo/bar?baz=quz",
    "/foo/bar?baz=https://foo.bar, /foo/bar?baz=https%3A%2F%2Ffoo.bar,"
        + " /foo/bar?baz=https%3A%2F%2Ffoo.bar",
    "/foo/bar/ツ, /foo/bar/%E3%83%84, /foo/bar/%E3%83%84",
    "/foo/bar/%E3%83%84, /foo/bar/%E3%83%84, /foo/bar/%E3%83%84",
    "/foo/bar/%62%61%7A, /foo/bar/%62%61%7A, /foo/bar/baz",
  })
  void check_encodedPath_matchesWhateverIsEncoded(String inFile, String encoded, String toMatch) {
    for (String rule : List.of(inFile, encoded, toMatch)) {
      RobotsCase.of("2.2.2 table", "a", "user-agent: a", "disallow: " + rule)
          .allows("/foo/bar", "/foo/bar/ba", "/foo/bar/%E3%83", "/foo/bar?baz=https%3A%2F%2Ffoo")
          .bars(inFile, encoded, toMatch)
          .check();
    }
  }

  @Test
  void productToken_ofAUserAgentHeader_isItsBeginning() {
    assertThat(RobotsRules.productToken("ExampleBot/0.1; https://www.example.com/bot.html"))
        .isEqualTo("ExampleBot");
    assertThat(RobotsRules.productToken("Example_Bot-x*")).isEqualTo("Example_Bot-x");
    assertThat(RobotsRules.productToken("9bot")).isEmpty();
  }
}
