package dev.fairfleet.url;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IgnoredParametersTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "/p?utm_source=x, /p",
    "/p?utm_=x, /p",
    "/p?utm=x, /p?utm=x",
    "/p?id=1&utm_source=x&utm_medium=y&page=2, /p?id=1&page=2",
    "/p?fbclid=a&id=1, /p?id=1",
    "/p?id=1&GCLID=a, /p?id=1",
    "/p?PHPSESSID=1&b=2&a=1, /p?b=2&a=1",
    "/p?gclid, /p",
    "/p?q=gclid, /p?q=gclid",
    "/p?id=utm_source=x, /p?id=utm_source=x",
    "/p?xgclid=1, /p?xgclid=1",
    "/p?gclidx=1, /p?gclidx=1",
    "/p?&&a, /p?&&a",
    "/p?=x, /p?=x",
    "/p?sid=7&ref=1, /p?sid=7&ref=1",
    "/a;jsessionid=7F.node1, /a",
    "/a;jsessionid=7/b;v=1?x=;jsessionid=3, /a/b;v=1?x=;jsessionid=3",
    "/a;JSESSIONID=7;v=1?gclid=1, /a;v=1",
    "/;jsessionid=7, /",
    "/a;v=jsessionid, /a;v=jsessionid",
    "/x/.;jsessionid=1/b, /x/b",
    "//b.test/x?gclid=1, //b.test/x",
    "/;jsessionid=1/b.test/x, //b.test/x",
    "/, /"
  })
  void apply_usualParameters_areTakenOut(String path, String expected) {
    CrawlUrl url = CrawlUrl.of("https://a.test:8443" + path);
    CrawlUrl without = IgnoredParameters.DEFAULT.apply(url);

    assertThat(without).hasToString("https://a.test:8443" + expected);
    assertThat(without.hostKey()).isEqualTo(url.hostKey());
  }

  @Test
  void apply_nothingToTakeOut_isTheSame() {
    CrawlUrl url = CrawlUrl.of("http://a.test/p;v=1?id=1");

    assertThat(IgnoredParameters.DEFAULT.apply(url)).isSameAs(url);
  }

  @Test
  void apply_ofNone_keepsAll() {
    CrawlUrl url = CrawlUrl.of("http://a.test/p;jsessionid=1?utm_source=1");

    assertThat(IgnoredParameters.NONE.apply(url)).isSameAs(url);
  }

  @Test
  void apply_ownNames_areTakenOut() {
    IgnoredParameters own = new IgnoredParameters(Set.of("Ref", "aff_*"));

    assertThat(own.apply(CrawlUrl.of("http://a.test/?ref=1&aff_x=2&gclid=3")))
        .hasToString("http://a.test/?gclid=3");
    assertThat(own).isEqualTo(new IgnoredParameters(Set.of("ref", "AFF_*")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a*b", "*a", "*", "a=b", "a&b", "a;b"})
  void new_noName_isRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IgnoredParameters(Set.of(name)))
        .withMessage(
            "An ignored parameter is a name like sessionid or utm_*, not \"" + name + "\"");
  }
}
