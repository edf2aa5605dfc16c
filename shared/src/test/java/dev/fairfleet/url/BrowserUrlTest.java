package dev.fairfleet.url;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds our URL parser to the corpora that browsers are held to.
 *
 * <p>The tables {@code whatwg.tsv} and {@code toascii.tsv} state the facts of the
 * web-platform-tests, the cases of {@link #parse_exampleOfRfc3986_isResolved} those of RFC 3986. We
 * deviate from none of them; what {@link CrawlUrl} does beyond has its own tests.
 */
class BrowserUrlTest {
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9A-F]{4})|\\\\)");

  @Test
  void parse_everyCaseOfTheBrowserTests_isReadAsThere() {
    List<String[]> cases = table("whatwg.tsv");
    Map<String, String> wrong = new HashMap<>();
    for (String[] row : cases) {
      String expected = row[0];
      String base = row.length > 2 ? row[2] : "";
      String actual = href(row[1], base);
      if (!actual.equals(expected)) {
        wrong.put(row[1], "on <" + base + "> is " + actual + ", not " + expected);
      }
    }

    assertThat(cases).hasSize(490);
    assertThat(wrong).isEmpty();
  }

  @Test
  void parse_everyNameOfTheBrowserTests_isReadAsThere() {
    List<String[]> cases = table("toascii.tsv");
    Map<String, String> wrong = new HashMap<>();
    for (String[] row : cases) {
      String actual = Objects.requireNonNullElse(BrowserHost.parse(row[1]), "-");
      if (!actual.equals(row[0])) {
        wrong.put(row[1], "is " + actual + ", not " + row[0]);
      }
    }

    assertThat(cases).hasSize(87);
    assertThat(wrong).isEmpty();
  }

  /** Sections 5.4.1 and 5.4.2, whole; where they leave a choice, that of browsers. */
  @ParameterizedTest(name = "<{0}>")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "g:h, -",
        "g, http://a/b/c/g",
        "./g, http://a/b/c/g",
        "g/, http://a/b/c/g/",
        "/g, http://a/g",
        "//g, http://g/",
        "?y, http://a/b/c/d;p?y",
        "g?y, http://a/b/c/g?y",
        "#s, http://a/b/c/d;p?q",
        "g#s, http://a/b/c/g",
        "g?y#s, http://a/b/c/g?y",
        ";x, http://a/b/c/;x",
        "g;x, http://a/b/c/g;x",
        "g;x?y#s, http://a/b/c/g;x?y",
        "``, http://a/b/c/d;p?q",
        "., http://a/b/c/",
        "./, http://a/b/c/",
        ".., http://a/b/",
        "../, http://a/b/",
        "../g, http://a/b/g",
        "../.., http://a/",
        "../../, http://a/",
        "../../g, http://a/g",
        "../../../g, http://a/g",
        "../../../../g, http://a/g",
        "/./g, http://a/g",
        "/../g, http://a/g",
        "g., http://a/b/c/g.",
        ".g, http://a/b/c/.g",
        "g.., http://a/b/c/g..",
        "..g, http://a/b/c/..g",
        "./../g, http://a/b/g",
        "./g/., http://a/b/c/g/",
        "g/./h, http://a/b/c/g/h",
        "g/../h, http://a/b/c/h",
        "g;x=1/./y, http://a/b/c/g;x=1/y",
        "g;x=1/../y, http://a/b/c/y",
        "g?y/./x, http://a/b/c/g?y/./x",
        "g?y/../x, http://a/b/c/g?y/../x",
        "g#s/./x, http://a/b/c/g",
        "g#s/../x, http://a/b/c/g",
        "http:g, http://a/b/c/g"
      })
  void parse_exampleOfRfc3986_isResolved(String reference, String expected) {
    assertThat(href(reference, "http://a/b/c/d;p?q")).isEqualTo(expected);
    assertThat(CrawlUrl.of("http://a/b/c/d;p?q").resolve(reference).map(CrawlUrl::toString))
        .isEqualTo(Optional.of(expected).filter(url -> !url.equals("-")));
  }

  private static String href(String text, String base) {
    BrowserUrl url = BrowserUrl.parse(text, base.isEmpty() ? null : BrowserUrl.parse(base, null));
    return url == null ? "-" : url.href();
  }

  /** Returns the rows of a table, unescaped. */
  private static List<String[]> table(String name) {
    List<String[]> rows = new ArrayList<>();
    try (InputStream in = BrowserUrlTest.class.getResourceAsStream(name)) {
      String text =
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        if (!line.startsWith("#")) {
          String[] row = line.split("\t", -1);
          for (int i = 0; i < row.length; i++) {
            row[i] = unescaped(row[i]);
          }
          rows.add(row);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    int from = 0;
    Matcher escape = ESCAPE.matcher(text);
    while (escape.find()) {
      plain.append(text, from, escape.start());
      String unit = escape.group(1);
      plain.append(unit == null ? '\\' : (char) Integer.parseInt(unit, 16));
      from = escape.end();
    }
    return plain.append(text, from, text.length()).toString();
  }
}
