package dev.fairfleet.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairfleet.robots.RobotsAnswer.Allowed;
import dev.fairfleet.robots.RobotsAnswer.Barred;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The facts of Google's published robots.txt tests (https://github.com/google/robotstxt,
 * robots_test.cc), by the names of its tests.
 *
 * <p>Left out is what is about the interface of Google's parser and not about rules: an empty user
 * agent or URL (GoogleOnly_SystemTest), how a path is cut out of a URL (TestGetPathParamsQuery),
 * which its caller must not ask for (IsValidUserAgentToObey; {@link RobotsRules#productToken} does
 * it for ours), and URLs that its caller must encode first (in ID_Encoding). In one row of
 * ID_Encoding it differs from RFC 9309, and we go with the RFC; see {@link
 * #check_encodedUnreserved_isDecodedAsTheRfcSays}.
 */
class GoogleRobotsTest {
  private static final String[] GROUPS = {
    "allow: /foo/bar/",
    "",
    "user-agent: FooBot",
    "disallow: /",
    "allow: /x/",
    "user-agent: BarBot",
    "disallow: /",
    "allow: /y/",
    "",
    "",
    "allow: /w/",
    "user-agent: BazBot",
    "",
    "user-agent: FooBot",
    "allow: /z/",
    "disallow: /",
  };

  private static RobotsCase foo(String name, String... rules) {
    List<String> lines = new ArrayList<>(List.of("user-agent: FooBot"));
    lines.addAll(List.of(rules));
    return RobotsCase.of(name, "FooBot", lines.toArray(String[]::new));
  }

  static Stream<RobotsCase> lines() {
    return Stream.of(
        foo("GoogleOnly_SystemTest", "disallow: /").bars("/"),
        RobotsCase.of("GoogleOnly_SystemTest, no file", "FooBot", "").allows("/"),
        foo("ID_LineSyntax_Line", "disallow: /").bars("/x/y"),
        RobotsCase.of("ID_LineSyntax_Line, unknown", "FooBot", "foo: FooBot", "bar: /")
            .allows("/x/y"),
        RobotsCase.of("ID_LineSyntax_Line, no colon", "FooBot", "user-agent FooBot", "disallow /")
            .bars("/x/y"),
        RobotsCase.of("ID_LineSyntax_Groups", "FooBot", GROUPS)
            .allows("/x/b", "/z/d")
            .bars("/y/c", "/foo/bar/"),
        RobotsCase.of("ID_LineSyntax_Groups", "BarBot", GROUPS)
            .allows("/y/c", "/w/a")
            .bars("/z/d", "/foo/bar/"),
        RobotsCase.of("ID_LineSyntax_Groups", "BazBot", GROUPS).allows("/z/d").bars("/foo/bar/"),
        otherRules("BarBot", "Sitemap: https://foo.bar/sitemap", "FooBot"),
        otherRules("BarBot", "Sitemap: https://foo.bar/sitemap", "BarBot"),
        otherRules("FooBot", "Invalid-Unknown-Line: unknown", "FooBot"),
        otherRules("FooBot", "Invalid-Unknown-Line: unknown", "BarBot"),
        names("USER-AGENT", "ALLOW", "DISALLOW"),
        names("user-agent", "allow", "disallow"),
        names("uSeR-aGeNt", "AlLoW", "dIsAlLoW"),
        agent("FOO BAR", "Foo"),
        agent("foo bar", "Foo"),
        agent("FoO bAr", "Foo"),
        agent("FOO BAR", "foo"),
        agent("foo bar", "foo"),
        agent("FoO bAr", "foo"),
        upToFirstSpace("Foo").allows("/x/y"),
        upToFirstSpace("Foo Bar").bars("/x/y"),
        RobotsCase.of("ID_GlobalGroups_Secondary", "FooBot", "").allows("/x/y"),
        global("FooBot").bars("/x/y"),
        global("BarBot").allows("/x/y"),
        RobotsCase.of(
                "ID_GlobalGroups_Secondary, none of *",
                "QuxBot",
                "user-agent: FooBot",
                "allow: /",
                "user-agent: BarBot",
                "disallow: /",
                "user-agent: BazBot",
                "disallow: /")
            .allows("/x/y"));
  }

  private static RobotsCase otherRules(String first, String other, String agent) {
    return RobotsCase.of(
            "ID_LineSyntax_Groups_OtherRules, " + other,
            agent,
            "User-agent: " + first,
            other,
            "User-agent: *",
            "Disallow: /")
        .bars("/");
  }

  private static RobotsCase names(String userAgent, String allow, String disallow) {
    return RobotsCase.of(
            "ID_REPLineNamesCaseInsensitive, " + allow,
            "FooBot",
            userAgent + ": FooBot",
            allow + ": /x/",
            disallow + ": /")
        .allows("/x/y")
        .bars("/a/b");
  }

  private static RobotsCase agent(String inFile, String ours) {
    return RobotsCase.of(
            "ID_UserAgentValueCaseInsensitive, " + inFile,
            ours,
            "User-Agent: " + inFile,
            "Allow: /x/",
            "Disallow: /")
        .allows("/x/y")
        .bars("/a/b");
  }

  private static RobotsCase upToFirstSpace(String ours) {
    return RobotsCase.of(
        "GoogleOnly_AcceptUserAgentUpToFirstSpace",
        ours,
        "User-Agent: *",
        "Disallow: /",
        "User-Agent: Foo Bar",
        "Allow: /x/",
        "Disallow: /");
  }

  private static RobotsCase global(String ours) {
    return RobotsCase.of(
        "ID_GlobalGroups_Secondary",
        ours,
        "user-agent: *",
        "allow: /",
        "user-agent: FooBot",
        "disallow: /");
  }

  static Stream<RobotsCase> paths() {
    String longQuery = "/foo/bar?qux=taz&baz=http://foo.bar?tar&par";
    return Stream.of(
        foo("ID_AllowDisallow_Value_CaseSensitive", "disallow: /x/").bars("/x/y"),
        foo("ID_AllowDisallow_Value_CaseSensitive, upper", "disallow: /X/").allows("/x/y"),
        foo("ID_LongestMatch 1", "disallow: /x/page.html", "allow: /x/").bars("/x/page.html"),
        foo("ID_LongestMatch 2", "allow: /x/page.html", "disallow: /x/")
            .allows("/x/page.html")
            .bars("/x/"),
        foo("ID_LongestMatch 3, empty", "disallow: ", "allow: ").allows("/x/page.html"),
        foo("ID_LongestMatch 4", "disallow: /", "allow: /").allows("/x/page.html"),
        foo("ID_LongestMatch 5", "disallow: /x", "allow: /x/").allows("/x/").bars("/x"),
        foo("ID_LongestMatch 6", "disallow: /x/page.html", "allow: /x/page.html")
            .allows("/x/page.html"),
        foo("ID_LongestMatch 7", "allow: /page", "disallow: /*.html")
            .allows("/page")
            .bars("/page.html"),
        foo("ID_LongestMatch 8", "allow: /x/page.", "disallow: /*.html")
            .allows("/x/page.html")
            .bars("/x/y.html"),
        RobotsCase.of(
                "ID_LongestMatch 9, only the most specific group",
                "FooBot",
                "User-agent: *",
                "Disallow: /x/",
                "User-agent: FooBot",
                "Disallow: /y/")
            .allows("/x/page")
            .bars("/y/page"),
        foo("ID_Encoding, query", "Disallow: /", "Allow: " + longQuery).allows(longQuery),
        foo("ID_Encoding, UTF-8", "Disallow: /", "Allow: /foo/bar/ツ").allows("/foo/bar/%E3%83%84"),
        foo("ID_Encoding, encoded", "Disallow: /", "Allow: /foo/bar/%E3%83%84")
            .allows("/foo/bar/%E3%83%84"),
        foo("ID_Encoding, unreserved", "Disallow: /", "Allow: /foo/bar/%62%61%7A")
            .allows("/foo/bar/%62%61%7A"),
        foo("TestMaybeEscapePattern, á", "Disallow: /á").bars("/%C3%A1").allows("/a"),
        foo("TestMaybeEscapePattern, %aa", "Disallow: /%aa").bars("/%AA").allows("/aa"),
        foo("ID_SpecialCharacters, *", "Disallow: /foo/bar/quz", "Allow: /foo/*/qux")
            .allows("/foo/quz", "/foo//quz", "/foo/bax/quz")
            .bars("/foo/bar/quz"),
        foo("ID_SpecialCharacters, $", "Disallow: /foo/bar$", "Allow: /foo/bar/qux")
            .allows("/foo/bar/qux", "/foo/bar/", "/foo/bar/baz")
            .bars("/foo/bar"),
        foo("ID_SpecialCharacters, #", "# Disallow: /", "Disallow: /foo/quz#qux", "Allow: /")
            .allows("/foo/bar")
            .bars("/foo/quz"),
        RobotsCase.of(
                "GoogleOnly_IndexHTMLisDirectory",
                "foobot",
                "User-Agent: *",
                "Allow: /allowed-slash/index.html",
                "Disallow: /")
            .allows("/allowed-slash/", "/allowed-slash/index.html")
            .bars("/allowed-slash/index.htm", "/anyother-url"));
  }

  static Stream<RobotsCase> documentation() {
    String[] fish = {
      "/fish",
      "/fish.html",
      "/fish/salmon.html",
      "/fishheads",
      "/fishheads/yummy.html",
      "/fish.html?id=anything"
    };
    return Stream.of(
        foo("/fish", "disallow: /", "allow: /fish")
            .allows(fish)
            .bars("/bar", "/Fish.asp", "/catfish", "/?id=fish"),
        foo("/fish*", "disallow: /", "allow: /fish*")
            .allows(fish)
            .bars("/bar", "/Fish.bar", "/catfish", "/?id=fish"),
        foo("/fish/", "disallow: /", "allow: /fish/")
            .allows("/fish/", "/fish/salmon", "/fish/?salmon", "/fish/salmon.html", "/fish/?id=any")
            .bars("/bar", "/fish", "/fish.html", "/Fish/Salmon.html"),
        foo("/*.php", "disallow: /", "allow: /*.php")
            .allows(
                "/filename.php",
                "/folder/filename.php",
                "/folder/filename.php?parameters",
                "//folder/any.php.file.html",
                "/filename.php/",
                "/index?f=filename.php/")
            .bars("/bar", "/php/", "/index?php", "/windows.PHP"),
        foo("/*.php$", "disallow: /", "allow: /*.php$")
            .allows("/filename.php", "/folder/filename.php")
            .bars(
                "/bar",
                "/filename.php?parameters",
                "/filename.php/",
                "/filename.php5",
                "/php/",
                "/filename?php",
                "/aaaphpaaa",
                "//windows.PHP"),
        foo("/fish*.php", "disallow: /", "allow: /fish*.php")
            .allows("/fish.php", "/fishheads/catfish.php?parameters")
            .bars("/bar", "/Fish.PHP"),
        foo("precedence, /p", "allow: /p", "disallow: /").allows("/page"),
        foo("precedence, /folder", "allow: /folder", "disallow: /folder").allows("/folder/page"),
        foo("precedence, *.htm", "allow: /page", "disallow: /*.htm").bars("/page.htm"),
        foo("precedence, /$", "allow: /$", "disallow: /").allows("/").bars("/page.html"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"lines", "paths", "documentation"})
  void check_caseOfGoogle_isAnsweredAlike(RobotsCase each) {
    each.check();
  }

  /**
   * In ID_Encoding this rule does not match {@code /foo/bar/baz}, with the comment that it should
   * not be relied on. By the table in section 2.2.2 of the RFC it does.
   */
  @Test
  void check_encodedUnreserved_isDecodedAsTheRfcSays() {
    foo("ID_Encoding", "Disallow: /", "Allow: /foo/bar/%62%61%7A").allows("/foo/bar/baz").check();
  }

  /** GoogleOnly_LineTooLong: what is beyond 16,663 bytes of a line is not read. */
  @Test
  void check_longLine_isCut() {
    String barred = longPath("disallow: ", 'a');
    foo("GoogleOnly_LineTooLong", "disallow: " + barred + "/qux")
        .allows("/fux", barred)
        .bars(barred + "/fux")
        .check();

    String one = longPath("allow: ", 'a');
    String other = longPath("allow: ", 'b');
    foo(
            "GoogleOnly_LineTooLong, allow",
            "disallow: /",
            "allow: " + one + "/qux",
            "allow: " + other + "/qux")
        .allows(one + "/qux", other + "/fux")
        .bars("/", one)
        .check();
  }

  private static String longPath(String key, char filler) {
    int length = 2_083 * 8 - "/x/".length() - key.length() + 1;
    return "/x/" + String.valueOf(filler).repeat(length - "/x/".length());
  }

  /** ID_LinesNumbersAreCountedCorrectly. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /\n",
        "User-Agent: foo\r\nAllow: /some/path\r\nUser-Agent: bar\r\n\r\n\r\nDisallow: /\r\n",
        "User-Agent: foo\rAllow: /some/path\rUser-Agent: bar\r\r\rDisallow: /\r",
        "User-Agent: foo\nAllow: /some/path\nUser-Agent: bar\n\n\nDisallow: /",
        "User-Agent: foo\nAllow: /some/path\r\nUser-Agent: bar\n\r\n\nDisallow: /",
      })
  void check_anyLineEnds_tellsTheLine(String robots) {
    byte[] bytes = robots.getBytes(StandardCharsets.UTF_8);

    assertThat(RobotsRules.parse(bytes, "foo", Duration.ZERO).check("/some/path"))
        .isEqualTo(new Allowed(Optional.of("Allow: /some/path (line 2)")));
    assertThat(RobotsRules.parse(bytes, "bar", Duration.ZERO).check("/x"))
        .isEqualTo(new Barred("Disallow: / (line 6)"));
  }

  /** ID_UTF8ByteOrderMarkIsSkipped; its rule allows, ours bars, so that it shows. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void check_byteOrderMarkOrPartOfIt_isSkipped(int length) {
    byte[] mark = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    assertThat(check(mark, length, "User-Agent: foo\nDisallow: /AnyValue\n"))
        .isEqualTo(new Barred("Disallow: /AnyValue (line 2)"));
  }

  @Test
  void check_brokenByteOrderMark_spoilsItsLine() {
    byte[] mark = {(byte) 0xEF, 0x11, (byte) 0xBF};

    assertThat(check(mark, 3, "User-Agent: foo\nDisallow: /AnyValue\n")).isEqualTo(new Allowed());
  }

  @Test
  void check_byteOrderMarkFurtherDown_spoilsItsLine() {
    String robots = "User-Agent: foo\n\uFEFFDisallow: /AnyValue\n";

    assertThat(check(new byte[0], 0, robots)).isEqualTo(new Allowed());
  }

  private static RobotsAnswer check(byte[] mark, int length, String robots) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(mark, 0, length);
    bytes.writeBytes(robots.getBytes(StandardCharsets.UTF_8));
    return RobotsRules.parse(bytes.toByteArray(), "foo", Duration.ZERO).check("/AnyValue");
  }

  /** ID_NonStandardLineExample_Sitemap. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        """
        User-Agent: foo
        Allow: /some/path
        User-Agent: bar


        Sitemap: http://foo.bar/sitemap.xml
        """,
        """
        Sitemap: http://foo.bar/sitemap.xml
        User-Agent: foo
        Allow: /some/path
        User-Agent: bar

        """,
      })
  void sitemaps_anywhere_areFound(String robots) {
    assertThat(
            RobotsRules.parse(robots.getBytes(StandardCharsets.UTF_8), "qux", Duration.ZERO)
                .sitemaps())
        .containsExactly("http://foo.bar/sitemap.xml");
  }
}
