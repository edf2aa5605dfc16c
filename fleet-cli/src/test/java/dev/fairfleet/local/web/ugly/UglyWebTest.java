package dev.fairfleet.local.web.ugly;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class UglyWebTest {
  private static final Pattern REPORT = Pattern.compile("\\bP\\d+\\b");

  /** The field reports from robots.txt to sitemaps; P94 is about stores, but begins with a link. */
  private static final Set<String> REPORTS =
      Stream.of(
              2, 3, 4, 5, 7, 9, 11, 12, 14, 16, 18, 19, 21, 23, 25, 27, 29, 31, 34, 35, 38, 39, 40,
              41, 42, 44, 46, 47, 48, 50, 52, 53, 54, 57, 58, 59, 61, 63, 64, 65, 68, 70, 71, 73,
              94)
          .map(number -> "P%02d".formatted(number))
          .collect(Collectors.toCollection(TreeSet::new));

  static List<UglyHost> hosts() {
    return UglyWeb.hosts();
  }

  @Test
  void hosts_names_areThereOnce() {
    assertThat(hosts()).extracting(UglyHost::name).doesNotHaveDuplicates().hasSizeGreaterThan(100);
  }

  @Test
  void hosts_descriptions_nameEveryFieldReportOfTheWeb() {
    Set<String> named =
        hosts().stream()
            .flatMap(host -> REPORT.matcher(host.does()).results().map(MatchResult::group))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(named).isEqualTo(REPORTS);
  }

  @ParameterizedTest
  @MethodSource("hosts")
  void host_nameAndDescription_areALabelAndASentence(UglyHost host) {
    assertThat(host.name()).matches("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");
    assertThat(host.does()).matches("[A-Za-z].*\\.");
    assertThat(host.expectations()).isNotEmpty().doesNotHaveDuplicates();
    assertThat(host.crawls()).isBetween(1, 2);
  }

  /** An expectation about a URL that nothing is at, and nobody could find, would mean nothing. */
  @ParameterizedTest
  @MethodSource("hosts")
  void expectations_ofPaths_areAboutWhatIsServed(UglyHost host) {
    Set<String> served =
        host.serve(InstantSource.system()).paths().collect(Collectors.toCollection(TreeSet::new));
    for (Expectation expectation : host.expectations()) {
      String url = about(expectation);
      if (url.startsWith("/") && !isNever(expectation)) {
        assertThat(served).as(expectation.toString()).anyMatch(path -> serves(path, url));
      }
    }
  }

  private static boolean serves(String path, String url) {
    boolean isPrefix = path.length() > 1 && url.startsWith(path);
    return url.equals("/robots.txt") || url.equals(path) || isPrefix;
  }

  private static boolean isNever(Expectation expectation) {
    return expectation instanceof Expectation.Asked asked && asked.least() == 0;
  }

  private static String about(Expectation expectation) {
    return switch (expectation) {
      case Expectation.Ends ends -> ends.url();
      case Expectation.Titled titled -> titled.url();
      case Expectation.Asked asked -> asked.path();
      case Expectation.Rests rests -> rests.path();
      case Expectation.Records none -> "";
      case Expectation.HostNeverAsked none -> "";
      case Expectation.UrlsAsked none -> "";
      case Expectation.Gaps none -> "";
      case Expectation.SomeSkipped none -> "";
    };
  }
}
